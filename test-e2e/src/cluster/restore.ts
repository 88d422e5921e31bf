// The restore of mode services, command by command as the README of the chart has it. Neither MongoDB nor its tools are there: where
// its Job runs mongorestore, the test takes the store back itself, as a backup of an earlier time would.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collections, eq, type Store } from '@busbar/store';
import { connectCharger, eventually } from '@busbar/testing';
import { CHART, objectsIn, type KubernetesObject } from '../chart/helm';
import { definitionsFor } from './custom-resources';
import { allSettled } from './planned-disruptions';
import { RELEASE, type Release } from './release';
import { secretOf } from './servers';
import { IMAGE } from './surroundings';
import { volumesFor } from './volumes';
import type { World } from './world';

const TEST_MS = 600_000;
const CHARGER = 'RESTORED_1';
const CLAIM = `${RELEASE}-mongodump`;
const BACKUP = 'busbar-20250101T000000Z.archive.gz';
const RESTORE_URL = 'mongodb://restore@mongo.example.com/';
const PAUSED = 'autoscaling.keda.sh/paused: "true"';
const SCALED_OBJECT = {
  apiVersion: 'keda.sh/v1alpha1',
  kind: 'ScaledObject',
  metadata: { name: `${RELEASE}-gateway`, labels: { 'app.kubernetes.io/instance': RELEASE } },
  spec: { scaleTargetRef: { name: `${RELEASE}-gateway` }, triggers: [{ type: 'cpu', metadata: { value: '70' } }] },
};
/** In place of mongorestore: fails unless it has the newest backup, the URL and a directory to write to. */
const STAND_IN = `
  const { readdirSync, readFileSync, writeFileSync } = require('node:fs');
  writeFileSync('/tmp/mongorestore.yaml', '');
  console.log(readdirSync('/backups').toSorted().at(-1), readFileSync('/secrets/mongorestore/url', 'utf8'));
`;

export function restoreInOrder(open: () => World): void {
  it(
    'restores by the commands of the README, gives no transaction id again, and connects chargers as before',
    async () => {
      const world = open();
      const { release } = world;
      await prepare(world);
      try {
        await release.v2.register(CHARGER, await release.v2.makeSite());
        const kept = await charge(release);
        const counter = await world.withStore(readCounter);
        const lost = await charge(release);
        const { stop, start, jobs, untilRestored } = restoreSection();
        await type(release, stop);
        expect(await release.kubectl('get', 'scaledobjects', '--output=yaml')).toContain(PAUSED);
        expect(await isSuspended(release)).toBe(true);
        await world.withStore((store) => takeBack(store, { counter, lost }));
        await apply(world, jobs[0]);
        await type(release, untilRestored);
        expect(await release.kubectl('logs', 'job/busbar-restore')).toBe(`${BACKUP} ${RESTORE_URL}\n`);
        await apply(world, jobs[1]);
        await type(release, start);
        await allSettled(release);
        expect(await isSuspended(release)).toBe(false);
        expect(await release.kubectl('get', 'scaledobjects', '--output=yaml')).not.toContain(PAUSED);
        expect(await release.kubectl('get', 'jobs', '--output=name')).toBe('');
        // kube-proxy learns a moment later that the pods are ready.
        await eventually(() => release.v2.statistics());
        expect(await charge(release)).toBeGreaterThan(lost);
        const stored = [kept, lost].map((id) => world.withStore((store) => hasSession(store, id)));
        expect(await Promise.all(stored)).toEqual([true, false]);
      } finally {
        await release.kubectl('delete', 'scaledobject', SCALED_OBJECT.metadata.name);
        await release.upgrade();
        await release.kubectl('delete', 'persistentvolumeclaim', CLAIM);
        await allSettled(release);
      }
    },
    TEST_MS,
  );
}

/** What the section expects to be there: backups, the Secrets of both Jobs, and KEDA. */
async function prepare({ cluster, release }: World): Promise<void> {
  const { api } = cluster;
  const url = await release.kubectl('get', 'secret', 'servers', '--output=go-template={{.data.store | base64decode}}');
  const items = [
    ...volumesFor(cluster, release.namespace, { [CLAIM]: '100Gi' }),
    secretOf(release.namespace, 'mongodb-backup', { url: RESTORE_URL }),
    secretOf(release.namespace, 'mongodb-restore', { url: RESTORE_URL }),
    secretOf(release.namespace, 'store', { url }),
    ...definitionsFor([SCALED_OBJECT]),
  ];
  await api.kubectl(['apply', '--server-side', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });
  await api.kubectl(['wait', 'customresourcedefinitions', '--all', '--for=condition=Established', '--timeout=60s']);
  await api.kubectl(['--namespace', release.namespace, 'apply', '-f', '-'], SCALED_OBJECT);
  writeFileSync(join(cluster.nodes[0].volumes, CLAIM, BACKUP), '');
  await release.upgrade({ backup: { mongodump: { enabled: true, existingSecret: { name: 'mongodb-backup' } } } });
}

/** Connects a charger, and charges once. Returns the id of its transaction. */
async function charge({ v2, chargerAddress }: Release): Promise<number> {
  const charger = await connectCharger({ url: `${chargerAddress}${CHARGER}` });
  expect(await charger.boot()).toMatchObject({ status: 'Accepted' });
  await eventually(async () => (await v2.read(CHARGER))?.activeConnection === true);
  const started = await charger.start();
  const transactionId = Number(started['transactionId']);
  expect(transactionId).toBeGreaterThan(0);
  await charger.stop({ transactionId });
  await charger.close();
  await eventually(async () => (await v2.read(CHARGER))?.activeConnection === false);
  return transactionId;
}

async function isSuspended(release: Release): Promise<boolean> {
  return (await release.kubectl('get', 'cronjob', CLAIM, '--output=jsonpath={.spec.suspend}')) === 'true';
}

interface Section {
  readonly stop: string;
  readonly start: string;
  /** The Jobs, with images that are there and the stand-in for mongorestore. */
  readonly jobs: readonly [restore: unknown, raiseCounters: unknown];
  /** The command that waits for the first Job; the one for the second is the first of `start`. */
  readonly untilRestored: string;
}

interface Job extends KubernetesObject {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly [{ readonly command: readonly string[] }] } };
  };
}

function restoreSection(): Section {
  const readme = readFileSync(join(CHART, 'README.md'), 'utf8');
  const text = readme.split('\n## Restore\n')[1]?.split('\n## ')[0] ?? '';
  const [, stop = '', start = '', ...otherCommands] = blocksOf(text, 'sh');
  const [restore, raiseCounters, ...otherJobs] = blocksOf(text, 'yaml').flatMap(objectsIn) as unknown as readonly Job[];
  const [, untilRestored] = /`(kubectl wait [^`]*job\/busbar-restore [^`]*)`/.exec(text) ?? [];
  if (restore === undefined || raiseCounters === undefined || untilRestored === undefined) throw new Error(text);
  expect([otherCommands, otherJobs]).toEqual([[], []]);
  return {
    stop,
    start,
    jobs: [withImage(restore, ['node', '-e', STAND_IN]), withImage(raiseCounters)],
    untilRestored,
  };
}

function blocksOf(text: string, language: string): readonly string[] {
  return text
    .split('```')
    .filter((block) => block.startsWith(`${language}\n`))
    .map((block) => block.slice(language.length + 1));
}

/** With the image of this cluster, and another command where one is given. */
function withImage(job: Job, command = job.spec.template.spec.containers[0].command): unknown {
  const pod = job.spec.template.spec;
  const container = { ...pod.containers[0], image: `${IMAGE}:1`, imagePullPolicy: 'Never', command };
  return { ...job, spec: { ...job.spec, template: { spec: { ...pod, containers: [container] } } } };
}

/** Runs lines of `kubectl` as a shell would. */
async function type(release: Release, lines: string): Promise<void> {
  for (const line of lines.trim().split('\n')) {
    const [program, ...words] = line.replace(/ #.*$/, '').match(/(?:[^\s']|'[^']*')+/g) ?? [];
    expect(program).toBe('kubectl');
    await release.kubectl(...words.map((word) => word.replaceAll("'", '')));
  }
}

async function apply({ cluster, release }: World, job: unknown): Promise<void> {
  await cluster.api.kubectl(['--namespace', release.namespace, 'apply', '-f', '-'], job);
}

async function readCounter(store: Store): Promise<number> {
  return (await store.collection(collections.counters).get('transactionId'))?.value ?? 0;
}

/** As a backup that was made before the transaction `lost`. */
async function takeBack(store: Store, { counter, lost }: { counter: number; lost: number }): Promise<void> {
  await store.collection(collections.sessions).delete(eq('transactionId', lost));
  await store.collection(collections.counters).update(eq('_id', 'transactionId'), { set: { value: counter } });
}

async function hasSession(store: Store, transactionId: number): Promise<boolean> {
  return (await store.collection(collections.sessions).count(eq('transactionId', transactionId))) > 0;
}
