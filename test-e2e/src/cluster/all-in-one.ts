// The one process as a StatefulSet with its data on a volume of a node.
import { cpSync, lstatSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '@busbar/store';
import { eventually } from '@busbar/testing';
import { openStore } from '../faults/stored';
import { http } from '../harness/http';
import { underLoad } from './load';
import { installRelease, ONE_PROCESS, type Release } from './release';
import { restrictedNamespace } from './servers';
import { untilLeft } from './uninstall';
import { volumesFor } from './volumes';
import type { World } from './world';

const TEST_MS = 600_000;
const BACKUP_MS = 60_000;
const NAMESPACE = 'all-in-one';
const COMPONENT = 'all-in-one';
const STATEFUL_SET = 'statefulset/busbar-all-in-one';
const POD = 'busbar-all-in-one-0';
const ADMIN = ['exec', POD, '--container=all-in-one', '--', 'node', 'tools/admin/dist/main.js'];
/** By the name of their claims. */
const VOLUMES = { [`data-${POD}`]: '10Gi', [`backups-${POD}`]: '20Gi' };

export function allInOne(open: () => World): void {
  describe('the one process', () => {
    let release: Release;
    beforeAll(async () => (release = await install(open())), TEST_MS);
    // kube-proxy learns a moment later than the API server that the pod of the test before is ready again.
    beforeEach(() => eventually(() => release.v2.statistics()));
    afterAll(() => release.uninstall(), TEST_MS);

    it(
      'loses nothing when its pod is deleted: the next one starts when it has ended, on the same data',
      async () => {
        const { cluster } = open();
        await underLoad(
          { cluster, release, withStore: (read) => withDataFile(open(), release, read) },
          {
            async disrupt() {
              const [before] = await release.pods(COMPONENT);
              // Resolves when it has ended.
              await release.kubectl('delete', 'pod', POD);
              await release.scaled(COMPONENT, 1);
              const [after] = await release.pods(COMPONENT);
              expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
            },
          },
        );
      },
      TEST_MS,
    );

    it(
      'restores a backup that the container beside it has written',
      async () => {
        const folder = join(open().cluster.nodes[0].volumes, `backups-${POD}`);
        const [file] = await eventually(() => {
          const found = readdirSync(folder).filter((name) => name.endsWith('.db'));
          return found.length > 0 && found;
        }, BACKUP_MS);
        const siteId = await release.v2.makeSite();
        expect(await statusOfSite(release, siteId)).toBe(200);
        await release.kubectl(...ADMIN, 'restore', `/backups/${String(file)}`);
        // It restarts on what it had when the backup was made.
        await eventually(async () => (await statusOfSite(release, siteId)) === 404, TEST_MS);
      },
      TEST_MS,
    );

    it(
      'restores a backup that an operator has made in its pod',
      async () => {
        const kept = await release.v2.makeSite();
        // As deploy/README.md says it.
        await release.kubectl(...ADMIN, 'backup', '/backups/before.db');
        const lost = await release.v2.makeSite();
        expect(await statusOfSite(release, lost)).toBe(200);
        await release.kubectl(...ADMIN, 'restore', '/backups/before.db');
        await eventually(async () => (await statusOfSite(release, lost)) === 404, TEST_MS);
        expect(await statusOfSite(release, kept)).toBe(200);
      },
      TEST_MS,
    );

    it(
      'leaves its claims, and nothing else, when it is uninstalled, and has its data again when it is installed',
      async () => {
        const { cluster } = open();
        const siteId = await release.v2.makeSite();
        await release.uninstall();
        const claims = Object.keys(VOLUMES).map((name) => `persistentvolumeclaim/${name}`);
        await untilLeft(cluster, NAMESPACE, claims);
        release = await install(open());
        expect(await statusOfSite(release, siteId)).toBe(200);
      },
      TEST_MS,
    );
  });
}

async function install({ cluster }: World): Promise<Release> {
  const items = [restrictedNamespace(NAMESPACE), ...volumesFor(cluster, NAMESPACE, VOLUMES)];
  await cluster.api.kubectl(['apply', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });
  const serving = { chargers: COMPONENT, v2: COMPONENT, legacy: COMPONENT } as const;
  return installRelease(cluster, { namespace: NAMESPACE, values: ONE_PROCESS, serving });
}

/** The process has its data file to itself: it stops for as long as somebody else reads it. */
async function withDataFile<T>({ cluster }: World, release: Release, read: (store: Store) => Promise<T>): Promise<T> {
  await release.kubectl('scale', STATEFUL_SET, '--replicas=0');
  await release.scaled(COMPONENT, 0);
  // A copy: what root writes beside the file, the process could not write.
  const copy = mkdtempSync(join(tmpdir(), 'busbar-data-'));
  const filter = (path: string): boolean => !lstatSync(path).isSocket();
  cpSync(join(cluster.nodes[0].volumes, `data-${POD}`), copy, { recursive: true, filter });
  const stored = await openStore(`file:${copy}`);
  try {
    return await read(stored.store);
  } finally {
    await stored.stop();
    await release.kubectl('scale', STATEFUL_SET, '--replicas=1');
    await release.scaled(COMPONENT, 1);
  }
}

async function statusOfSite({ reads: [v2] }: Release, siteId: number): Promise<number> {
  if (v2 === undefined) throw new Error('the release has no v2 API');
  const url = new URL(`/v2/sites/${String(siteId)}`, v2.url).href;
  return (await http(url, { headers: v2.headers, withinMs: 5_000 })).status;
}
