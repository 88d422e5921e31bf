// One episode: a new fleet under load, a fault and its end, then the comparison with the store, and with what readers of the feed and a
// receiver of webhooks got.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { supportedVersions } from '@busbar/ocpp';
import { eventually } from '@busbar/testing';
import type { Store } from '@busbar/store';
import type { Load } from './charger-life';
import type { Pausable } from './fault';
import type { Api, Fleet } from './fleet';
import { startFleet } from './fleet';
import { watchEvents, type EventWatch } from './event-watch';
import type { FeedSource } from './feed-followers';
import { watchLapses, type CountingProgram } from './lapses';
import { sumOf, type Ledger } from './ledger';
import type { Random } from './random';
import { watchRecords, type RecordWatch } from './record-watch';
import { differences } from './stored';
import { connectionsAreTrue } from './truth';

export interface EpisodeWorld {
  readonly api: Api;
  readonly addresses: () => readonly string[];
  /** Reads the store itself: beside the service where that can be, else while the service is down for it. */
  readonly withStore: <T>(read: (store: Store) => Promise<T>) => Promise<T>;
  /** The programs that apply the reports that wait in queues, where that is another than who answers them. */
  readonly consumers: () => readonly Pausable[];
  /** The programs that count the leases of gateways. */
  readonly counters: () => readonly CountingProgram[];
  /** The ledgers of all episodes on this store: the statistics are about all of them. */
  readonly ledgers: Ledger[];
  /** Where events are read, and webhooks to this machine are possible. Absent: events are not watched. */
  readonly events?: FeedSource | undefined;
}

export interface EpisodeOptions {
  readonly random: Random;
  readonly size?: number;
  readonly paceMs?: number;
  readonly load?: Load;
  /** Breaks something and mends it; resolves when everything is there again. */
  readonly fault: (fleet: Fleet) => Promise<void>;
  /** Messages answered before the fault begins, and before the account is made up. */
  readonly messages?: number;
  /** It breaks no gateway and no charger's connection: nobody who keeps its socket may be shown disconnected meanwhile. */
  readonly disconnectsNobody?: boolean;
}

const STORED_WITHIN_MS = 60_000;
const ANSWERED_WITHIN_MS = 60_000;
/** The one process delivers after the load what it could not beside it. */
const DELIVERED_WITHIN_MS = 120_000;

/** Times at which the readers of events and the receiver are cut off, from the begin of the fault. */
const CUTS = 3;
const CUT_WITHIN_MS = 5_000;

/** Rejects with what was not so. */
export async function runEpisode(world: EpisodeWorld, options: EpisodeOptions): Promise<void> {
  const { events } = world;
  const disturbances = options.random.fork();
  const watch = events === undefined ? undefined : await eventually(() => watchEvents(events, disturbances));
  const fault: EpisodeOptions['fault'] = async (fleet) => {
    const cuts = Array.from({ length: CUTS }, () => setTimeout(() => watch?.cut(), disturbances.below(CUT_WITHIN_MS)));
    await options.fault(fleet);
    for (const each of cuts) clearTimeout(each);
    watch?.cut();
  };
  try {
    const ledgers = await runFleet(world, { ...options, fault });
    if (watch !== undefined) await eventsAreRight(watch, ledgers);
  } finally {
    await watch?.stop();
  }
}

/** Gives the ledgers of its chargers, which have disconnected. */
async function runFleet(world: EpisodeWorld, options: EpisodeOptions): Promise<readonly Ledger[]> {
  const { api } = world;
  const { random, fault, size = 30, paceMs = 100, messages = 10 * size, load = 'sessions' } = options;
  const fleet = await startFleet(api, {
    size,
    paceMs,
    load,
    random,
    addresses: world.addresses,
    versions: supportedVersions(),
  });
  world.ledgers.push(...fleet.chargers.map(({ ledger }) => ledger));
  const watch = watchRecords(api, fleet);
  try {
    await answers(fleet, messages);
    const isHeld = options.disconnectsNobody === true ? await holdSteady(world, watch) : undefined;
    fleet.setDirty(random);
    await fault(fleet);
    fleet.calm();
    await connectionsAreTrue(api, fleet);
    fleet.busy();
    await answers(fleet, messages);
    await fleet.becomeSilent();
    await isHeld?.();
    await accountIsRight(world, fleet);
  } finally {
    const seen = await watch.stop();
    await fleet.stop();
    expect(seen.slice(0, 20)).toEqual([]);
  }
  await connectionsAreTrue(api, fleet);
  return fleet.chargers.map(({ ledger }) => ledger);
}

async function eventsAreRight(watch: EventWatch, ledgers: readonly Ledger[]): Promise<void> {
  let wrong: readonly string[] = [];
  await eventually(() => {
    wrong = watch.differences(ledgers);
    return wrong.length === 0;
  }, DELIVERED_WITHIN_MS).catch((error: unknown) => {
    if (wrong.length === 0) throw error;
  });
  expect(wrong.slice(0, 20)).toEqual([]);
}

/** Gives what rejects where a gateway was declared dead since, or nobody kept its socket so that nothing was seen. */
async function holdSteady({ counters }: EpisodeWorld, watch: RecordWatch): Promise<() => Promise<void>> {
  await watch.holdSteady();
  const lapses = await watchLapses(counters);
  return async () => {
    expect({ lapsedGateways: await lapses() }).toEqual({ lapsedGateways: 0 });
    expect(watch.steady()).toBeGreaterThan(0);
  };
}

interface Written {
  readonly name: string;
  /** Everything that it wrote. */
  output(): string;
}

/** Keeps the output of the processes when an episode fails: it shows the cause. */
export async function explained(processes: () => readonly Written[], episode: Promise<void>): Promise<void> {
  try {
    await episode;
  } catch (error) {
    const directory = mkdtempSync(join(tmpdir(), 'busbar-fault-logs-'));
    for (const { name, output } of processes()) {
      writeFileSync(join(directory, `${name.replace(' ', '-')}.log`), output());
    }
    process.stdout.write(`what the processes wrote: ${directory}\n`);
    throw error;
  }
}

/** The service continues answering. */
async function answers(fleet: Fleet, count: number): Promise<void> {
  const before = fleet.answered();
  await eventually(() => fleet.answered() >= before + count, ANSWERED_WITHIN_MS);
}

async function accountIsRight({ withStore, ledgers, api }: EpisodeWorld, fleet: Fleet): Promise<void> {
  let wrong: readonly string[] = [];
  await eventually(async () => {
    const ledgers = fleet.chargers.map(({ ledger }) => ledger);
    wrong = await withStore((store) => differences(store, ledgers));
    return wrong.length === 0;
  }, STORED_WITHIN_MS).catch((error: unknown) => {
    if (wrong.length === 0) throw error;
  });
  expect(wrong.slice(0, 20)).toEqual([]);
  const statistics = await eventually(() => api.statistics());
  expect(statistics).toMatchObject({ ...sumOf(ledgers, String(statistics['generatedAt']).slice(0, 10)) });
}
