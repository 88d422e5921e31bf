import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startBareWsServer, type BareWsServer } from '../baselines/bare-ws-server';
import { openChargerSocket, type ChargerSocket } from './charger-socket';
import { openFleet } from './fleet';
import { runRateLoad } from './rate-load';

let server: BareWsServer;

beforeEach(async () => {
  server = await startBareWsServer();
});

afterEach(() => server.close());

const target = (port: number) => ({ host: '127.0.0.1', port, secure: false });

async function open(port: number): Promise<ChargerSocket> {
  const opening = await openChargerSocket(target(port), 'A charger');
  if (opening.kind !== 'open') throw new Error(opening.kind);
  return opening.socket;
}

function call(socket: ChargerSocket, messageId: string): Promise<boolean> {
  return new Promise((resolve) => socket.call(messageId, `[2,"${messageId}","Heartbeat",{}]`, resolve));
}

describe("a charger's socket", () => {
  it('gets answers from a real server, and reports its close', async () => {
    const socket = await open(server.port);
    await expect(call(socket, 'one')).resolves.toBe(true);
    server.close();
    await expect(call(socket, 'two')).resolves.toBe(false);
    expect(socket.isOpen()).toBe(false);
  });

  it('reports the refusal and its Retry-After', async () => {
    const busy = createServer();
    busy.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 503 Busy\r\nRetry-After: 7\r\n\r\n'));
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    const { port } = busy.address() as AddressInfo;
    await expect(openChargerSocket(target(port), 'a')).resolves.toEqual({
      kind: 'refused',
      status: 503,
      retryAfterS: 7,
    });
    await new Promise((resolve) => busy.close(resolve));
    await expect(openChargerSocket(target(port), 'a')).resolves.toMatchObject({ kind: 'failed' });
  });
});

describe('a load', () => {
  it('counts what was answered on all sockets, and leaves nothing in flight', async () => {
    const { opened, sockets } = await openFleet({
      target: target(server.port),
      chargerIds: ['a', 'b', 'c'],
      concurrency: 2,
      withinMs: 5_000,
    });
    expect(opened).toMatchObject({ open: 3, failures: 0, rejectedWithRetry: 0 });
    const result = await runRateLoad(sockets, {
      load: { version: 'ocpp1.6', action: 'MeterValues' },
      warmUpMs: 20,
      measureMs: 100,
    });
    expect(result.failed).toBe(0);
    expect(result.answered).toBeGreaterThan(result.perSecond * 0.1);
    expect(result.p99Ms).toBeGreaterThanOrEqual(result.p50Ms);
  });
});
