// Defines a fault, and the faults that any process and any connection can have, whichever way the service runs.
import { setTimeout as last } from 'node:timers/promises';
import type { Random } from './random';

export interface Fault<World> {
  readonly name: string;
  /** Breaks something and mends it; resolves when it has done what it can for that. */
  readonly run: (world: World, random: Random) => Promise<void>;
  /** Breaks no gateway and no charger's connection: nobody who keeps its socket may be shown disconnected meanwhile. */
  readonly disconnectsNobody?: boolean;
  /** Takes half a minute or more: only in the long form. */
  readonly slow?: boolean;
}

/** Chooses what is broken, of all that could be. */
type Choose<World, T> = (world: World, random: Random) => T;

export interface Endable {
  readonly name: string;
  /** Sends the signal; resolves with the exit code when it is gone. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Starts it again; resolves when it says that it is ready. */
  start(): Promise<void>;
}

export interface Pausable {
  pause(): void;
  resume(): void;
}

export interface Breakable {
  cut(): void;
  blackHole(): void;
  heal(): void;
}

/** The time for which a process is stopped and a connection silent: longer than the lease of a gateway. */
const SILENCE_MS = 20_000;
/** A server that is suspended so long may keep its connections, whose heartbeats end after 10 to 15 s, or lose some. */
const SHORT_SILENCE_MS = { min: 8_000, max: 14_000 };
/** A gateway renews its lease every 5 s: what a silence has done is seen after this. */
const SEEN_AFTER_MS = 7_000;
/** A cut is felt at once; this is for what cannot connect again meanwhile. */
export const CUT_MS = 3_000;
const YOUNG_QUEUES_MS = 6_000;

export function endings<World>(who: string, choose: Choose<World, Endable>): Fault<World>[] {
  return [
    {
      name: `SIGKILL of ${who}`,
      run: async (world, random) => {
        const ending = choose(world, random);
        await ending.end('SIGKILL');
        await ending.start();
      },
    },
    {
      name: `SIGTERM of ${who}`,
      run: async (world, random) => {
        const ending = choose(world, random);
        const code = await ending.end('SIGTERM');
        if (code !== 0) throw new Error(`${ending.name} ended with ${String(code)} on SIGTERM`);
        await ending.start();
      },
    },
  ];
}

export function pauses<World>(who: string, choose: Choose<World, Pausable>): Fault<World>[] {
  return [
    {
      name: `SIGSTOP of ${who} for 20 s, and SIGCONT`,
      slow: true,
      run: (world, random) => standStill(choose(world, random), SILENCE_MS),
    },
  ];
}

/** Shorter, by chance with or without an end of connections. */
export function stalls<World>(who: string, choose: Choose<World, Pausable>): Fault<World>[] {
  return [
    {
      name: `SIGSTOP of ${who} for 8 to 14 s, and SIGCONT`,
      run: (world, random) => standStill(choose(world, random), shortSilence(random)),
    },
  ];
}

/** Both, for where there is time for one. */
export function stallAndPause<World>(who: string, choose: Choose<World, Pausable>): Fault<World> {
  return {
    name: `SIGSTOP of ${who} for 8 to 14 s and, when it had gone on, for 20 s`,
    disconnectsNobody: true,
    run: async (world, random) => {
      await standStill(choose(world, random), shortSilence(random));
      await last(SEEN_AFTER_MS);
      await standStill(choose(world, random), SILENCE_MS);
    },
  };
}

async function standStill(paused: Pausable, ms: number): Promise<void> {
  paused.pause();
  try {
    await last(ms);
  } finally {
    paused.resume();
  }
}

function shortSilence(random: Random): number {
  const { min, max } = SHORT_SILENCE_MS;
  return min + random.below(max - min);
}

/** The same, each of them as one that breaks no gateway. */
export function sparingGateways<T extends { readonly name: string }>(
  faults: readonly T[],
): (T & { readonly disconnectsNobody: true })[] {
  return faults.map((fault) => ({ ...fault, disconnectsNobody: true }));
}

export function cuts<World>(between: string, choose: Choose<World, Breakable>): Fault<World>[] {
  const broken = async (proxy: Breakable, breakIt: () => void, ms: number): Promise<void> => {
    breakIt();
    await last(ms);
    proxy.heal();
  };
  return [
    {
      name: `a cut between ${between}`,
      run: (world, random) => {
        const proxy = choose(world, random);
        return broken(proxy, proxy.cut, CUT_MS);
      },
    },
    {
      name: `a half-open connection between ${between}`,
      slow: true,
      run: (world, random) => {
        const proxy = choose(world, random);
        return broken(proxy, proxy.blackHole, SILENCE_MS);
      },
    },
  ];
}

/**
 * RabbitMQ 3.10 may lose a quorum queue's leader permanently when it is killed within about 5 s of the queue's declaration
 * (its issue 10070); the service detects and logs that, but nothing can mend it, so no test provokes it.
 */
export async function untilQueuesAreOld(declaredAtMs: number): Promise<void> {
  const young = declaredAtMs + YOUNG_QUEUES_MS - Date.now();
  if (young > 0) await last(young);
}
