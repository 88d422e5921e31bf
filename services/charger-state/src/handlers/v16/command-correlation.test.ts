// Only here: a remote start or stop finds the session that was stored before its result, and authorizes or ends one
// session, whatever is delivered again and after a restart.
import type { Charger } from '@busbar/domain/chargers';
import type { Session } from '@busbar/domain/sessions';
import { eachWithCharger } from '../../testing/one-charger';
import type { ChargerStateWorld, FakeConnection } from '../../testing/open-world';

let world: ChargerStateWorld;
let charger: Charger;
let connection: FakeConnection;

eachWithCharger((its) => ({ world, charger, connection } = its));

type Fields = Readonly<Record<string, unknown>>;
const ACCEPTED = { status: 'Accepted' };
const at = (secondsAgo: number): string => new Date(Date.now() - secondsAgo * 1000).toISOString();
const order = (over: Fields = {}, envelope: Fields = {}) =>
  connection.outcome('RemoteStartTransaction', { connectorId: 1, idTag: 'Guest', ...over }, ACCEPTED, envelope);
const start = (over: Fields = {}, envelope: Fields = {}) => {
  const payload = { connectorId: 1, idTag: 'gUEST', meterStart: 1, timestamp: at(0), ...over };
  return connection.ask('StartTransaction', payload, envelope);
};
const statusOf = async (asked: Promise<Fields>) => ((await asked)['idTagInfo'] as Fields)['status'];
const only = async (): Promise<Session | undefined> => (await world.sessions(charger))[0];

describe('a remote start', () => {
  it('61. authorizes one session, of an unknown tag at its socket, also over a restart', async () => {
    const { commandId } = await order();
    await world.restart();
    expect(await statusOf(start({ connectorId: 2, meterStart: 3 }))).toBe('Invalid');
    expect(await statusOf(start())).toBe('Accepted');
    const sessions = await world.sessions(charger);
    expect(sessions.find(({ socketId }) => socketId === 1)).toMatchObject({
      state: 'ongoing',
      verdict: 'accepted',
      authorizedBy: 'remote_start',
      startedBy: 'remote',
      commandId,
    });
    expect(await statusOf(start({ meterStart: 9 }))).toBe('Invalid');
  });

  it('61. is correlated with a session that began before its response, by a clock that is minutes ahead', async () => {
    const { seq } = await connection.send('log_only', { action: 'Heartbeat' });
    const pending = { pendingStart: { socketId: 1, rfidTag: 'Guest' } };
    expect(await statusOf(start({ timestamp: at(-120) }, pending))).toBe('Accepted');
    const { commandId } = await order({}, { sentAfter: seq });
    expect(await world.sessions(charger)).toMatchObject([
      { state: 'ongoing', authorizedBy: 'remote_start', startedBy: 'remote', commandId },
    ]);
    expect((await world.read(charger)).reported.awaitedStarts).toBeUndefined();
  });

  it('is correlated with one session, once, also when both are delivered again after a restart', async () => {
    const outcome = await order();
    const timestamp = at(0);
    const { transactionId } = await start({ timestamp });
    await connection.publish(outcome);
    expect(await start({ timestamp })).toMatchObject({ transactionId });
    await world.restart();
    await connection.publish(outcome);
    await start({ connectorId: 2, meterStart: 9 });
    await connection.ask('StopTransaction', { transactionId, meterStop: 2, timestamp: at(0) });
    await connection.publish(outcome);
    const sessions = await world.sessions(charger);
    expect(sessions.filter(({ commandId }) => commandId === outcome.commandId)).toMatchObject([{ transactionId }]);
  });
});

describe('a remote stop', () => {
  const stop = (transactionId: unknown) =>
    connection.ask('StopTransaction', { transactionId, meterStop: 5, timestamp: at(0), reason: 'Remote' });
  const remoteStop = (transactionId: unknown) =>
    connection.outcome('RemoteStopTransaction', { transactionId }, ACCEPTED);

  it('is correlated with a stop that precedes the response, and so is no later one', async () => {
    const { transactionId } = await start();
    await stop(transactionId);
    const { commandId } = await remoteStop(transactionId);
    await remoteStop(transactionId);
    expect(await only()).toMatchObject({ stopCommandId: commandId });
  });

  it('58. is correlated with the stop that it causes, also when both are delivered again', async () => {
    const { transactionId } = await start();
    const outcome = await remoteStop(transactionId);
    await stop(transactionId);
    await stop(transactionId);
    await connection.publish(outcome);
    expect(await only()).toMatchObject({ state: 'ended', stopCommandId: outcome.commandId, meterStop: 5 });
  });
});
