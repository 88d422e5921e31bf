// The end of the socket of a rejected upgrade.
import { connect, type Socket } from 'node:net';
import { createFakeClock, eventually } from '@busbar/testing';
import { openWorld, type GatewayWorld } from '../testing/open-world';

const LINGER_MS = 2_000;

let world: GatewayWorld;
let sockets: Socket[];
beforeEach(() => (sockets = []));
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await world.close();
});

/** Asks for an upgrade, reads the response, and then keeps its own side open. */
async function rejectedAndStays(path: string): Promise<{ readonly status: number; isCut(): boolean }> {
  const socket = connect({ port: Number(new URL(world.origin).port), host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  let received = '';
  let isCut = false;
  let isEnded = false;
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('end', () => (isEnded = true));
  socket.on('error', () => (isCut = true));
  const headers = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
  socket.write(`GET ${path} HTTP/1.1\r\n${headers}Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`);
  await eventually(() => isEnded);
  return {
    status: Number(received.split(' ')[1]),
    isCut() {
      // A socket that is gone at the other end answers bytes with a reset.
      if (!isCut) socket.write('x');
      return isCut;
    },
  };
}

it.each([
  ['no path of a charger', '/nowhere', 404],
  ['an identity that cannot be decoded', '/ocpp/%E0%A4%A', 400],
  ['a full gateway', '/ocpp/ANY', 503],
])('cuts the socket of a rejected upgrade after 2 s if its peer stays: %s', async (_name, path, status) => {
  const clock = createFakeClock();
  world = await openWorld({ clock, settings: { maxConnections: status === 503 ? 1 : 10 } });
  await world.connect();
  const rejected = await rejectedAndStays(path);
  expect(rejected.status).toBe(status);
  clock.advance(LINGER_MS - 1);
  for (let i = 0; i < 5; i += 1) {
    expect(rejected.isCut()).toBe(false);
    await new Promise((resolve) => setImmediate(resolve));
  }
  clock.advance(1);
  await eventually(() => rejected.isCut());
});
