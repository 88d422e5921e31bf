// The records of a rejected charger: in the log, and at charger-state.
import { ask, createHurriedClock, eventually, UpgradeRejected, type AskOptions } from '@busbar/testing';
import { openWorld, type GatewayWorld } from '../testing/open-world';

/** A rejection is delayed for a second, and attempts are sent once a second. */
const SECONDS_A_SECOND = 20;
const clock = createHurriedClock(SECONDS_A_SECOND);

let world: GatewayWorld;
beforeEach(async () => {
  world = await openWorld({ clock });
  world.admit(() => ({ outcome: 'unknown' }));
});
afterEach(async () => {
  await world.close();
});

/** The fields of the line about such an attempt. */
function lineOf(reason: string): Promise<Readonly<Record<string, unknown>>> {
  return eventually(() => {
    const isWanted = ({ level, fields }: (typeof world.logger.lines)[number]): boolean =>
      level === 'info' && fields['reason'] === reason && fields['count'] === 1;
    return world.logger.lines.find(isWanted)?.fields;
  });
}

/** Attempts to connect, and gives the request id of the response that rejects it. */
async function attempt(path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const rejection: unknown = await world
    .connect({ url: `${world.origin}${path}`, headers })
    .catch((error: unknown) => error);
  if (!(rejection instanceof UpgradeRejected)) throw new Error('the attempt was not rejected');
  return String(rejection.headers['x-request-id']);
}

it('logs an info line for an unknown charger, with the request id of the response', async () => {
  const requestId = await attempt('/ocpp/NEW_1');
  const fields = { chargerId: 'NEW_1', remoteAddress: '127.0.0.1', requestId, protocols: ['ocpp1.6'] };
  expect(await lineOf('unknown_charger')).toMatchObject(fields);
});

it("logs the charger's own request id", async () => {
  expect(await attempt('/ocpp/NEW_1', { 'x-request-id': 'commissioning-7' })).toBe('commissioning-7');
  expect(await lineOf('unknown_charger')).toMatchObject({ requestId: 'commissioning-7' });
});

it('logs a wrong password without the password', async () => {
  world.admit(() => ({ outcome: 'unauthorized' }));
  const authorization = `Basic ${Buffer.from('ACME_1:not-the-password').toString('base64')}`;
  const requestId = await attempt('/ocpp/ACME_1', { authorization });
  expect(await lineOf('unauthorized')).toMatchObject({ chargerId: 'ACME_1', requestId });
  const text = JSON.stringify(world.logger.lines);
  expect(text).not.toContain('not-the-password');
  expect(text).not.toContain(authorization);
});

it('logs the path of an attempt that names no charger, without its query', async () => {
  await attempt('/wrong/ACME_1?password=secret');
  expect(await lineOf('no_identity')).toMatchObject({ chargerId: null, path: '/wrong/ACME_1' });
});

describe("a request at a charger's path without a websocket upgrade", () => {
  const http = (path: string, options: AskOptions = {}) =>
    ask(`${world.origin.replace('ws:', 'http:')}${path}`, options);
  const headers = { 'x-request-id': 'commissioning-8' };
  const fields = { chargerId: 'NEW_1', remoteAddress: '127.0.0.1', requestId: 'commissioning-8' };

  it.each([
    ['no Upgrade header', {}],
    ['another Upgrade header', { connection: 'Upgrade', upgrade: 'h2c' }],
  ])('is logged and recorded with %s: a proxy in front may not forward websockets', async (_, over) => {
    await world.close();
    world = await openWorld({ clock, plainWebsocketsOnly: false });
    expect(await http('/ocpp/NEW_1', { headers: { ...headers, ...over } })).toMatchObject({ status: 426, headers });
    expect(await lineOf('no_websocket_upgrade')).toMatchObject(fields);
    const [recorded] = await eventually(() => world.attempts[0]);
    expect(recorded).toMatchObject({ ...fields, reason: 'no_websocket_upgrade' });
  });

  it('is logged on a port for websockets only', async () => {
    expect(await http('/ocpp/NEW_1', { headers })).toMatchObject({ status: 403, headers });
    expect(await lineOf('no_websocket_upgrade')).toMatchObject(fields);
  });

  it('is not logged where it is no GET', async () => {
    for (const path of ['/', '/ocpp/', '/ocpp/A/B']) await http(path);
    await http('/ocpp/NEW_1', { method: 'POST' });
    await attempt('/ocpp/NEW_2');
    await lineOf('unknown_charger');
    expect(world.logger.lines.filter(({ fields }) => fields['reason'] === 'no_websocket_upgrade')).toEqual([]);
  });
});

it('logs a charger that offers no supported subprotocol', async () => {
  world.admit(() => world.acceptance());
  const subprotocols = ['ocpp1.2', 'ocpp1.5'];
  const headers = { 'x-request-id': 'old-1' };
  // ws itself takes a handshake without a subprotocol for a failure.
  await world.connect({ url: `${world.origin}/ocpp/OLD_1`, subprotocols, headers }).catch(() => undefined);
  const fields = { chargerId: 'OLD_1', requestId: 'old-1', protocols: subprotocols };
  expect(await lineOf('no_subprotocol')).toMatchObject(fields);
  expect(await world.metric('busbar_gateway_upgrades_total{result="no_subprotocol"}')).toBe(1);
});

it('sends rejected attempts to charger-state in batches', async () => {
  await attempt('/ocpp/NEW_1');
  await attempt('/ocpp/NEW_2');
  const sent = await eventually(() => (world.attempts.flat().length === 2 ? world.attempts.flat() : undefined));
  expect(sent.map(({ chargerId, reason, count }) => [chargerId, reason, count])).toEqual([
    ['NEW_1', 'unknown_charger', 1],
    ['NEW_2', 'unknown_charger', 1],
  ]);
});
