// Many chargers against a server whose answers to upgrades the test decides.
import { setMaxListeners } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { eventually } from '@busbar/testing';
import { simulate } from './simulation';

const UNKNOWN = '{"code":"unknown_charger"}';
/** No charger retries within a test. */
const HEADERS = `Retry-After: 3600\r\nContent-Length: ${String(UNKNOWN.length)}\r\nConnection: close`;

let server: Server;
let url: string;
let waiting: Duplex[];
let attempts: number;
let printed: string[];
let shown: string;

beforeEach(async () => {
  waiting = [];
  attempts = 0;
  printed = [];
  shown = '';
  server = createServer();
  server.on('upgrade', (_request, socket: Duplex) => {
    socket.on('error', () => undefined);
    attempts += 1;
    waiting.push(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `ws://127.0.0.1:${String((server.address() as AddressInfo).port)}/ocpp/`;
});
afterEach(async () => {
  for (const socket of waiting) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

function refuse(socket: Duplex | undefined): void {
  socket?.end(`HTTP/1.1 404 Not Found\r\n${HEADERS}\r\n\r\n${UNKNOWN}`);
}

function run(chargers: number, stop: AbortSignal): ReturnType<typeof simulate> {
  return simulate({
    url,
    tls: { rejectUnauthorized: true },
    chargerIds: Array.from({ length: chargers }, (_, i) => `SIM_${String(i + 1)}`),
    sockets: 1,
    versions: ['ocpp1.6'],
    password: undefined,
    scenario: { behaviour: 'idle' },
    keepSessions: false,
    stop,
    trace: () => undefined,
    display: { status: (line) => (shown = line), print: (line) => printed.push(line), end: () => undefined },
  });
}

it('has at most 50 handshakes in progress, and begins the next one when one has ended', async () => {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const ended = run(60, stop.signal);
  let max = 0;
  for (let refused = 0; refused < 10; refused += 1) {
    await eventually(() => attempts >= 50 + refused);
    max = Math.max(max, waiting.length);
    refuse(waiting.shift());
  }
  await eventually(() => attempts === 60);
  expect(max).toBe(50);
  stop.abort();
  for (const socket of waiting) refuse(socket);
  await ended;
});

it('prints the first failure of each kind, and counts all', async () => {
  const stop = new AbortController();
  const ended = run(3, stop.signal);
  await eventually(() => attempts === 3);
  for (const socket of waiting) refuse(socket);
  await eventually(() => shown.includes('failures 3'));
  stop.abort();
  const { counts } = await ended;
  expect(printed).toEqual([
    expect.stringMatching(
      /^Failed: SIM_\d: 404 unknown charger: add --register \(unknown_charger\), next attempt after/,
    ),
  ]);
  expect(counts.failures).toBe(3);
});
