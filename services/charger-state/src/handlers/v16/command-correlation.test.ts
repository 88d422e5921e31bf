// Sessions carry the commands that began or ended them.
import type { Charger } from '@busbar/domain/chargers';
import type { Session } from '@busbar/domain/sessions';
import { eachWithCharger } from '../../testing/one-charger';
import type { ChargerStateWorld, FakeConnection } from '../../testing/open-world';

let world: ChargerStateWorld;
let charger: Charger;
let connection: FakeConnection;

eachWithCharger((its) => ({ world, charger, connection } = its));

const ACCEPTED = { status: 'Accepted' };
const at = (secondsAgo: number): string => new Date(Date.now() - secondsAgo * 1000).toISOString();
const remoteStart = (request: Readonly<Record<string, unknown>>) =>
  connection.outcome('RemoteStartTransaction', request, ACCEPTED);
const start = (over: Readonly<Record<string, unknown>> = {}) =>
  connection.ask('StartTransaction', { connectorId: 1, idTag: 'Tag', meterStart: 1, timestamp: at(0), ...over });
const only = async (): Promise<Session | undefined> => (await world.sessions(charger))[0];

describe('a remote start', () => {
  it('is correlated with the next session of its tag, in any case, at its socket', async () => {
    const { commandId } = await remoteStart({ connectorId: 1, idTag: 'tAG' });
    await start({ connectorId: 2, idTag: 'Tag', meterStart: 7 });
    await start({ connectorId: 1, idTag: 'Other', meterStart: 8 });
    await start({ connectorId: 1 });
    const sessions = await world.sessions(charger);
    const tied = sessions.filter((session) => session.commandId !== undefined);
    expect(tied).toMatchObject([{ socketId: 1, idTag: 'Tag', startedBy: 'remote', commandId }]);
    expect(sessions.filter((session) => session.startedBy === 'local')).toHaveLength(2);
    expect((await world.read(charger)).reported.awaitedStarts).toEqual([]);
  });

  it('is correlated with a session that the charger reports before its response', async () => {
    const { seq } = await connection.send('log_only', { action: 'Heartbeat' });
    await start();
    const request = { connectorId: 1, idTag: 'Tag' };
    const { commandId } = await connection.outcome('RemoteStartTransaction', request, ACCEPTED, { sentAfter: seq });
    expect(await only()).toMatchObject({ startedBy: 'remote', commandId });
    expect((await world.read(charger)).reported.awaitedStarts).toBeUndefined();
  });

  it('is correlated with one session, once, also when both are delivered again after a restart', async () => {
    const outcome = await remoteStart({ idTag: 'Tag' });
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

  it('is correlated with the stop that it causes', async () => {
    const { transactionId } = await start();
    const { commandId } = await remoteStop(transactionId);
    await stop(transactionId);
    expect(await only()).toMatchObject({ state: 'ended', stopCommandId: commandId });
    expect((await world.read(charger)).reported.awaitedStops).toEqual([]);
  });

  it('is correlated with a stop that precedes the response, and so is no later one', async () => {
    const { transactionId } = await start();
    await stop(transactionId);
    const { commandId } = await remoteStop(transactionId);
    await remoteStop(transactionId);
    expect(await only()).toMatchObject({ stopCommandId: commandId });
  });

  it('58. stays correlated when the stop is delivered again', async () => {
    const { transactionId } = await start();
    const outcome = await remoteStop(transactionId);
    await stop(transactionId);
    await stop(transactionId);
    await connection.publish(outcome);
    expect(await only()).toMatchObject({ stopCommandId: outcome.commandId, meterStop: 5 });
  });
});
