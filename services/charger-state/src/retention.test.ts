import { createId } from '@busbar/core';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import { createRetentionStore, createTagClaimStore, eq, logCollection, stateChangesCollection } from '@busbar/store';
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
  const retention = createRetention({ store, clock, logger: createRecordingLogger(), logDays: 30, historyDays: 90 });
  await retention.start();
  clock.advance(60_000);
  await eventually(async () => (await log.count(eq('chargerId', 'A'))) === 2);
  await eventually(async () => (await states.count(eq('chargerId', 'A'))) === 3);
  await eventually(async () => (await claims.find(claimed)).length === 1);
  await retention.stop();
  await world.close();
});
