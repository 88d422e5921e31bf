// Where a profile's time went, by function: enough to see what a look at the whole profile is worth.
import { readFileSync } from 'node:fs';

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
}

interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples?: readonly number[];
  readonly timeDeltas?: readonly number[];
}

export interface FunctionShare {
  /** Its name, file and line. */
  readonly name: string;
  /** Of the time that the process was not idle, without what it called: 0 to 1. */
  readonly share: number;
}

const NOT_WORK = new Set(['(idle)', '(program)', '(root)']);

/** The functions with the most time of their own, and how much of the time there was work at all. */
export function summariseProfile(
  profile: Profile,
  most: number,
): { readonly busy: number; readonly functions: readonly FunctionShare[] } {
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  let total = 0;
  profile.samples?.forEach((id, n) => {
    const name = names.get(id) ?? '';
    const time = Math.max(0, profile.timeDeltas?.[n] ?? 0);
    times.set(name, (times.get(name) ?? 0) + time);
    total += time;
  });
  const idle = times.get('(idle)') ?? 0;
  const work = total - idle;
  const functions = [...times]
    .filter(([name]) => !NOT_WORK.has(name))
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name, time]) => ({ name, share: work > 0 ? time / work : 0 }));
  return { busy: total > 0 ? work / total : 0, functions };
}

export function readProfile(file: string): Profile {
  return JSON.parse(readFileSync(file, 'utf8')) as Profile;
}

function nameOf({ functionName, url, lineNumber }: ProfileNode['callFrame']): string {
  if (functionName.startsWith('(')) return functionName;
  const file = url.replace(/^.*\/(?=(libs|services|tools|node_modules)\/)/, '').replace('file://', '');
  const place = file === '' ? '' : ` ${file}:${String(lineNumber + 1)}`;
  return `${functionName === '' ? '(anonymous)' : functionName}${place}`;
}
