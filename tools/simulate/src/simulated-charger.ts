// One charger that runs a scenario and reconnects until it is stopped.
import { setTimeout as sleep } from 'node:timers/promises';
import { backoff } from '@busbar/core';
import { connectCharger, type ScriptedCharger } from '@busbar/testing';
import type { Counts } from './counts';
import type { Scenario } from './options';
import { playScenario } from './scenarios';
import { isThisMachine } from './this-machine';

export interface SimulatedChargerOptions {
  /** The whole address, with the id at its end. */
  readonly url: string;
  readonly scenario: Scenario;
  readonly counts: Counts;
  readonly stop: AbortSignal;
  /** Spreads the first connections of many chargers; 0 for all at once. */
  readonly startWithinMs: number;
}

/** A small log: thousands of chargers share this process. */
const LOG_LENGTH = 4;
const CLOSE_WITHIN_MS = 2_000;

/** Resolves when it is stopped and its socket is closed. */
export async function simulateCharger(options: SimulatedChargerOptions): Promise<void> {
  const { stop, counts } = options;
  const wait = backoff({ firstMs: 500, maxMs: 30_000 });
  await pause(Math.random() * options.startWithinMs, stop);
  while (!stop.aborted) {
    const charger = await connect(options);
    if (charger === undefined) {
      await pause(wait.next(), stop);
      continue;
    }
    wait.reset();
    const wasCut = await live(charger, options);
    if (wasCut && options.scenario !== 'storm') {
      counts.failures += 1;
      await pause(wait.next(), stop);
    }
  }
}

async function connect({ url, counts, stop }: SimulatedChargerOptions): Promise<ScriptedCharger | undefined> {
  try {
    const tls = { rejectUnauthorized: !isThisMachine(new URL(url)) };
    const charger = await connectCharger({ url, tls, logLength: LOG_LENGTH, onCall: () => (counts.commands += 1) });
    if (stop.aborted) {
      await close(charger);
      return undefined;
    }
    counts.connections += 1;
    return charger;
  } catch {
    counts.failures += 1;
    return undefined;
  }
}

/** Until the connection ends, by either side. True when that was not the simulation's stop. */
async function live(charger: ScriptedCharger, { scenario, counts, stop }: SimulatedChargerOptions): Promise<boolean> {
  counts.connected += 1;
  const over = new AbortController();
  const end = (): void => over.abort();
  stop.addEventListener('abort', end);
  const ended = charger.ended.then(end);
  try {
    await playScenario(scenario, { charger, counts, over: over.signal });
  } catch {
    // The connection ended in the middle of a call, or the service was too slow: a charger begins again.
    counts.failures += charger.closed() === undefined ? 1 : 0;
  }
  stop.removeEventListener('abort', end);
  // In a storm the power is cut: no close frame.
  if (scenario === 'storm' && !stop.aborted) charger.terminate();
  else await close(charger);
  await ended;
  counts.connected -= 1;
  return !stop.aborted;
}

/** In order where the other side takes part, else not. */
async function close(charger: ScriptedCharger): Promise<void> {
  if (charger.closed() !== undefined) return;
  const cut = setTimeout(() => charger.terminate(), CLOSE_WITHIN_MS);
  await charger.close(1000).catch(() => charger.terminate());
  clearTimeout(cut);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
