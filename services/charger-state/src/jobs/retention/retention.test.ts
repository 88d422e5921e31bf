import { feedPageKey } from '@busbar/domain/feed';
import { createId, type Clock, type Logger } from '@busbar/core';
import type { RetentionStore } from '@busbar/domain/history';
import { BOOTSTRAP_KEY_NAME } from '@busbar/domain/clients';
import { newAttempt, newDeadDelivery, newWebhook } from '@busbar/domain/testing';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import {
  createDeadLetterStore,
  createPresenceStore,
  createRetentionStore,
  createTagClaimStore,
  and,
  eq,
  type Document,
  collections,
  createFeedRetention,
} from '@busbar/store';
import { createRetention } from './retention';
import { createRetentionHorizon } from './retention-horizon';
import { openWorld, type ChargerStateWorld } from '../../testing/open-world';

it('deletes rows past their retention, and no others', async () => {
  const world = await openWorld();
  const now = new Date('2026-06-01T00:00:00.000Z');
  const daysAgo = (days: number) => now.getTime() - days * 86_400_000;
  const log = world.platform.store.collection(collections.ocppLog);
  const states = world.platform.store.collection(collections.stateChanges);
  const claims = createTagClaimStore(world.platform.store);
  const claimed = [0.5, 1.5].map((days) => ({ clientId: 'c', idTagKey: String(days), days }));
  for (const { days, ...tag } of claimed) {
    const claim = { ...tag, sessionId: 's', at: new Date(daysAgo(days)).toISOString() };
    await claims.take([{ claim, insteadOf: undefined }]);
  }
  const { connectionAttempts: attempts, commands } = world.platform.records;
  for (const { days } of claimed) {
    const at = new Date(daysAgo(days)).toISOString();
    const more = { remoteAddress: null, reason: 'unauthorized', protocols: [], requestId: 'r', count: 1 };
    const attempt = { attemptId: String(days), chargerId: 'A', clientId: 'c', at, ...more };
    await attempts.insert([attempt], { perCharger: 100, unknown: 100 });
    const asked = { requestedAt: at, requestedBy: 'k', requestId: 'r', operation: 'reset' };
    const open = { outcome: 'in_progress', response: null, completedAt: null } as const;
    const commandId = String(days);
    await commands.begin({ commandId, clientId: 'c', chargerId: 'A', ...asked, ...open }, 100);
  }
  for (const days of [1, 29, 31, 100]) {
    const at = new Date(daysAgo(days)).toISOString();
    const row = { chargerId: 'A', incarnationId: 'i', at };
    const more = {
      ocppVersion: 'ocpp1.6',
      action: '',
      messageId: '',
      source: 'charger' as const,
      request: '',
      response: '',
    };
    const id = createId(daysAgo(days));
    await log.insert({ _id: id, rowId: id, ...row, ...more });
    const state = { clientId: 'c', siteId: 1, socketId: 1, state: 'Available' as const, errorCode: '', receivedAt: at };
    await states.insert({ _id: String(days), rowId: String(days), ...row, ...state });
  }
  const clock = createFakeClock(now);
  const logger = createRecordingLogger();
  const deleted: unknown[] = [];
  const retention = createRetention({
    ...from(world, clock, logger),
    logDays: 30,
    historyDays: 90,
    onDeleted: (collection, count) => void deleted.push([collection, count]),
  });
  await retention.start();
  clock.advance(60_000);
  await eventually(async () => (await log.count(eq('chargerId', 'A'))) === 2);
  await eventually(async () => (await states.count(eq('chargerId', 'A'))) === 3);
  await eventually(async () => (await claims.find(claimed)).length === 1);
  const page = { page: 1, limit: 10, sortKey: 'at', sortDescending: false } as const;
  await eventually(async () => (await attempts.list({}, page)).items.length === 1);
  await eventually(async () => (await commands.find('1.5')) === undefined);
  expect(await commands.find('0.5')).toBeDefined();
  await retention.stop();
  const counts = { ocppLog: 2, stateChanges: 1, tagClaims: 1, connectionAttempts: 1, commands: 1 };
  expect(Object.fromEntries(deleted as [string, number][])).toEqual(counts);
  const [line] = logger.lines.filter(({ level }) => level === 'info');
  expect(line).toMatchObject({ fields: { deleted: counts }, message: 'deleted rows past their retention' });
  await world.close();
});

it.each([
  ['the OCPP log', { logDays: 100, historyDays: 30 }],
  ['the history', { logDays: 30, historyDays: 100 }],
])(
  'deletes dead letters older than %s, where that is retained longer, and counts and logs them once a run',
  async (_what, days) => {
    const world = await openWorld();
    const clock = createFakeClock(new Date('2026-06-01T00:00:00.000Z'));
    const letters = createDeadLetterStore(world.platform.store);
    const kept = async () => (await letters.list(10_000)).map(({ deadLetterId }) => deadLetterId);
    const at = (ago: number) => new Date(clock.now().getTime() - ago * 86_400_000).toISOString();
    const letter = { chargerId: 'A', action: 'MeterValues', reason: 'no such field', report: '{}' };
    for (const ago of [1, 99, 101]) await letters.insert({ ...letter, deadLetterId: String(ago), at: at(ago) });
    // More than one step deletes.
    const old = Array.from({ length: 600 }, (_each, i) => ({
      ...letter,
      deadLetterId: `old-${String(i)}`,
      at: at(200),
    }));
    await Promise.all(old.map((each) => letters.insert(each)));
    const logger = createRecordingLogger();
    const counted: number[] = [];
    const retention = createRetention({
      ...from(world, clock, logger),
      ...days,
      onDeadLettersExpired: (count) => counted.push(count),
    });
    await retention.start();
    clock.advance(60_000);
    await eventually(async () => (await letters.count()) === 2);
    await retention.stop();
    expect(await kept()).toEqual(['99', '1']);
    expect(counted).toEqual([500, 101]);
    expect(logger.lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { fields: { deadLetters: 601, days: 100 } },
    ]);
    await world.close();
  },
);

it('logs the deleted dead letters also when the store becomes unavailable meanwhile', async () => {
  const world = await openWorld();
  const clock = createFakeClock(new Date('2026-06-01T00:00:00.000Z'));
  const logger = createRecordingLogger();
  const left = [3];
  const given = from(world, clock, logger);
  const store = {
    ...given.store,
    pruneDeadLetters: () => {
      const count = left.shift();
      return count === undefined ? Promise.reject(new Error('the store is unavailable')) : Promise.resolve(count);
    },
  };
  const retention = createRetention({
    ...given,
    store,
    logDays: 30,
    historyDays: 90,
  });
  await retention.start();
  clock.advance(60_000);
  await eventually(() => logger.lines.some(({ level }) => level === 'warn'));
  await retention.stop();
  expect(logger.lines.filter(({ level }) => level === 'warn')).toMatchObject([{ fields: { deadLetters: 3 } }]);
  await world.close();
});

it('deletes gateways that have been dead for ninety days', async () => {
  const world = await openWorld();
  const clock = createFakeClock(new Date('2026-06-01T00:00:00.000Z'));
  const presence = createPresenceStore(world.platform.store);
  for (const ago of [1, 89, 91]) {
    await presence.markDead(String(ago), new Date(clock.now().getTime() - ago * 86_400_000).toISOString());
  }
  const retention = createRetention({
    ...from(world, clock, createRecordingLogger()),
    logDays: 1,
    historyDays: 1,
  });
  await retention.start();
  clock.advance(60_000);
  await eventually(async () => !(await presence.isDead('91')));
  await retention.stop();
  for (const id of ['1', '89']) expect(await presence.isDead(id)).toBe(true);
  await world.close();
});

it('deletes ended sessions by the receipt of their start and by their end, and never one in progress', async () => {
  const world = await openWorld();
  const clock = createFakeClock(new Date('2036-06-01T00:00:00.000Z'));
  const at = (ago: number): string => new Date(clock.now().getTime() - ago * 86_400_000).toISOString();
  const sessions = world.platform.store.collection(collections.sessions);
  let last = 0;
  const add = (sessionId: string, row: object) =>
    sessions.insert({ _id: sessionId, sessionId, transactionId: ++last, ...row } as never);
  await add('old', { state: 'ended', startTime: at(400), recordedAt: at(400), endTime: at(399) });
  await add('young', { state: 'ended', startTime: at(2), recordedAt: at(2), endTime: at(1) });
  await add('long', { state: 'ended', startTime: at(500), recordedAt: at(500), endTime: at(1) });
  await add('wrong clock', { state: 'ended', startTime: at(5000), recordedAt: at(2), endTime: at(5000) });
  await add('stop lost', { state: 'superseded', startTime: at(400), recordedAt: at(400), endTime: null });
  await add('young, stop lost', { state: 'superseded', startTime: at(2), recordedAt: at(2), endTime: null });
  await add('in progress', { state: 'ongoing', startTime: at(4000), recordedAt: at(4000), endTime: null });
  const given = from(world, clock, createRecordingLogger());
  const retention = createRetention({ ...given, logDays: 1, historyDays: 1, sessionDays: 365 });
  await retention.start();
  clock.advance(60_000);
  await eventually(async () => (await sessions.count(and())) === 5);
  await retention.stop();
  const left = (await sessions.find(and())).map(({ sessionId }) => sessionId);
  expect(left.toSorted()).toEqual(['in progress', 'long', 'wrong clock', 'young', 'young, stop lost']);
  await world.close();
});

it('deletes API keys that were revoked longer ago than the history, but not the one of BOOTSTRAP_API_KEY', async () => {
  const world = await openWorld();
  const clock = createFakeClock(new Date('2026-06-01T00:00:00.000Z'));
  const { apiKeys } = world.platform.records;
  const at = (ago: number): string => new Date(clock.now().getTime() - ago * 86_400_000).toISOString();
  const rest = { clientId: 'c', permissions: [], expiresAt: null, createdAt: at(500), lastUsedAt: null };
  const kept = [
    { keyId: 'used', name: 'k', revokedAt: null },
    { keyId: 'revoked lately', name: 'k', revokedAt: at(89) },
    { keyId: 'bootstrap', name: BOOTSTRAP_KEY_NAME, revokedAt: at(400) },
  ];
  for (const key of [...kept, { keyId: 'old', name: 'k', revokedAt: at(91) }])
    await apiKeys.insert({ ...rest, ...key, hash: key.keyId });
  const given = from(world, clock, createRecordingLogger());
  const retention = createRetention({ ...given, logDays: 1, historyDays: 90 });
  await retention.start();
  clock.advance(60_000);
  await eventually(async () => (await apiKeys.findByHash('old')) === undefined);
  await retention.stop();
  for (const { keyId } of kept) expect(await apiKeys.findByHash(keyId)).toMatchObject({ keyId });
  await world.close();
});

it('deletes pages of the feed that are older than a part of a day, but not the last of a client and partition', async () => {
  const world = await openWorld();
  const clock = createFakeClock(new Date('2026-06-01T00:00:00.000Z'));
  const pages = world.platform.store.collection(collections.feedPages);
  const insert = async (page: number, hoursAgo: number, clientId = 'c'): Promise<void> => {
    const at = new Date(clock.now().getTime() - hoursAgo * 3_600_000).toISOString();
    const id = { clientId, partition: 0, page };
    await pages.insert({ _id: feedPageKey(id), ...id, at, highest: '{}', count: 0, events: '[]' });
  };
  for (const [page, hoursAgo] of [14, 13, 11].entries()) await insert(page + 1, hoursAgo);
  await insert(1, 500, 'silent');
  const given = from(world, clock, createRecordingLogger());
  const retention = createRetention({ ...given, logDays: 1, historyDays: 1, eventDays: 0.5 });
  await retention.start();
  clock.advance(60_000);
  await eventually(async () => (await pages.count(and())) === 2);
  await retention.stop();
  const left = (await pages.find(and())).map(({ clientId, page }) => [clientId, page]);
  expect(left.toSorted()).toEqual([
    ['c', 3],
    ['silent', 1],
  ]);
  await world.close();
});

it('deletes delivery attempts after their days, and events that were not delivered after thirty', async () => {
  const world = await openWorld();
  const clock = createFakeClock(new Date('2026-06-01T00:00:00.000Z'));
  const { webhooks, deliveryLog, deadDeliveries } = world.platform.records;
  const now = clock.now().getTime();
  const msAgo = (days: number) => now - days * 86_400_000;
  const timestamp = (days: number) => new Date(msAgo(days)).toISOString();
  await webhooks.insert(newWebhook());
  await deliveryLog.append([2, 4].map((days) => newAttempt({ id: createId(msAgo(days)), at: timestamp(days) })));
  for (const days of [29, 31]) {
    await deadDeliveries.insert(newDeadDelivery({ eventId: String(days), parkedAt: timestamp(days) }));
  }
  const retention = createRetention({ ...from(world, clock, createRecordingLogger()), logDays: 30, historyDays: 90 });
  await retention.start();
  clock.advance(60_000);
  await eventually(async () => (await deadDeliveries.count('wh_1')) === 1);
  await retention.stop();
  const page = { page: 1, limit: 10, sortDescending: true } as const;
  const attempts = await deliveryLog.list('wh_1', {}, { ...page, sortKey: 'at' });
  expect(attempts.items.map(({ at }) => at)).toEqual([timestamp(2)]);
  const dead = await deadDeliveries.list('wh_1', { ...page, sortKey: 'parkedAt' });
  expect(dead.items.map(({ eventId }) => eventId)).toEqual(['29']);
  await world.close();
});

it('loses two minutes of rows a minute at most when it starts with a clock that is 200 days ahead', async () => {
  const world = await openWorld();
  const real = createFakeClock(new Date('2026-06-01T00:00:00.000Z'));
  const rows = [collections.ocppLog, collections.stateChanges, collections.meterValues].map((definition) =>
    world.platform.store.collection<Document>(definition as never),
  );
  const add = async (at: Date): Promise<void> => {
    const _id = createId(at.getTime());
    for (const each of rows) await each.insert({ _id, receivedAt: at.toISOString() } as Document);
  };
  const counts = (): Promise<number[]> => Promise.all(rows.map((each) => each.count(and())));
  for (let day = 0; day < 29; day += 1) await add(new Date(real.now().getTime() - day * 86_400_000));
  const ahead = { ...real, now: () => new Date(real.now().getTime() + 200 * 86_400_000) };
  for (const clock of [real, ahead]) {
    let rounds = 0;
    const given = from(world, clock, createRecordingLogger());
    const prune: RetentionStore['prune'] = async (...args) => {
      const deleted = await given.store.prune(...args);
      if (Object.values(deleted).every((count) => count === 0)) rounds += 1;
      return deleted;
    };
    const retention = createRetention({ ...given, store: { ...given.store, prune }, logDays: 30, historyDays: 30 });
    await retention.start();
    for (let minute = 1; minute <= 10; minute += 1) {
      // Chargers report continuously, and their rows carry the time of the same clock.
      await add(clock.now());
      real.advance(60_000);
      await eventually(() => rounds === minute);
    }
    await retention.stop();
  }
  expect(await counts()).toEqual([29 + 20, 29 + 20, 29 + 20]);
  await world.close();
});

function from({ platform }: ChargerStateWorld, clock: Clock, logger: Logger) {
  const store = createRetentionStore(platform.store);
  const horizon = createRetentionHorizon({ store, clock, logger, otherClocks: () => [] });
  return {
    store,
    horizon,
    clock,
    logger,
    sessionDays: 3650,
    feed: createFeedRetention(platform.store),
    eventDays: 7,
    deliveryLogDays: 3,
    onDeadLettersExpired: () => undefined,
    onDeleted: () => undefined,
  };
}
