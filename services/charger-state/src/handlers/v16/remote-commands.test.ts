// Sessions carry the commands that began or ended them.
import { createId } from '@busbar/core';
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
const remoteStart = (
  request: Readonly<Record<string, unknown>>,
  answer: Readonly<Record<string, unknown>> = ACCEPTED,
) => connection.outcome('RemoteStartTransaction', request, answer);
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

  it('without a socket is correlated with one session at any socket', async () => {
    const { commandId } = await remoteStart({ idTag: 'Tag' });
    await start({ connectorId: 3 });
    await start({ connectorId: 2, meterStart: 2 });
    const sessions = await world.sessions(charger);
    expect(sessions.filter((session) => session.commandId === commandId)).toMatchObject([{ socketId: 3 }]);
    expect(sessions).toHaveLength(2);
  });

  it.each([
    ['was rejected', { outcome: 'answered', payload: { status: 'Rejected' } }],
    ['was answered with an error', { outcome: 'error', code: 'InternalError', description: '' }],
  ])('that %s is correlated with nothing', async (_, payload) => {
    await connection.outcome('RemoteStartTransaction', { idTag: 'Tag' }, {}, { payload });
    await start();
    expect(await only()).toMatchObject({ startedBy: 'local' });
    expect((await only())?.commandId).toBeUndefined();
  });

  it('is not correlated with a session that begins long after it', async () => {
    await connection.outcome('RemoteStartTransaction', { idTag: 'Tag' }, ACCEPTED, { receivedAt: at(11 * 60) });
    await start();
    expect((await only())?.commandId).toBeUndefined();
  });

  it('is correlated with a session that began soon after it and is reported much later', async () => {
    const outcome = { receivedAt: at(3 * 3600) };
    const { commandId } = await connection.outcome('RemoteStartTransaction', { idTag: 'Tag' }, ACCEPTED, outcome);
    await start({ timestamp: at(3 * 3600 - 60) });
    expect(await only()).toMatchObject({ commandId, startedOffline: true });
  });

  it('is not correlated with a session that began before it and is reported after it', async () => {
    await remoteStart({ idTag: 'Tag' });
    await start({ timestamp: at(3600) });
    expect((await only())?.commandId).toBeUndefined();
  });

  it('is correlated with a session that the charger reports before its response', async () => {
    const { seq } = await connection.send('log_only', { action: 'Heartbeat' });
    await start();
    const request = { connectorId: 1, idTag: 'Tag' };
    const { commandId } = await connection.outcome('RemoteStartTransaction', request, ACCEPTED, { sentAfter: seq });
    expect(await only()).toMatchObject({ startedBy: 'remote', commandId });
    expect((await world.read(charger)).reported.awaitedStarts).toBeUndefined();
  });

  it('is not correlated with a session that was ongoing when it was sent', async () => {
    const { transactionId } = await start();
    await remoteStart({ connectorId: 1, idTag: 'Tag' });
    expect(await only()).toMatchObject({ startedBy: 'local' });
    expect((await only())?.commandId).toBeUndefined();
    const { reported } = await world.read(charger);
    expect(reported.ongoing['1']?.commandId).toBeUndefined();
    expect(reported.awaitedStarts).toHaveLength(1);
    expect(reported.ongoing['1']).toMatchObject({ transactionId });
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

  it('is remembered up to a limit', async () => {
    for (let i = 0; i < 40; i += 1) void remoteStart({ idTag: `T${String(i)}` });
    await remoteStart({ idTag: 'Last' });
    const { awaitedStarts } = (await world.read(charger)).reported;
    expect(awaitedStarts).toHaveLength(16);
    expect(awaitedStarts?.at(-1)).toMatchObject({ idTagKey: 'last' });
  });

  it('with an invalid payload changes nothing', async () => {
    await connection.outcome('RemoteStartTransaction', { connectorId: 'one' }, ACCEPTED);
    await connection.outcome('RemoteStartTransaction', {}, ACCEPTED, { request: 'not a frame' });
    expect((await world.read(charger)).reported.awaitedStarts).toBeUndefined();
  });
});

describe('a remote stop', () => {
  const stop = (transactionId: unknown, reason?: string) =>
    connection.ask('StopTransaction', {
      transactionId,
      meterStop: 5,
      timestamp: at(0),
      ...(reason === undefined ? {} : { reason }),
    });
  const remoteStop = (transactionId: unknown) =>
    connection.outcome('RemoteStopTransaction', { transactionId }, ACCEPTED);

  it.each(['Remote', undefined])('is correlated with the stop that it causes, with reason %s', async (reason) => {
    const { transactionId } = await start();
    const { commandId } = await remoteStop(transactionId);
    await stop(transactionId, reason);
    expect(await only()).toMatchObject({ state: 'ended', stopCommandId: commandId });
    expect((await world.read(charger)).reported.awaitedStops).toEqual([]);
  });

  it('is not correlated with a stop for another reason', async () => {
    const { transactionId } = await start();
    await remoteStop(transactionId);
    await stop(transactionId, 'EVDisconnected');
    expect((await only())?.stopCommandId).toBeUndefined();
    expect((await world.read(charger)).reported.awaitedStops).toEqual([]);
  });

  it('is correlated with a stop that precedes the response, but not with one of long before', async () => {
    const { transactionId } = await start();
    await stop(transactionId, 'Remote');
    const { commandId } = await remoteStop(transactionId);
    await remoteStop(transactionId);
    expect(await only()).toMatchObject({ stopCommandId: commandId });
  });

  it('58. stays correlated when the stop is delivered again', async () => {
    const { transactionId } = await start();
    const outcome = await remoteStop(transactionId);
    await stop(transactionId, 'Remote');
    await stop(transactionId, 'Remote');
    await connection.publish(outcome);
    expect(await only()).toMatchObject({ stopCommandId: outcome.commandId, meterStop: 5 });
  });

  it('changes nothing for a remote stop of an unknown session, or of another charger’s', async () => {
    const other = await world.connect(await world.register());
    const theirs = { connectorId: 1, idTag: createId().slice(-20), meterStart: 0, timestamp: at(0) };
    const { transactionId } = await other.ask('StartTransaction', theirs);
    await remoteStop(transactionId);
    await remoteStop(2_000_000_000);
    expect((await world.read(charger)).reported.awaitedStops).toBeUndefined();
  });
});
