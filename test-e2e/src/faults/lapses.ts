// Counts the gateways that were declared dead with chargers, as the processes that count leases say of themselves.
import { eventually } from '@busbar/testing';
import { readMetric } from '../harness/metrics';
import type { Program } from '../harness/program';
import type { LastingProgram } from './lasting-program';

export type CountingProgram = Pick<LastingProgram, 'program' | 'metrics'>;

/** Begins to count; gives what counts since then. All must run at both moments; one may have been started again between. */
export async function watchLapses(programs: () => readonly CountingProgram[]): Promise<() => Promise<number>> {
  const before = new Map<Program, number>();
  for (const each of programs()) before.set(each.program(), await lapsesOf(each));
  return async () => {
    let grown = 0;
    for (const each of programs()) grown += (await lapsesOf(each)) - (before.get(each.program()) ?? 0);
    return grown;
  };
}

async function lapsesOf({ metrics }: CountingProgram): Promise<number> {
  const { lapses } = await eventually(async () => {
    return { lapses: readMetric(await metrics(), 'busbar_state_lapsed_gateways_total') };
  });
  if (Number.isNaN(lapses)) throw new Error('no metric says how many gateways lapsed');
  return lapses;
}
