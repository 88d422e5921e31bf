// Chargers under load at the release, and the account of what a disruption did to them and to clients of the APIs.
import { eventually } from '@busbar/testing';
import { brokenPromises, watchDisruption, type Disruption } from '../faults/disruption';
import { startFleet, type Fleet } from '../faults/fleet';
import { createRandom, seedOfRun } from '../faults/random';
import { differences } from '../faults/stored';
import { connectionsAreTrue } from '../faults/truth';
import { http } from '../harness/http';
import { readMetric } from '../harness/metrics';
import { DRAIN_S, isReady, type Read, type Release } from './release';
import { explain, report, type World } from './world';

export interface LoadOptions {
  /** Begins and ends the disruption; resolves when all is there again. */
  readonly disrupt: (fleet: Fleet) => Promise<unknown>;
  /** Undefined for an accident: then chargers and clients may notice it. */
  readonly planned?: Planned;
}

export interface Planned {
  /** The most gateways that stop at the same time; none: no charger may lose its socket. */
  readonly stoppingGateways: number;
}

/** CLUSTER_CHARGERS has another number: what a machine carries beside the cluster depends on what else it does. */
export const CHARGERS = Number(process.env['CLUSTER_CHARGERS'] ?? (process.env['CLUSTER_ALL'] === '1' ? '600' : '100'));
const GROUP_SIZE = 50;
const PACE_MS = 1_000;
const CLOSE_CODE = 1001;
const SAMPLE_MS = 1_000;
const READ_EVERY_MS = 250;
const READ_MS = 30_000;
const WITHIN_MS = 120_000;

/**
 * Chargers send a status a second each, a fifth of them in a session, while this happens. Afterwards everything that was answered is
 * stored once, and the API says of each charger what is so. Gives what the chargers saw.
 */
export async function underLoad(
  { cluster, release, withStore }: Pick<World, 'cluster' | 'release' | 'withStore'>,
  { disrupt, planned }: LoadOptions,
): Promise<Disruption> {
  const random = createRandom(seedOfRun());
  const addresses = (): string[] => [release.chargerAddress];
  const pace = { groupSize: GROUP_SIZE, paceMs: PACE_MS, load: 'steady' } as const;
  const fleet = await startFleet(release.v2, { size: CHARGERS, random, addresses, ...pace }).catch(
    async (error: unknown) => {
      await explain(cluster);
      throw error;
    },
  );
  report(`${String(CHARGERS)} chargers are connected`);
  try {
    await answers(fleet, CHARGERS);
    const gateways = watchGateways(release);
    const requests = watchReads(release.reads);
    const happened = watchDisruption(fleet);
    await disrupt(fleet);
    await answers(fleet, CHARGERS);
    const disruption = happened();
    const [sockets, reads] = [await gateways(), await requests()];
    report(`${summaryOf(disruption)}; at most ${String(sockets)} sockets of one gateway; ${readsOf(reads)}`);
    await fleet.settle();
    await connectionsAreTrue(release.v2, fleet);
    await everythingIsStored(withStore, fleet);
    if (planned !== undefined) {
      const promised = { code: CLOSE_CODE, drainS: DRAIN_S, sockets: sockets * planned.stoppingGateways };
      expect(brokenPromises(disruption, promised)).toEqual([]);
      expect(reads.failed).toEqual([]);
    }
    return disruption;
  } finally {
    await fleet.stop();
  }
}

async function everythingIsStored(withStore: World['withStore'], { chargers }: Fleet): Promise<void> {
  const ledgers = chargers.map(({ ledger }) => ledger);
  await withStore((store) =>
    eventually(async () => {
      expect((await differences(store, ledgers)).slice(0, 20)).toEqual([]);
      return true;
    }, WITHIN_MS),
  );
}

async function answers(fleet: Fleet, count: number): Promise<void> {
  const before = fleet.answered();
  await eventually(() => fleet.answered() >= before + count, WITHIN_MS);
}

/** Gives, at the end, the most sockets that one gateway had meanwhile. */
function watchGateways(release: Release): () => Promise<number> {
  let most = 0;
  const end = repeat(SAMPLE_MS, async () => {
    for (const pod of (await release.pods('gateway')).filter(isReady)) {
      const page = await http(`http://${pod.status.podIP ?? ''}:9090/metrics`, { withinMs: READ_MS });
      most = Math.max(most, readMetric(page.text, 'busbar_gateway_connections') || 0);
    }
  });
  return async () => {
    await end();
    return most;
  };
}

interface Reads {
  readonly succeeded: number;
  /** Why, each time. */
  readonly failed: readonly string[];
}

/** Reads through the Services as clients do that open a connection for each. */
function watchReads(reads: readonly Read[]): () => Promise<Reads> {
  let succeeded = 0;
  const failed: string[] = [];
  const ends = reads.map(({ url, headers }) =>
    repeat(READ_EVERY_MS, async () => {
      const { pathname } = new URL(url);
      const outcome = await http(url, { headers, withinMs: READ_MS }).then(
        ({ status }) => (status === 200 ? undefined : `gave ${String(status)}`),
        (error: unknown) => `failed: ${String(error)}`,
      );
      if (outcome === undefined) succeeded += 1;
      else failed.push(`${pathname} ${outcome}`);
    }),
  );
  return async () => {
    await Promise.all(ends.map((end) => end()));
    return { succeeded, failed };
  };
}

/** Until the function that it gives is called, which resolves when the last time has ended. */
function repeat(everyMs: number, task: () => Promise<void>): () => Promise<void> {
  const end = new AbortController();
  const repeating = (async () => {
    while (!end.signal.aborted) {
      // A pod that ends while it is asked has said what it had before.
      await task().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  })();
  return async () => {
    end.abort();
    await repeating;
  };
}

function readsOf({ succeeded, failed }: Reads): string {
  const reasons = [...new Set(failed)].slice(0, 3).join(', ');
  return `${String(succeeded)} reads, ${String(failed.length)} failed${reasons === '' ? '' : ` (${reasons})`}`;
}

function summaryOf({ closes, failedOpens, refused, unanswered, answered }: Disruption): string {
  const all = [...closes.values()].flat();
  const codes = [...new Set(all.map(({ code }) => code))].join(', ') || 'none';
  const reasons = [...new Set(failedOpens)].slice(0, 3).join(', ');
  return [
    `${String(answered)} answered, ${String(refused)} with an error, ${String(unanswered)} without an answer`,
    `${String(all.length)} closes (${codes}) of ${String(closes.size)} chargers`,
    `${String(failedOpens.length)} failed connections${reasons === '' ? '' : ` (${reasons})`}`,
  ].join(', ');
}
