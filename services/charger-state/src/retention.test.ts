import { createId } from '@busbar/core';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import {
  createDeadLetterStore,
  createPresenceStore,
  createRetentionStore,
  createTagClaimStore,
  eq,
  logCollection,
  stateChangesCollection,
} from '@busbar/store';
import { createRetention } from './retention';
import { openWorld } from './testing/open-world';

it('deletes what is older than its retention, and nothing else', async () => {
  const world = await openWorld();
  const now = new Date('2026-06-01T00:00:00.000Z');
  const daysAgo = (days: number) => now.getTime() - days * 86_400_000;
  const log = world.platform.store.collection(logCollection);
  const states = world.platform.store.collection(stateChangesCollection);
  const claims = createTagClaimStore(world.platform.store);
  const claimed = [0.5, 1.5].map((days) => ({ clientId: 'c', idTagKey: String(days), days }));
  for (const { days, ...tag } of claimed) {
    const claim = { ...tag, sessionId: 's', at: new Date(daysAgo(days)).toISOString() };
    await claims.take([{ claim, insteadOf: undefined }]);
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
  const store = createRetentionStore(world.platform.store);
  const retention = createRetention({
    ...{ store, clock, logger: createRecordingLogger(), logDays: 30, historyDays: 90 },
    onDeadLettersExpired: () => undefined,
  });
  await retention.start();
  clock.advance(60_000);
  await eventually(async () => (await log.count(eq('chargerId', 'A'))) === 2);
  await eventually(async () => (await states.count(eq('chargerId', 'A'))) === 3);
  await eventually(async () => (await claims.find(claimed)).length === 1);
  await retention.stop();
  await world.close();
});

it.each([
  ['the OCPP log', { logDays: 100, historyDays: 30 }],
  ['the history', { logDays: 30, historyDays: 100 }],
])(
  'deletes dead letters that are older than %s, where that is kept longer: counted, and said once in a round',
  async (_what, days) => {
    const world = await openWorld();
    const clock = createFakeClock(new Date('2026-06-01T00:00:00.000Z'));
    const letters = createDeadLetterStore(world.platform.store);
    const kept = async () => (await letters.list(10_000)).map(({ deadLetterId }) => deadLetterId);
    const at = (ago: number) => new Date(clock.now().getTime() - ago * 86_400_000).toISOString();
    const letter = { chargerId: 'A', action: 'MeterValues', reason: 'no such field', report: '{}' };
    for (const ago of [1, 99, 101]) await letters.keep({ ...letter, deadLetterId: String(ago), at: at(ago) });
    // More than one step takes.
    const old = Array.from({ length: 600 }, (_each, i) => ({
      ...letter,
      deadLetterId: `old-${String(i)}`,
      at: at(200),
    }));
    await Promise.all(old.map((each) => letters.keep(each)));
    const logger = createRecordingLogger();
    const counted: number[] = [];
    const retention = createRetention({
      ...{ store: createRetentionStore(world.platform.store), clock, logger, ...days },
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

it('says what it deleted of the dead letters also when the store goes away in the middle', async () => {
  const world = await openWorld();
  const clock = createFakeClock(new Date('2026-06-01T00:00:00.000Z'));
  const logger = createRecordingLogger();
  const left = [3];
  const store = {
    ...createRetentionStore(world.platform.store),
    pruneDeadLetters: () => {
      const count = left.shift();
      return count === undefined ? Promise.reject(new Error('it is away')) : Promise.resolve(count);
    },
  };
  const retention = createRetention({
    ...{ store, clock, logger, logDays: 30, historyDays: 90, onDeadLettersExpired: () => undefined },
  });
  await retention.start();
  clock.advance(60_000);
  await eventually(() => logger.lines.some(({ level }) => level === 'warn'));
  await retention.stop();
  expect(logger.lines.filter(({ level }) => level === 'warn')).toMatchObject([{ fields: { deadLetters: 3 } }]);
  await world.close();
});

it('forgets gateways that have been dead for ninety days', async () => {
  const world = await openWorld();
  const clock = createFakeClock(new Date('2026-06-01T00:00:00.000Z'));
  const presence = createPresenceStore(world.platform.store);
  for (const ago of [1, 89, 91]) {
    await presence.markDead(String(ago), new Date(clock.now().getTime() - ago * 86_400_000).toISOString());
  }
  const retention = createRetention({
    ...{ store: createRetentionStore(world.platform.store), clock, logger: createRecordingLogger() },
    ...{ logDays: 1, historyDays: 1, onDeadLettersExpired: () => undefined },
  });
  await retention.start();
  clock.advance(60_000);
  await eventually(async () => !(await presence.isDead('91')));
  await retention.stop();
  for (const id of ['1', '89']) expect(await presence.isDead(id)).toBe(true);
  await world.close();
});
