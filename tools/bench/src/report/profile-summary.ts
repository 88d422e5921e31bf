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

export interface Share {
  /** The name, file and line of a function, or the package of a part. */
  readonly name: string;
  /** The share of the time that the process was not idle, without its callees: 0 to 1. */
  readonly share: number;
}

export interface ProfileSummary {
  /** The share of the time with any work. */
  readonly busy: number;
  readonly parts: readonly Share[];
  readonly functions: readonly Share[];
}

const NOT_WORK = new Set(['(idle)', '(program)', '(root)']);

/** The packages and the functions with the most time of their own. */
export function summarizeProfile(profile: Profile, max: number): ProfileSummary {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const functions = new Map<string, number>();
  const parts = new Map<string, number>();
  let total = 0;
  let idle = 0;
  profile.samples?.forEach((id, n) => {
    const frame = frames.get(id);
    const time = Math.max(0, profile.timeDeltas?.[n] ?? 0);
    total += time;
    if (frame === undefined || NOT_WORK.has(frame.functionName)) {
      if (frame?.functionName === '(idle)') idle += time;
      return;
    }
    add(functions, nameOf(frame), time);
    add(parts, partOf(frame), time);
  });
  const work = total - idle;
  return {
    busy: total > 0 ? work / total : 0,
    parts: largest(parts, max, work),
    functions: largest(functions, max, work),
  };
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

/** The package that a function is of; what the engine and Node do by themselves has names of its own. */
function partOf({ functionName, url }: ProfileNode['callFrame']): string {
  if (functionName.startsWith('(')) return functionName;
  if (url === '') return `native ${functionName}`;
  if (url.startsWith('node:')) return 'Node';
  const [, group = '', name = ''] =
    /\/(libs|services|tools|node_modules)\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url) ?? [];
  return group === 'node_modules' ? name : `${group}/${name}`;
}

function add(times: Map<string, number>, name: string, time: number): void {
  times.set(name, (times.get(name) ?? 0) + time);
}

function largest(times: ReadonlyMap<string, number>, max: number, work: number): Share[] {
  return [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, max)
    .map(([name, time]) => ({ name, share: work > 0 ? time / work : 0 }));
}
