// Chargers under load at a system that is disrupted, and the account of what that did to them.
import { setTimeout as last } from 'node:timers/promises';
import type { Store } from '@busbar/store';
import { eventually } from '@busbar/testing';
import { summaryOf, watchDisruption, type Disruption, type Sockets } from './disruption';
import { startFleet, type Api, type Fleet } from './fleet';
import type { FleetChargerOptions } from './fleet-charger';
import type { Random } from './random';
import { watchRequests, type Asked, type Reads } from './requests';
import { differences, openStore } from './stored';
import { connectionsAreTrue, watchConnections } from './truth';

export interface LoadedSystem extends Pick<FleetChargerOptions, 'addresses' | 'gatewayOf'> {
  readonly api: Api;
  /** Reads what the system has stored. */
  readonly withStore: <T>(read: (store: Store) => Promise<T>) => Promise<T>;
  /** The pages of its APIs that are read all the time; none may fail. */
  readonly pages?: readonly Asked[];
  /** Open sockets of each gateway that can be asked, by the name that `gatewayOf` gives. */
  readonly sockets: () => Promise<Sockets>;
}

export interface LoadOptions {
  readonly chargers: number;
  /** So many connect at the same time. Default all of them. */
  readonly groupSize?: number;
  readonly random: Random;
  /** Between two messages of a charger, on the average. Default a second. */
  readonly paceMs?: number;
  /** Begins and ends the disruption; resolves when all is there again. */
  readonly disrupt: (fleet: Fleet) => Promise<unknown>;
  /** Then the records are compared with the sockets all the while, not only afterwards. */
  readonly isAccident?: boolean;
}

export interface Effect extends Disruption {
  /** The most that each gateway had meanwhile. */
  readonly sockets: Sockets;
  readonly reads: Reads;
}

const PACE_MS = 1_000;
const SAMPLE_MS = 1_000;
const WITHIN_MS = 120_000;

/**
 * Chargers send statuses, a fifth of them in a session, while this happens. Afterwards everything that was answered is stored
 * once, and the API reports the true state of each charger. Gives what the chargers saw.
 */
export async function disruptUnderLoad(system: LoadedSystem, options: LoadOptions): Promise<Effect> {
  const { api, addresses, gatewayOf } = system;
  const { chargers: size, groupSize = size, paceMs = PACE_MS, random } = options;
  const fleet = await startFleet(api, { size, groupSize, paceMs, load: 'steady', random, addresses, gatewayOf });
  try {
    const effect = await watched(system, fleet, options);
    const { sockets, reads } = effect;
    report(`${summaryOf(effect)}; ${socketsOf(sockets)}; ${readsOf(reads)}`);
    await fleet.becomeSilent();
    await connectionsAreTrue(api, fleet);
    const ledgers = fleet.chargers.map(({ ledger }) => ledger);
    await system.withStore((store) =>
      eventually(async () => {
        expect((await differences(store, ledgers)).slice(0, 20)).toEqual([]);
        return true;
      }, WITHIN_MS),
    );
    return effect;
  } finally {
    await fleet.stop();
  }
}

/** For a store beside the system. */
export async function readStore<T>(url: string, read: (store: Store) => Promise<T>): Promise<T> {
  const stored = await openStore(url);
  try {
    return await read(stored.store);
  } finally {
    await stored.stop();
  }
}

async function watched(system: LoadedSystem, fleet: Fleet, options: LoadOptions): Promise<Effect> {
  const { chargers, disrupt, isAccident = false } = options;
  await answers(fleet, chargers);
  const connections = isAccident ? watchConnections(system.api, fleet) : undefined;
  const sockets = watchSockets(system);
  const requests = watchRequests(system.pages ?? []);
  try {
    const happened = watchDisruption(fleet);
    await disrupt(fleet);
    await answers(fleet, chargers);
    expect((await connections?.())?.slice(0, 20) ?? []).toEqual([]);
    return { ...happened(), sockets: await sockets(), reads: await requests() };
  } finally {
    await Promise.all([sockets(), requests(), connections?.()]);
  }
}

async function answers(fleet: Fleet, count: number): Promise<void> {
  const before = fleet.answered();
  await eventually(() => fleet.answered() >= before + count, WITHIN_MS);
}

/** Gives, when it is called, the most sockets that each gateway had until then, and watches no longer. */
function watchSockets({ sockets }: LoadedSystem): () => Promise<Sockets> {
  const max = new Map<string, number>();
  const end = new AbortController();
  const watching = (async () => {
    while (!end.signal.aborted) {
      // A process that ends during the request has reported its earlier value.
      for (const [gateway, open] of await sockets().catch(() => [])) {
        max.set(gateway, Math.max(open, max.get(gateway) ?? 0));
      }
      await last(SAMPLE_MS);
    }
  })();
  return async () => {
    end.abort();
    await watching;
    return max;
  };
}

function socketsOf(sockets: Sockets): string {
  const each = [...sockets].map(([gateway, max]) => `${gateway} ${String(max)}`).join(', ');
  return `at most so many sockets of a gateway: ${each}`;
}

function readsOf({ succeeded, failures }: Reads): string {
  const reasons = [...new Set(failures)].slice(0, 3).join(', ');
  return `${String(succeeded)} reads, ${String(failures.length)} failed${reasons === '' ? '' : ` (${reasons})`}`;
}

/** Prints a line: without it, minutes pass without output and a hanging step has no name. */
function report(line: string): void {
  process.stdout.write(`· ${line}\n`);
}
