// The shell script of the CronJob, run as it is rendered: its folders are below a temporary one, and mongodump is a stand-in that writes down what it
// is given.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minimalValues, render, type KubernetesObject, type Values } from './helm';
import { objectOf, podOf, processOf, specOf, type Pod } from './objects';

const MONGODUMP = { enabled: true, existingSecret: { name: 'backup-user', key: 'uri' } };
const KEEP = 2;
const URL = 'mongodb://backup:se%23cret@mongo.example.com/?replicaSet=rs0&tls=true';
const URL_WITH_DATABASE = 'mongodb://busbar:se%23cret@mongo.example.com/busbar?replicaSet=rs0';
const NAME = /^busbar-\d{8}T\d{6}Z\.archive\.gz$/;
/** Writes down its arguments, its configuration, and the backups that there are while it runs. Refuses a database as mongodump does. */
const STAND_IN = `#!/bin/bash
printf '%s\\n' "$@" >"$RECORD/arguments"
for argument; do
  case "$argument" in
    --config=*) cp "\${argument#--config=}" "$RECORD/configuration" ;;
    --archive=*) archive="\${argument#--archive=}" ;;
    --oplog) oplog=yes ;;
  esac
done
if [ "$oplog" = yes ] && grep -qE '^uri: "[a-z+]+://[^/]+/[^?"]' "$RECORD/configuration"; then
  echo 'Failed: bad option: --oplog mode only supported on full dumps' >&2
  exit 1
fi
echo archived >"$archive"
ls >"$RECORD/meanwhile"
exit "$RESULT"
`;

describe('the CronJob', () => {
  const enabled = (more: Values): readonly KubernetesObject[] =>
    render(minimalValues({ backup: { mongodump: { ...MONGODUMP, ...more } } }));

  it('runs at its schedule, and never beside itself', () => {
    expect(specOf(objectOf(enabled({ schedule: '5 */6 * * *' }), 'CronJob'))).toMatchObject({
      schedule: '5 */6 * * *',
      concurrencyPolicy: 'Forbid',
    });
  });

  it('writes to a claim that an uninstallation keeps, or to one of the user', () => {
    const claim = objectOf(enabled({ persistence: { size: '70Gi', storageClass: 'slow' } }), 'PersistentVolumeClaim');
    expect(claim.metadata.annotations).toMatchObject({ 'helm.sh/resource-policy': 'keep' });
    expect(specOf(claim)).toMatchObject({ storageClassName: 'slow', resources: { requests: { storage: '70Gi' } } });
    expect(claimOf(enabled({}))).toBe(claim.metadata.name);
    const own = enabled({ persistence: { existingClaim: 'backups-of-ours' } });
    expect(own.filter(({ kind }) => kind === 'PersistentVolumeClaim')).toEqual([]);
    expect(claimOf(own)).toBe('backups-of-ours');
  });

  it('runs the command of the values in place of the script, with the URL beside it', () => {
    const command = ['sh', '-c', 'mongodump --config=/tmp/a | upload'];
    const pod = podOf(enabled({ command }), 'mongodump');
    expect(processOf(pod)).toMatchObject({ command });
    expect(secretAt(pod, '/secrets/mongodump')).toMatchObject({
      secretName: 'backup-user',
      items: [{ key: 'uri', path: 'url' }],
    });
  });

  it('has the URL of its own user, and nothing of the store but its authority', () => {
    const store = { existingSecret: { name: 'store' }, caSecret: { name: 'mongo-ca', key: 'authority.pem' } };
    const pod = podOf(render(minimalValues({ store, backup: { mongodump: MONGODUMP } })), 'mongodump');
    expect(secretAt(pod, '/secrets/store-ca')).toMatchObject({
      secretName: 'mongo-ca',
      items: [{ key: 'authority.pem', path: 'ca.crt' }],
    });
    expect(JSON.stringify(pod.spec)).not.toContain('"secretName":"store"');
    expect(processOf(pod).command?.[2]).toContain(' --sslCAFile=/secrets/store-ca/ca.crt --oplog ');
  });

  function secretAt(pod: Pod, path: string): unknown {
    const mount = processOf(pod).volumeMounts?.find(({ mountPath }) => mountPath === path);
    return pod.spec.volumes?.find(({ name }) => name === mount?.name)?.secret;
  }

  function claimOf(objects: readonly KubernetesObject[]): unknown {
    const volume = podOf(objects, 'mongodump').spec.volumes?.find(({ name }) => name === 'backups');
    return (volume?.['persistentVolumeClaim'] as { claimName: string } | undefined)?.claimName;
  }
});

describe('the script', () => {
  let root: string;
  let script: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'busbar-mongodump-'));
    for (const folder of ['backups', 'secrets/mongodump', 'tmp', 'bin', 'record'])
      mkdirSync(join(root, folder), { recursive: true });
    giveUrl(URL);
    writeFileSync(join(root, 'bin/mongodump'), STAND_IN, { mode: 0o755 });
    const objects = render(minimalValues({ backup: { mongodump: { ...MONGODUMP, keep: KEEP } } }));
    const [shell, flags, text = ''] = processOf(podOf(objects, 'mongodump')).command ?? [];
    expect([shell, flags]).toEqual(['bash', '-euc']);
    script = text.replaceAll(/\/(?:backups|secrets|tmp)\b/g, (path) => `${root}${path}`);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** As `kubectl create secret --from-file` keeps it. */
  function giveUrl(url: string): void {
    writeFileSync(join(root, 'secrets/mongodump/url'), `${url}\n`);
  }

  /** Gives the exit code. */
  function runScript(result = 0): number | null {
    const env = { PATH: `${join(root, 'bin')}:/usr/bin:/bin`, RECORD: join(root, 'record'), RESULT: String(result) };
    return spawnSync('bash', ['-euc', script], { env, cwd: '/', encoding: 'utf8' }).status;
  }

  function backups(): readonly string[] {
    return readdirSync(join(root, 'backups')).toSorted();
  }

  function recorded(name: string): string {
    return readFileSync(join(root, 'record', name), 'utf8');
  }

  it('gives a backup its name when it is whole', () => {
    expect(runScript()).toBe(0);
    expect(recorded('meanwhile')).toMatch(/^busbar-.*\.archive\.gz\.unfinished\n$/);
    expect(backups()).toEqual([expect.stringMatching(NAME)]);
    expect(readFileSync(join(root, 'backups', backups()[0] ?? ''), 'utf8')).toBe('archived\n');
  });

  it('backs up one point in time, with the URL in a file and in no argument', () => {
    expect(runScript()).toBe(0);
    const [config, ...others] = recorded('arguments').trimEnd().split('\n');
    expect(others).toEqual(['--oplog', '--gzip', expect.stringMatching(/^--archive=busbar-/)]);
    expect(config).toMatch(/^--config=\//);
    expect(recorded('configuration')).toBe(`uri: "${URL}"\n`);
  });

  it('fails with a URL that names a database, as mongodump refuses it with --oplog', () => {
    giveUrl(URL_WITH_DATABASE);
    expect(runScript()).toBe(1);
    expect(recorded('configuration')).toBe(`uri: "${URL_WITH_DATABASE}"\n`);
    expect(backups()).toEqual([]);
  });

  it('keeps the newest backups, and every other file', () => {
    const old = [
      'busbar-20250101T000000Z.archive.gz',
      'busbar-20250301T000000Z.archive.gz',
      'busbar-20250201T000000Z.archive.gz',
    ];
    for (const name of [...old, 'of-somebody-else.gz']) writeFileSync(join(root, 'backups', name), '');
    expect(runScript()).toBe(0);
    expect(backups()).toEqual([
      'busbar-20250301T000000Z.archive.gz',
      expect.stringMatching(NAME),
      'of-somebody-else.gz',
    ]);
  });

  it('fails where mongodump fails: nothing is left of that backup, and no older one is deleted', () => {
    const old = [
      'busbar-20250101T000000Z.archive.gz',
      'busbar-20250201T000000Z.archive.gz',
      'busbar-20250301T000000Z.archive.gz',
    ];
    for (const name of old) writeFileSync(join(root, 'backups', name), '');
    expect(runScript(1)).toBe(1);
    expect(existsSync(join(root, 'record/arguments'))).toBe(true);
    expect(backups()).toEqual(old);
  });
});
