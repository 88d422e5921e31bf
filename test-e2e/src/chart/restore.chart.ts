// The section "Restore" of the chart's README: that its commands and Jobs fit what the chart renders, and its script, run with a stand-in for
// mongorestore that refuses what the real one refuses.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { CHART, minimalValues, objectsIn, OPTIONAL_LINE, render, type KubernetesObject } from './helm';
import { objectOf, podOf, podsOf, processOf, type Container, type PodSpec } from './objects';

const URL = 'mongodb://restore:se%23cret@mongo.example.com/?replicaSet=rs0&tls=true';
const URL_WITH_DATABASE = 'mongodb://restore:se%23cret@mongo.example.com/busbar';
const STAND_IN = `#!/bin/bash
printf '%s\\n' "$@" >"$RECORD"
for argument; do
  case "$argument" in --config=*) configuration="\${argument#--config=}" ;; esac
done
if grep -qE '^uri: "[a-z+]+://[^/]+/[^?"]' "$configuration"; then
  echo 'Failed: cannot use --oplogReplay with includes specified' >&2
  exit 1
fi
cat "$configuration" >>"$RECORD"
`;

const readme = readFileSync(join(CHART, 'README.md'), 'utf8');
const section = readme.split('\n## Restore\n')[1]?.split('\n## ')[0] ?? '';
const jobsIn = (text: string): readonly KubernetesObject[] =>
  [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].flatMap(([, yaml = '']) => objectsIn(yaml));
const jobs = jobsIn(section);
const withAuthority = jobsIn(section.replaceAll(OPTIONAL_LINE, '$1'));

const services = render(
  minimalValues({
    store: { caSecret: { name: 'store-ca' } },
    backup: { mongodump: { enabled: true, existingSecret: { name: 'mongodb-backup' } } },
  }),
);
const oneProcess = render({ mode: 'allInOne', backup: { enabled: true } });

function containerOf(objects: readonly KubernetesObject[], name: string): Container & { readonly pod: PodSpec } {
  const { spec } = objectOf(objects, 'Job', name) as unknown as { spec: { template: { spec: PodSpec } } };
  const [container] = spec.template.spec.containers;
  if (container === undefined) throw new Error('a pod without containers');
  return { ...container, pod: spec.template.spec };
}

/** As in a release that is called busbar. */
function namesOf(objects: readonly KubernetesObject[], kind: string): readonly string[] {
  const all = objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);
  return all.map((name) => name.replace('charge-busbar', 'busbar')).toSorted();
}

describe('the commands', () => {
  const scaled = [...section.matchAll(/^kubectl scale (.*) --replicas=(\d+)$/gm)].map(
    ([, names = '', replicas]) => [names.split(' ').map((name) => name.replace('deployment/', '')), replicas] as const,
  );

  it('stops the gateways, then all others, and starts all', () => {
    const others = namesOf(services, 'Deployment').filter((name) => name !== 'busbar-gateway');
    expect(scaled.map(([names, replicas]) => [names.toSorted(), replicas])).toEqual([
      [['busbar-gateway'], '0'],
      [others, '0'],
      [namesOf(services, 'Deployment'), '2'],
    ]);
  });

  it('waits for the pods of the components that they stopped', () => {
    const selectors = [...section.matchAll(/^kubectl wait --for=delete pod --selector=('[^']+'|\S+) /gm)].map(
      ([, selector = '']) => selector,
    );
    const components = selectors.flatMap(
      (selector) => selector.match(/(?:gateway|charger-state|push|v2-api|legacy-api)/g) ?? [],
    );
    const labels = podsOf(services)
      .filter(({ owner }) => owner.kind === 'Deployment')
      .map((pod) => pod.labels['app.kubernetes.io/component']);
    expect(components.toSorted()).toEqual(labels.toSorted());
  });

  it('suspends the CronJob, and resumes it', () => {
    const patched = [...section.matchAll(/^kubectl patch cronjob (\S+) --patch '(.*)'$/gm)];
    expect(patched.map(([, name]) => [name])).toEqual(
      [...namesOf(services, 'CronJob'), ...namesOf(services, 'CronJob')].map((name) => [name]),
    );
    expect(patched.map(([, , patch = '']) => parse(patch) as unknown)).toEqual([
      { spec: { suspend: true } },
      { spec: { suspend: false } },
    ]);
  });

  it('runs in the container that has the backups, for the one process', () => {
    const [name] = namesOf(oneProcess, 'StatefulSet');
    const { name: container, volumeMounts } = processOf(podOf(oneProcess, 'all-in-one'));
    expect(section).toContain(
      `kubectl exec ${name ?? ''}-0 --container=${container} -- node tools/admin/dist/main.js restore /backups/FILE`,
    );
    expect(volumeMounts).toContainEqual({ name: 'backups', mountPath: '/backups' });
  });
});

describe('the Job that restores', () => {
  const mongodump = podOf(services, 'mongodump');
  const { image, pod } = containerOf(jobs, 'busbar-restore');

  it('has the image and the claim of the backups', () => {
    expect(image).toBe(processOf(mongodump).image);
    const claim = { persistentVolumeClaim: { claimName: 'busbar-mongodump' } };
    expect(pod.volumes).toContainEqual({ name: 'backups', ...claim });
    expect(namesOf(services, 'PersistentVolumeClaim')).toEqual(['busbar-mongodump']);
  });

  it.each(['busbar-restore', 'busbar-raise-counters'])('runs %s as the pods of the chart do', (name) => {
    const job = containerOf(jobs, name);
    expect(mongodump.spec.securityContext).toMatchObject(job.pod.securityContext);
    expect(job.securityContext).toEqual(processOf(mongodump).securityContext);
  });
});

describe('store.caSecret', () => {
  it('is mounted in both Jobs where the chart mounts it, by the lines that are comments', () => {
    for (const name of ['busbar-restore', 'busbar-raise-counters']) {
      const mounted = { name: 'store-ca', mountPath: '/secrets/store-ca', readOnly: true };
      expect(containerOf(jobs, name).volumeMounts).not.toContainEqual(mounted);
      const { volumeMounts, pod } = containerOf(withAuthority, name);
      expect(volumeMounts).toContainEqual(mounted);
      expect(pod.volumes?.find((volume) => volume.name === 'store-ca')?.secret).toEqual({
        secretName: 'store-ca',
        items: [{ key: 'ca.crt', path: 'ca.crt' }],
      });
    }
    const file = processOf(podOf(services, 'v2-api')).env?.find(({ name }) => name === 'STORE_CA_FILE');
    expect(containerOf(withAuthority, 'busbar-raise-counters').env).toContainEqual(file);
  });
});

describe('the script of the Job that restores', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'busbar-restore-'));
    for (const folder of ['backups', 'secrets/mongorestore', 'tmp', 'bin'])
      mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, 'bin/mongorestore'), STAND_IN, { mode: 0o755 });
    for (const name of ['busbar-20250101T000000Z', 'busbar-20250301T000000Z', 'busbar-20250201T000000Z'])
      writeFileSync(join(root, `backups/${name}.archive.gz`), '');
    writeFileSync(join(root, 'backups/of-somebody-else.gz'), '');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function runScript(url: string, more: Readonly<Record<string, string>> = {}): readonly [number | null, string] {
    writeFileSync(join(root, 'secrets/mongorestore/url'), `${url}\n`);
    const { command = [], env = [] } = containerOf(jobs, 'busbar-restore');
    const script = (command[2] ?? '').replaceAll(/\/(?:backups|secrets|tmp)\b/g, (path) => `${root}${path}`);
    const own = Object.fromEntries(env.map(({ name, value = '' }) => [name, value]));
    const record = join(root, 'record');
    const { status } = spawnSync('bash', ['-euc', script], {
      env: { ...own, ...more, PATH: `${join(root, 'bin')}:/usr/bin:/bin`, RECORD: record },
      cwd: '/',
    });
    return [status, readFileSync(record, 'utf8').replaceAll(root, '')];
  }

  const lines = (file: string, ...more: readonly string[]): string =>
    [
      '--config=/tmp/mongorestore.yaml',
      ...more,
      '--oplogReplay',
      '--drop',
      '--gzip',
      `--archive=busbar-${file}.archive.gz`,
      `uri: "${URL}"`,
      '',
    ].join('\n');

  it('restores the newest backup, with the URL in a file and in no argument', () => {
    expect(runScript(URL)).toEqual([0, lines('20250301T000000Z')]);
  });

  it('restores the backup of BACKUP, and trusts the authority of CA_FILE', () => {
    const more = { BACKUP: 'busbar-20250201T000000Z.archive.gz', CA_FILE: '/secrets/store-ca/ca.crt' };
    expect(runScript(URL, more)).toEqual([0, lines('20250201T000000Z', '--sslCAFile=/secrets/store-ca/ca.crt')]);
  });

  it('fails with a URL that names a database, as mongorestore refuses it with --oplogReplay', () => {
    expect(runScript(URL_WITH_DATABASE)[0]).toBe(1);
  });
});
