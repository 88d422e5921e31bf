// The side effects of a new message start once, also when the store wrote and its response was lost.
import type { ReportEnvelope } from '@busbar/contracts';
import { AppError, isAppError } from '@busbar/core';
import type { ReportStore } from '@busbar/domain/reports';
import { createRouter } from '../handlers/router';
import { createV16Routes } from '../handlers/v16/routes';
import { createMemoryStores } from '../testing/memory-stores';
import { newReport } from '../testing/report';
import { applyBatch } from './apply';
import { createPartitionCaches } from './charger-cache';
import { createPartitionHandler } from './deliver';
import { createPendingSideEffects } from './pending-side-effects';
import { createCountedStarts } from './transaction-ids';

const AT = '2026-01-01T00:00:00.000Z';
const LOST = new AppError('unavailable', 'the answer was lost');

type Write = (done: ReportStore['write']) => ReportStore['write'];

interface Faults {
  /** The first writes; later ones succeed. */
  readonly writes?: readonly Write[];
  /** The number of dead letters that the broker does not accept. */
  readonly deadLettersUnavailableFor?: number;
}

function openReplica({ writes = [], deadLettersUnavailableFor = 0 }: Faults) {
  const stores = createMemoryStores();
  for (const chargerId of ['A', 'B']) stores.register(chargerId);
  const left = [...writes];
  let deadLettersUnavailable = deadLettersUnavailableFor;
  const reports: ReportStore = {
    ...stores.reports,
    write: (rows, changes) => (left.shift() ?? ((done) => done))(stores.reports.write)(rows, changes),
  };
  const followed: string[] = [];
  const deadLettered: string[] = [];
  const handle = createPartitionHandler({
    applyIn: (_partition, sideEffects) => (batch) =>
      applyBatch(batch, {
        reports,
        sideEffects,
        sources: { ...stores, reports, countedStarts: createCountedStarts() },
        claims: stores.claims,
        cache: createPartitionCaches(10).of(0),
        route: createRouter({ 'ocpp1.6': createV16Routes() }),
        heartbeatIntervalS: 300,
        isDeadGateway: () => false,
        now: () => new Date(AT),
      }),
    deadLetter({ id }) {
      deadLettersUnavailable -= 1;
      if (deadLettersUnavailable >= 0) return Promise.reject(LOST);
      deadLettered.push(id);
      return Promise.resolve();
    },
    deadLetterBody: () => Promise.resolve(),
    follow(applied) {
      for (const { report, isNew } of applied) if (isNew) followed.push(report.id);
    },
  });
  /** Redelivers until the batch is acknowledged, as the broker does. */
  const deliver = async (...batch: readonly ReportEnvelope[]): Promise<void> => {
    for (let tries = 0; tries < 10; tries += 1) {
      try {
        await handle([{ body: { reports: batch } }] as never, 0);
        return;
      } catch (error) {
        if (!isAppError(error, 'unavailable')) throw error;
      }
    }
    throw new Error('it was never acknowledged');
  };
  return { deliver, followed, deadLettered };
}

const lostAfter: Write = (done) => async (rows, changes) => {
  await done(rows, changes);
  throw LOST;
};
const lostBefore: Write = () => () => Promise.reject(LOST);
/** As where another replica had written one of the records: the others are stored. */
const overtaken: Write = (done) => async (rows, changes) => {
  await done(rows, changes);
  return 'conflict';
};
const asItShould: Write = (done) => done;

function envelope(chargerId: string, action: string, payload: unknown): ReportEnvelope {
  return newReport({ chargerId, seq: 2, action, payload, receivedAt: AT });
}

const boot = (chargerId: string) =>
  envelope(chargerId, 'BootNotification', { chargePointVendor: 'v', chargePointModel: 'm' });
/** No handler can apply it. */
const unreadable = (chargerId: string) => envelope(chargerId, 'MeterValues', { connectorId: 1, meterValue: null });

it.each([
  ['is stored by the first write', [asItShould]],
  ['is written and the answer is lost', [lostAfter]],
  ['is written and the store stays unavailable', [lostAfter, lostBefore, lostBefore]],
  ['is not written at first', [lostBefore, lostBefore]],
  ['is written in part and the second write fails', [overtaken, lostBefore]],
] as const)('follows a boot once that %s', async (_how, writes) => {
  const { deliver, followed } = openReplica({ writes });
  const [a, b] = [boot('A'), boot('B')];
  await deliver(a, b);
  expect(followed).toEqual([a.id, b.id]);
  await deliver(a, b);
  expect(followed).toEqual([a.id, b.id]);
});

it('follows a boot once in the stored half of a batch whose other half waits for the broker', async () => {
  const { deliver, followed, deadLettered } = openReplica({ deadLettersUnavailableFor: 2 });
  const [a, b] = [boot('A'), unreadable('B')];
  await deliver(a, b);
  expect(deadLettered).toEqual([b.id]);
  expect(followed).toEqual([a.id]);
});

it('evicts the oldest ids beyond its limit', () => {
  const sideEffects = createPendingSideEffects(2);
  sideEffects.retain(['1', '2', '3']);
  const applied = ['1', '2', '3'].map((id) => ({ report: { ...boot('A'), id }, charger: undefined, isNew: false }));
  expect(sideEffects.replay(applied, new Set()).map(({ isNew }) => isNew)).toEqual([false, true, true]);
  expect(sideEffects.replay(applied, new Set()).map(({ isNew }) => isNew)).toEqual([false, false, false]);
});
