import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { GRACE_MS } from './measures/bench-context';
import { readProfile, summarizeProfile } from './report/profile-summary';
import type { Running } from './worlds/world';

const MAX_FUNCTIONS = 12;

/** Runs `work` with a profiler in each of the product's processes; writes `{prefix}-{process}.cpuprofile` and prints a summary. */
export async function profileDuring<T>(
  running: Running,
  place: { readonly directory: string; readonly prefix: string; readonly print: (line: string) => void },
  work: () => Promise<T>,
): Promise<T> {
  const { programs } = running;
  mkdirSync(place.directory, { recursive: true });
  await Promise.all(programs.map((program) => program.ask('startProfile', null, GRACE_MS)));
  const value = await work();
  for (const program of programs) {
    const file = join(place.directory, `${place.prefix}-${nameOf(program, programs)}.cpuprofile`);
    await program.ask('stopProfile', { file }, GRACE_MS);
    const { busy, parts, functions } = summarizeProfile(readProfile(file), MAX_FUNCTIONS);
    place.print(`${file}: busy ${percent(busy)}; of that`);
    place.print(`  ${parts.map(({ name, share }) => `${name} ${percent(share)}`).join(', ')}`);
    for (const { name, share } of functions) place.print(`  ${percent(share).padStart(6)}  ${name}`);
  }
  return value;
}

/** With its process id where replicas have one name. */
function nameOf({ name, pid }: Running['gateway'], programs: Running['programs']): string {
  return programs.filter((other) => other.name === name).length === 1 ? name : `${name}-${String(pid)}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
