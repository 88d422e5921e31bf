// Chargers under load at the release, and the account of what a disruption did to them.
import { eventually } from '@busbar/testing';
import { brokenPromises, watchDisruption, type Disruption } from '../faults/disruption';
import { startFleet, type Fleet } from '../faults/fleet';
import { createRandom, seedOfRun } from '../faults/random';
import { differences, openStore } from '../faults/stored';
import { connectionsAreTrue } from '../faults/truth';
import { readMetric } from '../harness/metrics';
import { http } from '../harness/http';
import { DRAIN_S, isReady, type Release } from './release';
import { explain, report, type World } from './world';

export interface LoadOptions {
  /** Begins and ends the disruption; resolves when all is there again. */
  readonly disrupt: (fleet: Fleet) => Promise<unknown>;
  /** Nobody was to notice more than a close with 1001. */
  readonly isPlanned: boolean;
}

/** CLUSTER_CHARGERS has another number: what two processors carry beside the cluster depends on what else they do. */
export const CHARGERS = Number(process.env['CLUSTER_CHARGERS'] ?? '200');
const GROUP_SIZE = 50;
const PACE_MS = 1_000;
const CLOSE_CODE = 1001;
const SAMPLE_MS = 1_000;
const WITHIN_MS = 120_000;

/**
 * Chargers send a status a second each, a fifth of them in a session, while this happens. Afterwards everything that was answered is
 * stored once, and the API says of each charger what is so. Gives what the chargers saw.
 */
export async function underLoad(
  { cluster, release, servers }: World,
  { disrupt, isPlanned }: LoadOptions,
): Promise<Disruption> {
  const stored = await openStore(servers.documents.url);
  const random = createRandom(seedOfRun());
  const addresses = (): string[] => [release.chargerAddress];
  const options = {
    size: CHARGERS,
    groupSize: GROUP_SIZE,
    paceMs: PACE_MS,
    load: 'steady',
    random,
    addresses,
  } as const;
  const fleet = await startFleet(release.v2, options).catch(async (error: unknown) => {
    await explain(cluster);
    await stored.stop();
    throw error;
  });
  report(`${String(CHARGERS)} chargers are connected`);
  try {
    await answers(fleet, CHARGERS);
    const gateways = watchGateways(release);
    const happened = watchDisruption(fleet);
    await disrupt(fleet);
    await answers(fleet, CHARGERS);
    const disruption = happened();
    const sockets = await gateways();
    report(`${summaryOf(disruption)}; at most ${String(sockets)} sockets of one gateway`);
    await fleet.settle();
    await connectionsAreTrue(release.v2, fleet);
    const ledgers = fleet.chargers.map(({ ledger }) => ledger);
    await eventually(async () => {
      expect((await differences(stored.store, ledgers)).slice(0, 20)).toEqual([]);
      return true;
    }, WITHIN_MS);
    if (isPlanned) expect(brokenPromises(disruption, { code: CLOSE_CODE, drainS: DRAIN_S, sockets })).toEqual([]);
    return disruption;
  } finally {
    await fleet.stop();
    await stored.stop();
  }
}

async function answers(fleet: Fleet, count: number): Promise<void> {
  const before = fleet.answered();
  await eventually(() => fleet.answered() >= before + count, WITHIN_MS);
}

/** Gives, at the end, the most sockets that one gateway had meanwhile. */
function watchGateways(release: Release): () => Promise<number> {
  let most = 0;
  const end = new AbortController();
  const sample = async (): Promise<void> => {
    for (const pod of (await release.pods('gateway')).filter(isReady)) {
      const page = await http(`http://${pod.status.podIP ?? ''}:9090/metrics`);
      most = Math.max(most, readMetric(page.text, 'busbar_gateway_connections') || 0);
    }
  };
  const watching = (async () => {
    while (!end.signal.aborted) {
      // One that ends while it is asked has said what it had before.
      await sample().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  })();
  return async () => {
    end.abort();
    await watching;
    return most;
  };
}

function summaryOf({ closes, failedOpens, refused, unanswered, answered }: Disruption): string {
  const all = [...closes.values()].flat();
  const codes = [...new Set(all.map(({ code }) => code))].join(', ') || 'none';
  return [
    `${String(answered)} answered, ${String(refused)} with an error, ${String(unanswered)} without an answer`,
    `${String(all.length)} closes (${codes}) of ${String(closes.size)} chargers`,
    `${String(failedOpens.length)} failed connections`,
  ].join(', ');
}
