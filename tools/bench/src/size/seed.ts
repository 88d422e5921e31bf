import { systemClock } from '@busbar/core';
import { type Records } from '@busbar/domain';
import { noRows, type ReportRows, type ReportStore } from '@busbar/domain/reports';
import { createNetwork, TAGS } from './network';
import type { Scale } from './scale';

const CONCURRENCY = 500;
/** Batches in flight, so that the store always has the next one. */
const UNDER_WAY = 8;

export interface SeedDeps {
  readonly records: Records;
  readonly reports: ReportStore;
  readonly clientId: string;
  /** Hears of progress now and then. */
  readonly print: (line: string) => void;
}

/** Fills an empty store through the product's own writers. */
export async function seed({ records, reports, clientId, print }: SeedDeps, scale: Scale): Promise<void> {
  const network = createNetwork(clientId, scale, systemClock);
  const rows = (count: number, what: string, add: (into: ReportRows, n: number) => void) =>
    inBatches(count, { what, print }, async (from, to) => {
      const batch = noRows();
      for (let n = from; n < to; n += 1) add(batch, n + 1);
      await reports.write(batch, []);
    });
  await inBatches(scale.sites, { what: 'sites', print }, async (from, to) => {
    await Promise.all(range(from, to).map((n) => records.sites.insert(network.site(n + 1))));
  });
  // The service continues where these end.
  await takeNumbers(scale.sites, () => records.sites.nextId());
  await inBatches(scale.chargers, { what: 'chargers', print }, async (from, to) => {
    await Promise.all(range(from, to).map((n) => records.chargers.insert(network.charger(n))));
  });
  await inBatches(TAGS, { what: 'tags', print }, async (from, to) => {
    await Promise.all(range(from, to).map((n) => records.tags.put(network.tag(n))));
  });
  await rows(scale.sessions, 'sessions', (into, n) => into.sessions.push(network.session(n)));
  await reports.takeTransactionIds(scale.sessions + 1);
  await rows(scale.stateChanges, 'state changes', (into, n) => into.stateChanges.push(network.stateChange(n)));
  await rows(scale.curvePoints ?? 0, 'meter values', (into, n) => into.meterValues.push(network.meterValue(n)));
  await rows(scale.logRows, 'log rows', (into, n) => into.log.push(network.logRow(n)));
}

async function takeNumbers(count: number, take: () => Promise<unknown>): Promise<void> {
  for (let from = 0; from < count; from += CONCURRENCY) {
    await Promise.all(range(from, Math.min(count, from + CONCURRENCY)).map(take));
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

async function inBatches(
  count: number,
  { what, print }: { readonly what: string; readonly print: (line: string) => void },
  write: (from: number, to: number) => Promise<void>,
): Promise<void> {
  const startMs = performance.now();
  let next = 0;
  let reportedPart = 0;
  const work = async (): Promise<void> => {
    for (let from = next; from < count; from = next) {
      next = Math.min(count, from + CONCURRENCY);
      await write(from, next);
      const part = Math.floor((next / count) * 10);
      if (part > reportedPart && count > 1_000_000)
        print(`  ${String(part * 10)} % of ${count.toLocaleString('en')} ${what}`);
      reportedPart = Math.max(reportedPart, part);
    }
  };
  await Promise.all(Array.from({ length: UNDER_WAY }, work));
  const seconds = (performance.now() - startMs) / 1_000;
  print(`${count.toLocaleString('en')} ${what} in ${seconds.toFixed(0)} s`);
}
