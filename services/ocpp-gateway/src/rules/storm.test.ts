// More upgrades at once than charger-state is to be asked about: they wait their turn, within bounds.
import { connect, type Socket } from 'node:net';
import { eventually, UpgradeRejected, type ScriptedCharger } from '@busbar/testing';
import { openWorld, type GatewayWorld } from '../testing/open-world';

const HEADERS = [
  'Host: gateway',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
].join('\r\n');

let world: GatewayWorld;
let sockets: Socket[];
beforeEach(() => (sockets = []));
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await world.close();
});

/** A handshake as bytes, with whatever follows it in the same piece. */
function raw(
  chargerId: string,
  behind: Buffer = Buffer.alloc(0),
  version = 'ocpp1.6',
): { socket: Socket; received(): string } {
  const socket = connect(Number(new URL(world.origin).port), '127.0.0.1');
  sockets.push(socket);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  const head = `GET /ocpp/${chargerId} HTTP/1.1\r\n${HEADERS}\r\nSec-WebSocket-Protocol: ${version}\r\n\r\n`;
  socket.write(Buffer.concat([Buffer.from(head), behind]));
  return { socket, received: () => received };
}

/** A text frame masked with zeros, as a client may. */
function frame(text: string): Buffer {
  const body = Buffer.from(text);
  const length =
    body.length < 126
      ? Buffer.from([0x80 | body.length])
      : Buffer.from([0x80 | 126, body.length >> 8, body.length & 255]);
  return Buffer.concat([Buffer.from([0x81]), length, Buffer.alloc(4), body]);
}

/** Admissions that wait until they are let through. */
function heldAdmissions(): { release(): void } {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  world.admit(async () => {
    await held;
    return world.acceptance();
  });
  return { release };
}

it.each(['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1'])(
  '18. answers frames that a charger sends right after the handshake, during its admission: %s',
  async (version) => {
    world = await openWorld();
    const { release } = heldAdmissions();
    const calls = Array.from({ length: 200 }, (_, i) => frame(`[2,"early-${String(i)}","Heartbeat",{}]`));
    const { socket, received } = raw('EARLY', calls[0], version);
    for (const call of calls.slice(1)) socket.write(call);
    await eventually(() => world.admissions.length === 1);
    expect(received()).toBe('');
    release();
    await eventually(() => received().includes('[3,"early-199"'));
    for (let i = 0; i < 200; i += 1) expect(received().split(`[3,"early-${String(i)}",`)).toHaveLength(2);
  },
);

it('18. admits a thousand simultaneous upgrades, a few at a time', async () => {
  world = await openWorld({ settings: { maxConnections: 2_000 }, admissionLimits: { concurrency: 20 } });
  let asked = 0;
  let max = 0;
  world.admit(async () => {
    asked += 1;
    max = Math.max(max, asked);
    await new Promise((resolve) => setImmediate(resolve));
    asked -= 1;
    return world.acceptance();
  });
  const chargers = await Promise.all(Array.from({ length: 1_000 }, () => world.connect()));
  await Promise.all(chargers.map((charger) => charger.heartbeat()));
  expect(max).toBeLessThanOrEqual(20);
});

it('18. rejects an upgrade beyond the queue with 503 and Retry-After, and admits the others', async () => {
  world = await openWorld({ admissionLimits: { concurrency: 2, maxQueue: 3 } });
  const { release } = heldAdmissions();
  const attempts = Array.from({ length: 8 }, () =>
    world.connect().then(
      (charger) => ({ charger }),
      (error: unknown) => ({ error }),
    ),
  );
  await eventually(async () => (await world.metric('busbar_gateway_upgrades_total{result="too_many_upgrades"}')) === 3);
  release();
  const ended: { charger?: ScriptedCharger; error?: unknown }[] = await Promise.all(attempts);
  const rejected = ended.flatMap(({ error }) => (error instanceof UpgradeRejected ? [error] : []));
  expect(rejected.map(({ status }) => status)).toEqual([503, 503, 503]);
  for (const { headers } of rejected) expect(headers['retry-after']).toBe('3');
  for (const { charger } of ended) if (charger) expect(await charger.heartbeat()).toHaveProperty('currentTime');
});

it('requests no admission for a charger that has given up', async () => {
  world = await openWorld({ admissionLimits: { concurrency: 1 } });
  const { release } = heldAdmissions();
  raw('FIRST');
  await eventually(() => world.admissions.length === 1);
  const { socket } = raw('GONE');
  await eventually(async () => (await world.metric('busbar_gateway_pending_upgrades')) === 2);
  socket.destroy();
  raw('LAST');
  await eventually(async () => (await world.metric('busbar_gateway_pending_upgrades')) === 3);
  release();
  await eventually(() => world.reports.some(({ chargerId }) => chargerId === 'LAST'));
  expect(world.admissions.map(({ chargerId }) => chargerId)).toEqual(['FIRST', 'LAST']);
});

it('18. never exceeds the limit of connections in a storm: pending upgrades count', async () => {
  world = await openWorld({ settings: { maxConnections: 3 } });
  const { release } = heldAdmissions();
  const storm = Array.from({ length: 10 }, (_, i) => raw(`STORM-${String(i)}`));
  await eventually(() => storm.filter(({ received }) => received().startsWith('HTTP/1.1 503 ')).length === 7);
  const full = storm.filter(({ received }) => received().includes('"full"'));
  expect(full).toHaveLength(7);
  for (const { received } of full) expect(received()).toMatch(/^Retry-After: \d+\r$/m);
  // An unready gateway might lose the sockets that it has.
  expect(world.isReady()).toBe(true);
  expect(await world.metric('busbar_gateway_connections_max')).toBe(3);
  release();
  await eventually(() => world.reports.filter(({ kind }) => kind === 'connected').length === 3);
  expect(await world.metric('busbar_gateway_connections')).toBe(3);
});

it('18. frees the place of a rejected upgrade', async () => {
  world = await openWorld({ settings: { maxConnections: 1 } });
  world.admit(({ chargerId }) => (chargerId === 'NOBODY' ? { outcome: 'unknown' } : world.acceptance()));
  const rejected = raw('NOBODY');
  await eventually(() => rejected.received().startsWith('HTTP/1.1 404 '));
  raw('SOMEBODY');
  await eventually(() => world.reports.some(({ chargerId }) => chargerId === 'SOMEBODY'));
});
