import { setTimeout as sleep } from 'node:timers/promises';
import { createCounts, lineOf, type Counts } from './counts';
import type { Scenario } from './options';
import { simulateCharger } from './simulated-charger';

export interface SimulationOptions {
  /** With `/` at its end. */
  readonly url: string;
  readonly chargerIds: readonly string[];
  readonly scenario: Scenario;
  readonly stop: AbortSignal;
  /** Called every second with the counts. */
  readonly show: (line: string) => void;
}

const SHOW_EVERY_MS = 1_000;
/** At least so many new connections a second, so that a start is no storm unless one is asked for. */
const START_PER_SECOND = 100;
const STOP_WITHIN_MS = 8_000;

/** Runs until `stop` and gives the counts once all sockets are closed, at the latest after some seconds. */
export async function simulate(options: SimulationOptions): Promise<Counts> {
  const { url, chargerIds, scenario, stop } = options;
  const counts = createCounts(chargerIds.length);
  const startWithinMs = scenario === 'storm' ? 0 : (chargerIds.length / START_PER_SECOND) * 1000;
  const chargers = chargerIds.map((id) =>
    simulateCharger({ url: url + encodeURIComponent(id), scenario, counts, stop, startWithinMs }),
  );
  const timer = setInterval(() => options.show(lineOf(counts)), SHOW_EVERY_MS);
  const aborted = new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve());
  });
  const late = aborted.then(() => sleep(STOP_WITHIN_MS, undefined, { ref: false }));
  await Promise.race([Promise.all(chargers), late]);
  clearInterval(timer);
  return counts;
}
