// Tests what a release leaves when it is uninstalled.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@busbar/testing';
import { stringify } from 'yaml';
import { CHART } from '../chart/helm';
import type { Cluster } from './cluster';
import { helmIn, RELEASE, SERVICES } from './release';
import { restrictedNamespace } from './servers';
import { surroundings } from './surroundings';
import type { World } from './world';

const TEST_MS = 300_000;
const GONE_MS = 180_000;
const NAMESPACE = 'uninstalled';

export function uninstall(open: () => World): void {
  it(
    'creates the Job of a backup that an operator asks for, and leaves the claim of its backups, and nothing else, when it is uninstalled',
    async () => {
      const { cluster } = open();
      const helm = helmIn(cluster.kubeconfig, NAMESPACE);
      const values = join(surroundings().directory, 'uninstalled.yaml');
      writeFileSync(
        values,
        stringify({ ...SERVICES, backup: { mongodump: { enabled: true, existingSecret: { name: 'mongodump' } } } }),
      );
      await cluster.api.kubectl(['apply', '-f', '-'], restrictedNamespace(NAMESPACE));
      await helm('install', CHART, '--values', values);
      await backUpNow(cluster);
      await helm('uninstall', '--wait');
      await untilLeft(cluster, NAMESPACE, [`persistentvolumeclaim/${RELEASE}-mongodump`]);
    },
    TEST_MS,
  );
}

/** As deploy/README.md says it. Its pod is admitted and waits: neither MongoDB's image nor a volume is there. */
async function backUpNow({ api }: Cluster): Promise<void> {
  const kubectl = (...words: readonly string[]): Promise<string> => api.kubectl(['--namespace', NAMESPACE, ...words]);
  await kubectl('create', 'job', `--from=cronjob/${RELEASE}-mongodump`, 'backup-now');
  await eventually(
    async () => (await kubectl('get', 'job', 'backup-now', '--output=jsonpath={.status.active}')) === '1',
  );
  await kubectl('delete', 'job', 'backup-now');
}

/** Resolves when these are all objects of the release in the namespace, as `KIND/NAME`. */
export async function untilLeft({ api }: Cluster, namespace: string, names: readonly string[]): Promise<void> {
  const kinds = (await api.kubectl(['api-resources', '--verbs=list', '--namespaced', '--output=name'])).trim();
  const all = ['get', kinds.split('\n').join(','), `--selector=app.kubernetes.io/instance=${RELEASE}`, '--output=name'];
  await eventually(async () => {
    const listed = await api.kubectl(['--namespace', namespace, ...all]);
    expect(listed.split('\n').filter(Boolean).sort()).toEqual([...names].sort());
    return true;
  }, GONE_MS);
}
