// Tests what the kernel grants to the containers of the release, and which evictions the API server allows.
import { readFileSync } from 'node:fs';
import { eventually } from '@busbar/testing';
import { programOf } from './containers';
import { memoryLimitOf } from './control-groups';
import { REPLICAS } from './planned-disruptions';
import { isReady, type Pod } from './release';
import type { World } from './world';

const TEST_MS = 300_000;
const READY_MS = 180_000;
const MEBIBYTE = 1024 * 1024;
const TOO_MANY_REQUESTS = 429;
const CREATED = 201;

export function restrictions(open: () => World): void {
  it('runs each container as user 1000 without capabilities, on a read-only root, within its memory limit', async () => {
    const pods = await open().release.pods();
    expect(pods.length).toBeGreaterThan(0);
    for (const pod of pods) {
      const pid = programOf(open(), pod);
      expect({ ...grantsOf(pid), memory: memoryLimitOf(pid) }).toEqual({
        user: '1000',
        group: '1000',
        capabilities: '0000000000000000',
        obtainableCapabilities: '0000000000000000',
        noNewPrivileges: '1',
        // A filter of system calls.
        seccomp: '2',
        rootIs: 'ro',
        memory: memoryOf(pod),
      });
    }
  });

  it(
    'refuses to evict a second gateway until the successor of the first one is ready',
    async () => {
      const { release } = open();
      const [first, second] = await release.pods('gateway');
      expect(await evict(open(), first)).toBe(CREATED);
      expect(await evict(open(), second)).toBe(TOO_MANY_REQUESTS);
      await eventually(async () => (await evict(open(), second)) === CREATED, READY_MS);
      const old = [first?.metadata.uid, second?.metadata.uid];
      const successors = (await release.pods('gateway')).filter(({ metadata }) => !old.includes(metadata.uid));
      expect(successors.some(isReady)).toBe(true);
      await release.scaled('gateway', REPLICAS);
    },
    TEST_MS,
  );
}

function evict({ cluster, release }: World, pod: Pod | undefined): Promise<number> {
  const name = pod?.metadata.name ?? '';
  return cluster.api.post(`/api/v1/namespaces/${release.namespace}/pods/${name}/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace: release.namespace },
  });
}

function grantsOf(pid: number): Readonly<Record<string, string | undefined>> {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  // The effective one of each where there are several.
  const field = (name: string): string | undefined => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1];
  return {
    user: field('Uid'),
    group: field('Gid'),
    capabilities: field('CapEff'),
    obtainableCapabilities: field('CapBnd'),
    noNewPrivileges: field('NoNewPrivs'),
    seccomp: field('Seccomp'),
    rootIs: rootOf(pid),
  };
}

/** `ro` or `rw`. */
function rootOf(pid: number): string | undefined {
  const mounts = readFileSync(`/proc/${String(pid)}/mountinfo`, 'utf8').split('\n');
  const [, , , , , options] = mounts.map((line) => line.split(' ')).find((fields) => fields[4] === '/') ?? [];
  return options?.split(',')[0];
}

function memoryOf({ spec }: Pod): number {
  return Number(/^(\d+)Mi$/.exec(spec.containers[0]?.resources.limits?.memory ?? '')?.[1]) * MEBIBYTE;
}
