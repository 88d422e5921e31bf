// A run: attacks chosen by a seed, some at the same time, while well-behaved chargers are watched, and the memory, and the log.
import { supportedVersions } from '@busbar/ocpp';
import { eventually } from '@busbar/testing';
import { createRandom, type Random } from '../faults/random';
import { openEmbeddedWorld } from '../harness/embedded';
import { http } from '../harness/http';
import { readMetric } from '../harness/metrics';
import { readV2, registerCharger, uniqueId, type World } from '../harness/world';
import { attacks, type Target } from './attacks';
import { startBystander } from './bystander';
import { createWatch, type Seen } from './watch';

export interface FuzzOptions {
  readonly seed: number;
  readonly forMs: number;
  /** Subprotocols of the attackers, and of a well-behaved charger each; by default all, mixed. */
  readonly versions?: readonly string[];
}

export interface FuzzOutcome extends Seen {
  readonly attacks: number;
  /** CALLs that were answered, of the well-behaved charger that had the fewest. */
  readonly answered: number;
}

const CHARGERS = 20;
const CONCURRENCY = 4;
/** Floods arrive as fast as they are sent, and a well-behaved charger has a session in each of its rounds. */
const UNLIMITED = {
  OCPP_MAX_MESSAGES_PER_S: '0',
  OCPP_MAX_BYTES_PER_S: '0',
  OCPP_MAX_STARTS_PER_DAY: '0',
  OCPP_MAX_CLIENT_STARTS_PER_DAY: '0',
};

/** Runs for so long. Throws where the gateway broke a promise in an answer, or to a well-behaved charger. */
export async function fuzz(options: FuzzOptions): Promise<FuzzOutcome> {
  const world = await openEmbeddedWorld(UNLIMITED);
  try {
    const chargerIds = await Promise.all(
      Array.from({ length: CHARGERS }, async () => (await registerCharger(world, uniqueId('FUZZ'))).chargerId),
    );
    const { port: plainPort } = await world.program('gateway').bound('plain');
    const { port: tlsPort } = await world.program('gateway').bound('public');
    const internal = await world.program('gateway').bound('internal');
    const metricsUrl = `http://${internal.host}:${String(internal.port)}/metrics`;
    const watch = createWatch(world.program('gateway'), metricsUrl);
    try {
      const outcome = await underAttack(
        world,
        { plainPort, tlsPort, chargerIds, versions: options.versions ?? supportedVersions() },
        options,
      );
      await expectClean(world, metricsUrl, chargerIds);
      return { ...outcome, ...watch.seen() };
    } finally {
      watch.stop();
    }
  } finally {
    await world.stop();
  }
}

async function underAttack(
  world: World,
  target: Target,
  { seed, forMs }: FuzzOptions,
): Promise<Pick<FuzzOutcome, 'attacks' | 'answered'>> {
  const bystanders = await Promise.all(
    target.versions.map(async (version) => {
      const { chargerId } = await registerCharger(world, uniqueId('GOOD'));
      return startBystander(world, chargerId, version);
    }),
  );
  const random = createRandom(seed);
  const until = Date.now() + forMs;
  let count = 0;
  let failure: Error | undefined;

  async function attack(choose: Random): Promise<void> {
    while (Date.now() < until && failure === undefined) {
      const { name, run } = choose.pick(attacks);
      count += 1;
      try {
        await run(target, choose.fork());
        for (const bystander of bystanders) bystander.check();
      } catch (cause) {
        failure ??= new Error(`in ${name}, number ${String(count)}`, { cause });
      }
    }
  }

  await Promise.all(Array.from({ length: CONCURRENCY }, () => attack(random.fork())));
  await Promise.all(bystanders.map((bystander) => bystander.stop()));
  if (failure !== undefined) throw failure;
  return { attacks: count, answered: Math.min(...bystanders.map((bystander) => bystander.answered())) };
}

/** Nothing is left of it but what was stored: no socket, nothing unconfirmed, every record readable and true. */
async function expectClean(world: World, metricsUrl: string, chargerIds: readonly string[]): Promise<void> {
  for (const name of ['busbar_gateway_connections', 'busbar_gateway_pending_upgrades', 'busbar_gateway_unconfirmed']) {
    await eventually(async () => readMetric((await http(metricsUrl)).text, name) === 0, 60_000);
  }
  for (const chargerId of chargerIds) {
    await eventually(async () => !(await readV2(world, chargerId)).activeConnection);
  }
}
