// A remote start that the owner ordered authorizes the session that it begins, whatever the verdict on its tag.
import type { PendingStart } from '@busbar/contracts';
import { createId } from '@busbar/core';
import type { Charger } from '@busbar/domain/chargers';
import type { Tag } from '@busbar/domain/tags';
import { newTag } from '@busbar/domain/testing';
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
const start = (over: Fields = {}, by = connection) =>
  by.ask('StartTransaction', { connectorId: 1, idTag: 'gUEST', meterStart: 0, timestamp: at(0), ...over });
const statusOf = async (asked: Promise<Fields>) => ((await asked)['idTagInfo'] as Fields)['status'];
const only = async () => (await world.sessions(charger))[0];
const configure = (timeout: string) =>
  connection.outcome('ChangeConfiguration', { key: 'ConnectionTimeOut', value: timeout }, ACCEPTED);

async function putTag(over: Partial<Tag>): Promise<string> {
  const idTag = `T${createId().slice(-12)}`;
  await world.platform.records.tags.put(newTag({ clientId: world.clientId, idTag, ...over }));
  return idTag;
}

/** A decision that the charger sends before it answers the remote start, and the outcome after it. */
const whilePending = (pendingStart: PendingStart) => ({ pendingStart });

describe('61. a remote start', () => {
  it('authorizes the session of an unknown tag at its socket, also over a restart of charger-state', async () => {
    const { commandId } = await order();
    await world.restart();
    expect(await statusOf(start({ connectorId: 2, meterStart: 3 }))).toBe('Invalid');
    expect(await statusOf(start())).toBe('Accepted');
    const sessions = await world.sessions(charger);
    expect(sessions.find(({ socketId }) => socketId === 1)).toMatchObject({
      state: 'ongoing',
      verdict: 'accepted',
      authorizedBy: 'remote_start',
      commandId,
    });
    // It authorizes one session.
    expect(await statusOf(start({ meterStart: 9 }))).toBe('Invalid');
  });

  it('is answered the same when its start is sent again', async () => {
    await order();
    const timestamp = at(0);
    const first = await start({ timestamp });
    expect(await start({ timestamp })).toEqual(first);
    expect(await start({ timestamp }, await world.connect(charger))).toEqual(first);
  });

  it('authorizes its tag at Authorize, which some chargers send first, and no other', async () => {
    await order();
    expect(await statusOf(connection.ask('Authorize', { idTag: 'GUEST' }))).toBe('Accepted');
    expect(await statusOf(connection.ask('Authorize', { idTag: 'Other' }))).toBe('Invalid');
    expect(await statusOf(start())).toBe('Accepted');
    expect(await statusOf(connection.ask('Authorize', { idTag: 'GUEST' }))).toBe('Invalid');
  });

  it('authorizes a tag that is not valid yet, and one that is in use elsewhere', async () => {
    const early = await putTag({ startDate: '2999-01-01T00:00:00.000Z' });
    await order({ idTag: early });
    expect(await statusOf(start({ idTag: early }))).toBe('Accepted');
    const used = await putTag({});
    await start({ idTag: used }, await world.connect(await world.register()));
    await order({ idTag: used });
    expect(await statusOf(start({ idTag: used, meterStart: 2 }))).toBe('Accepted');
  });

  it.each([
    ['Blocked', { blocked: true }],
    ['Expired', { expiringDate: '2020-01-01T00:00:00.000Z' }],
  ])('does not authorize a tag that is %s', async (status, over) => {
    const idTag = await putTag(over);
    await order({ idTag });
    expect(await statusOf(connection.ask('Authorize', { idTag }))).toBe(status);
    expect(await statusOf(start({ idTag }))).toBe(status);
    expect(await only()).toMatchObject({ state: 'refused', authorizedBy: 'own' });
  });

  it('authorizes for the charger’s ConnectionTimeOut', async () => {
    await configure('60');
    await order({}, { receivedAt: at(80) });
    expect(await statusOf(start())).toBe('Accepted');
    await order({}, { receivedAt: at(100) });
    expect(await statusOf(connection.ask('Authorize', { idTag: 'Guest' }))).toBe('Invalid');
    expect(await statusOf(start({ meterStart: 5 }))).toBe('Invalid');
  });

  it.each(['0', 'soon'])('authorizes for ten minutes where the ConnectionTimeOut is %s', async (timeout) => {
    await configure(timeout);
    await order({}, { receivedAt: at(590) });
    expect(await statusOf(start())).toBe('Accepted');
    await order({}, { receivedAt: at(610) });
    expect(await statusOf(start({ meterStart: 5 }))).toBe('Invalid');
  });

  it('authorizes a session that began in time and is reported hours later', async () => {
    await order({}, { receivedAt: at(7200) });
    expect(await statusOf(start({ timestamp: at(7170) }))).toBe('Accepted');
    expect(await statusOf(start({ timestamp: at(9000), meterStart: 2 }))).toBe('Invalid');
  });

  it('authorizes the session also where the charger starts before it answers', async () => {
    const { seq } = await connection.send('log_only', { action: 'Heartbeat' });
    const pending = whilePending({ socketId: 1, rfidTag: 'Guest' });
    const asked = (action: string, payload: Fields) => connection.ask(action, payload, pending);
    expect(await statusOf(asked('Authorize', { idTag: 'Guest' }))).toBe('Accepted');
    const starting = { connectorId: 1, idTag: 'Guest', meterStart: 0, timestamp: at(0) };
    expect(await statusOf(asked('StartTransaction', { ...starting, connectorId: 2 }))).toBe('Invalid');
    expect(await statusOf(asked('StartTransaction', { ...starting, idTag: 'Other', meterStart: 1 }))).toBe('Invalid');
    expect(await statusOf(asked('StartTransaction', { ...starting, timestamp: at(3600) }))).toBe('Invalid');
    expect(await statusOf(asked('StartTransaction', starting))).toBe('Accepted');
    const { commandId } = await order({}, { sentAfter: seq });
    const sessions = await world.sessions(charger);
    expect(sessions.filter((session) => session.commandId === commandId)).toMatchObject([
      { authorizedBy: 'remote_start', state: 'ongoing' },
    ]);
    expect((await world.read(charger)).reported.awaitedStarts ?? []).toEqual([]);
  });

  it('correlates a start before the answer with its remote start, also where the charger’s clock is minutes off', async () => {
    const { seq } = await connection.send('log_only', { action: 'Heartbeat' });
    const pending = whilePending({ socketId: 1, rfidTag: 'Guest' });
    const starting = { connectorId: 1, idTag: 'Guest', meterStart: 0, timestamp: at(-120) };
    expect(await statusOf(connection.ask('StartTransaction', starting, pending))).toBe('Accepted');
    const { commandId } = await order({}, { sentAfter: seq });
    expect(await world.sessions(charger)).toMatchObject([{ authorizedBy: 'remote_start', commandId }]);
    expect((await world.read(charger)).reported.awaitedStarts ?? []).toEqual([]);
  });

  it.each([
    ['timeout', { outcome: 'timeout' }],
    ['a lost connection', { outcome: 'disconnected' }],
    ['an invalid answer', { outcome: 'invalid_answer', description: '' }],
  ])('authorizes the session where the outcome is unknown: %s', async (_, payload) => {
    const { commandId } = await order({}, { payload, raw: '' });
    expect(await statusOf(start({}, await world.connect(charger)))).toBe('Accepted');
    expect(await only()).toMatchObject({ commandId, authorizedBy: 'remote_start' });
  });

  it.each([
    ['rejected', { outcome: 'answered', payload: { status: 'Rejected' } }],
    ['answered with an error', { outcome: 'error', code: 'InternalError', description: '' }],
    ['never sent', { outcome: 'busy' }],
  ])('authorizes nothing when it was %s', async (_, payload) => {
    await order({}, { payload });
    expect(await statusOf(connection.ask('Authorize', { idTag: 'Guest' }))).toBe('Invalid');
    expect(await statusOf(start())).toBe('Invalid');
  });
});
