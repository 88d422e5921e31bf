import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { openWorld, type GatewayWorld } from './testing/open-world';

/** A masked close frame with 1000. */
const GOODBYE = Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8]);

describe('a charger that sends a close frame', () => {
  let world: GatewayWorld;
  let socket: Socket | undefined;

  beforeEach(async () => {
    world = await openWorld();
  });

  afterEach(async () => {
    socket?.destroy();
    await world.close();
  });

  it('is reported as disconnected while it leaves the TCP connection open', async () => {
    const { hostname, port } = new URL(world.origin);
    socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.write(
      [
        'GET /ocpp/LEFT_OPEN HTTP/1.1',
        `Host: ${hostname}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Protocol: ocpp1.6',
        '\r\n',
      ].join('\r\n'),
    );
    await once(socket, 'readable');
    await world.waitFor(({ kind, chargerId }) => kind === 'connected' && chargerId === 'LEFT_OPEN');
    socket.pause();
    socket.write(GOODBYE);
    await world.waitFor(({ kind, chargerId }) => kind === 'disconnected' && chargerId === 'LEFT_OPEN');
    expect(socket.destroyed).toBe(false);
  });
});
