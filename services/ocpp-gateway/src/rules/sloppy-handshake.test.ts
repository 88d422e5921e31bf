// Handshakes as bytes: headers that a websocket library would not send, and some chargers do.
import { connect, type Socket } from 'node:net';
import { eventually } from '@busbar/testing';
import { openWorld, type GatewayWorld } from '../testing/open-world';

let world: GatewayWorld;
let sockets: Socket[];
beforeEach(() => (sockets = []));
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await world.close();
});

/** The response so far to a handshake with these headers beside the usual ones. */
function shake(chargerId: string, ...headers: readonly string[]): () => string {
  const socket = connect(Number(new URL(world.origin).port), '127.0.0.1');
  sockets.push(socket);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  const lines = [
    `GET /ocpp/${chargerId} HTTP/1.1`,
    'Host: gateway',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ...headers,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return () => received;
}

const head = async (received: () => string): Promise<string> =>
  eventually(() => (received().includes('\r\n\r\n') ? received().split('\r\n\r\n')[0] : undefined));

it.each([
  [['Sec-WebSocket-Protocol: ocpp1.6,']],
  [['Sec-WebSocket-Protocol: ,ocpp1.6']],
  [['Sec-WebSocket-Protocol: ocpp1.6, ocpp1.6']],
  [['Sec-WebSocket-Protocol: ocpp1.6', 'Sec-WebSocket-Protocol: ocpp1.6']],
  [['Sec-WebSocket-Protocol: "x y"; ocpp2.0.1, ocpp1.6']],
])('4. chooses one version of %j, whatever the spacing of the list', async (headers) => {
  world = await openWorld();
  const answer = await head(shake('SLOPPY', ...headers));
  expect(answer).toMatch(/^HTTP\/1\.1 101 /);
  expect(answer).toMatch(/^Sec-WebSocket-Protocol: ocpp1\.6$/m);
  await world.waitFor(({ kind, chargerId }) => kind === 'connected' && chargerId === 'SLOPPY');
});

it.each([[''], [','], ['ocpp1.5, ocpp1.5'], ['ocpp 1.6'], ['"ocpp1.6"']])(
  '2. completes the handshake without a subprotocol for the offer "%s", and closes immediately',
  async (offered) => {
    world = await openWorld();
    const received = shake('OTHER', `Sec-WebSocket-Protocol: ${offered}`);
    const answer = await head(received);
    expect(answer).toMatch(/^HTTP\/1\.1 101 /);
    expect(answer).not.toContain('Sec-WebSocket-Protocol');
    // The payload of a close frame.
    const code = String.fromCharCode(1002 >> 8, 1002 & 255);
    await eventually(() => received().slice(answer.length).includes(code));
    expect(world.reports).toEqual([]);
  },
);

it('3. treats an empty header as absent: accepts a charger whose switch assumes 1.6, and names no choice', async () => {
  world = await openWorld();
  const compatibility = { ...world.acceptance().compatibility, assumeOcpp16: true };
  world.admit(() => world.acceptance({ compatibility }));
  const answer = await head(shake('EMPTY', 'Sec-WebSocket-Protocol: '));
  expect(answer).toMatch(/^HTTP\/1\.1 101 /);
  expect(answer).not.toContain('Sec-WebSocket-Protocol');
  expect(await world.waitFor(({ kind }) => kind === 'connected')).toMatchObject({ deviations: ['no_subprotocol'] });
});

it.each(['permessage-deflate; server_max_window_bits=99', 'permessage-deflate; unknown', ';', 'a b', ''])(
  '19. ignores unreadable extensions: %s',
  async (extensions) => {
    world = await openWorld();
    const headers = ['Sec-WebSocket-Protocol: ocpp1.6', `Sec-WebSocket-Extensions: ${extensions}`];
    const answer = await head(shake('EXTENDED', ...headers));
    expect(answer).toMatch(/^HTTP\/1\.1 101 /);
    expect(answer).not.toContain('Sec-WebSocket-Extensions');
  },
);

it.each(['Sec-WebSocket-Key: short', 'Sec-WebSocket-Version: 7'])(
  'rejects a handshake that is none with 400, logs and counts it: %s',
  async (header) => {
    world = await openWorld();
    const answer = await head(shake('BROKEN', 'Sec-WebSocket-Protocol: ocpp2.0.1, ocpp1.6', header));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/^Sec-WebSocket-Version: 13$/m);
    const requestId = /^X-Request-Id: (\w+)$/m.exec(answer)?.[1];
    const line = world.logger.lines.find(({ fields }) => fields['reason'] === 'invalid_handshake');
    expect(line?.fields).toMatchObject({
      chargerId: 'BROKEN',
      protocols: ['ocpp2.0.1', 'ocpp1.6'],
      requestId,
      count: 1,
    });
    expect(await world.metric('busbar_gateway_upgrades_total{result="invalid_handshake"}')).toBe(1);
    expect(world.reports).toEqual([]);
  },
);
