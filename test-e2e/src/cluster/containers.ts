// The processes of the release as the machine sees them, outside their containers.
import { readFileSync } from 'node:fs';
import type { Pod } from './release';
import type { World } from './world';

/** The id of the product's process in a pod, beside the one that holds the pod's namespaces. Throws when none runs. */
export function programOf({ cluster }: Pick<World, 'cluster'>, { metadata, spec }: Pod): number {
  const node = cluster.nodes.find(({ name }) => name === spec.nodeName);
  const pid = node?.processesOf(metadata.uid).find((each) => commandOf(each).includes('dist/main.js'));
  if (pid === undefined) throw new Error(`no process of ${metadata.name} runs`);
  return pid;
}

export function isRunning(pid: number): boolean {
  return commandOf(pid) !== '';
}

/** Empty when it is gone. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
