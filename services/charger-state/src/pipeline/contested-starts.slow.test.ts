// One tag at many chargers at the same time (rule 61). Their messages are in different partitions, whose batches are
// independent of each other.
import { partitionOf, type ReportEnvelope } from '@busbar/contracts';
import { createId } from '@busbar/core';
import fc from 'fast-check';
import { createRouter } from '../handlers/router';
import { createV16Routes } from '../handlers/v16/routes';
import { createMemoryStores, type MemoryStores } from '../testing/memory-stores';
import { openWorld, PARTITIONS } from '../testing/open-world';
import { newReport } from '../testing/report';
import { applyBatch, type ApplyBatchDeps } from './apply';
import { createPartitionCaches } from './charger-cache';
import { createPendingSideEffects } from './pending-side-effects';
import { createCountedStarts } from './transaction-ids';

const AT = '2026-01-01T12:00:00.000Z';
const CHARGERS = ['a', 'b', 'c', 'd'];

function startOf(chargerId: string, seq: number): ReportEnvelope {
  const payload = { connectorId: 1, idTag: 'T', meterStart: seq, timestamp: AT };
  const id = `${chargerId}${String(seq)}`;
  return newReport({ id, chargerId, seq, action: 'StartTransaction', payload, receivedAt: AT });
}

/** The stores with a wait before every call; the scheduler ends the waits in its own order. */
function slowed(stores: MemoryStores, scheduler: fc.Scheduler): ApplyBatchDeps {
  const slow = <T extends object>(port: T): T =>
    new Proxy(port, {
      get(target, name: string & keyof T) {
        const method = target[name];
        if (typeof method !== 'function') return method;
        return async (...args: unknown[]): Promise<unknown> => {
          await scheduler.schedule(Promise.resolve(), name);
          return Reflect.apply(method, target, args) as unknown;
        };
      },
    });
  const reports = slow(stores.reports);
  const { clients, tags } = stores;
  return {
    reports,
    claims: slow(stores.claims),
    sources: { reports, clients, tags, sessions: slow(stores.sessions), countedStarts: createCountedStarts() },
    cache: createPartitionCaches(10).of(0),
    sideEffects: createPendingSideEffects(),
    route: createRouter({ 'ocpp1.6': createV16Routes() }),
    heartbeatIntervalS: 300,
    isDeadGateway: () => false,
    now: () => new Date(AT),
  };
}

it('61. accepts one tag at one of many chargers at the same time, in any order of store calls', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.boolean(), async (scheduler, twice) => {
      const stores = createMemoryStores();
      for (const chargerId of CHARGERS) stores.register(chargerId);
      // As if a replica were paused while another took over its batch.
      const replicas = twice ? [slowed(stores, scheduler), slowed(stores, scheduler)] : [slowed(stores, scheduler)];
      const answers = new Map<string, Set<string>>();
      const runs = replicas.flatMap((deps) =>
        CHARGERS.map(async (chargerId) => {
          const [applied] = await applyBatch([startOf(chargerId, 1)], deps);
          answers.set(chargerId, (answers.get(chargerId) ?? new Set()).add(JSON.stringify(applied?.answer)));
        }),
      );
      await scheduler.waitFor(Promise.all(runs));
      // Each gets one answer, and the same answer to a repeated start.
      for (const chargerId of CHARGERS) {
        const [applied] = await scheduler.waitFor(applyBatch([startOf(chargerId, 1)], slowed(stores, scheduler)));
        expect([...(answers.get(chargerId) ?? [])]).toEqual([JSON.stringify(applied?.answer)]);
      }
      const accepted = [...answers.values()].filter((each) => [...each][0]?.includes('Accepted'));
      expect(accepted).toHaveLength(1);
      const verdicts = [...stores.startedSessions.values()].map(({ verdict }) => verdict);
      expect(verdicts.sort()).toEqual(['accepted', 'in_use', 'in_use', 'in_use']);
    }),
    { numRuns: 300 },
  );
}, 60_000);

it('61. accepts one tag once at 12 chargers of several partitions at the same time, repeatedly', async () => {
  const world = await openWorld();
  const { clients, chargers } = world.platform.records;
  const clientId = createId();
  await clients.insert({ clientId, name: 'open', openCharging: true, createdAt: AT });
  const registered = await Promise.all(Array.from({ length: 12 }, () => world.register()));
  const own = registered.map((each) => ({ ...each, chargerId: createId(), incarnationId: createId(), clientId }));
  for (const charger of own) await chargers.insert(charger);
  expect(new Set(own.map(({ chargerId }) => partitionOf(chargerId, PARTITIONS))).size).toBeGreaterThan(1);
  const connections = await Promise.all(own.map((charger) => world.connect(charger)));
  for (let round = 0; round < 5; round += 1) {
    const timestamp = new Date().toISOString();
    const start = { connectorId: 1, idTag: `Round${String(round)}`, meterStart: round, timestamp };
    const answers = await Promise.all(connections.map((connection) => connection.ask('StartTransaction', start)));
    const statuses = answers.map(({ idTagInfo }) => (idTagInfo as { status: string }).status);
    expect(statuses.sort()).toEqual(['Accepted', ...Array.from({ length: 11 }, () => 'ConcurrentTx')]);
    expect(new Set(answers.map(({ transactionId }) => transactionId)).size).toBe(12);
    const again = await Promise.all(connections.map((connection) => connection.ask('StartTransaction', start)));
    expect(again).toEqual(answers);
  }
  const sessions = await Promise.all(own.map((charger) => world.sessions(charger)));
  const verdicts = sessions.flat().map(({ verdict }) => verdict);
  expect(verdicts.filter((verdict) => verdict === 'accepted')).toHaveLength(5);
  // The log contains the answer.
  const log = (await Promise.all(own.map((charger) => world.log(charger)))).flat();
  expect(log.filter(({ response }) => response.includes('"Accepted"'))).toHaveLength(10);
  await world.close();
});
