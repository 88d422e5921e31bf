// deploy/Dockerfile, built by a container engine and run as deploy/README.md says. No registry of images is needed: its base is made of
// Debian by debootstrap and of the Node and npm of this machine.
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { containerEngineAnswers, eventually, FREE_PORTS, freePort } from '@busbar/testing';
import { http } from './harness/http';

const run = promisify(execFile);
const ROOT = join(__dirname, '../..');
const BASE = 'localhost/busbar-test-base:node';
const IMAGE = 'localhost/busbar-test:built';
const CONTAINER = 'busbar-test';
/** The prefix in the commands of the document: their containers and volumes begin with it. */
const DOCUMENTED = 'busbar-documented';
const REVISION = '0123456789ab';
const AUTHORITIES = 'etc/ssl/certs/ca-certificates.crt';
const OUTPUT_BYTES = 64 * 1024 * 1024;
const BUILD_MS = 20 * 60_000;
const TEST_MS = 180_000;
/** A container of a container has no right to the limits that podman sets by default. */
const CONTAINERS_CONF = '[containers]\ndefault_ulimits = ["nofile=16384:16384", "nproc=4096:4096"]\n';

const engine = (['podman', 'docker'] as const).find(containerEngineAnswers);

function whyNotBuilt(): string | undefined {
  if (engine === undefined) return 'neither podman nor docker answers';
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux may run debootstrap';
  return spawnSync('debootstrap', ['--version']).status === 0 ? undefined : 'there is no debootstrap';
}

const reason = whyNotBuilt();

describe('deploy/Dockerfile', () => {
  if (reason !== undefined) {
    process.stdout.write(`NOT TESTED: deploy/Dockerfile is not built, since ${reason}.\n`);
    // Not a skipped test: nothing that a project's files install would change it.
    it(`is not built here: ${reason}`, () => undefined);
    return;
  }

  let directory: string;
  let env: NodeJS.ProcessEnv;
  /** The command that starts the engine with them, for a shell. */
  let engineCommand: string;
  /** Runs a command of the engine, with images and containers of its own where the engine can have them; gives its standard output. */
  let engineRuns: (...args: readonly string[]) => Promise<string>;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-dockerfile-'));
    writeFileSync(join(directory, 'containers.conf'), CONTAINERS_CONF);
    const own = [
      '--root',
      join(directory, 'storage'),
      '--runroot',
      join(directory, 'run'),
      '--cgroup-manager',
      'cgroupfs',
    ];
    env = { ...process.env, CONTAINERS_CONF: join(directory, 'containers.conf') };
    engineCommand = engine === 'podman' ? ['podman', ...own].join(' ') : 'docker';
    engineRuns = async (...args) => {
      const all = engine === 'podman' ? [...own, ...args] : args;
      return (await run(engine ?? '', all, { env, maxBuffer: OUTPUT_BYTES })).stdout.trim();
    };
    await engineRuns('import', await makeBase(directory), BASE);
    const context = join(directory, 'context');
    await run('git', ['clone', '--quiet', '--no-hardlinks', ROOT, context]);
    const isolation = engine === 'podman' ? ['--isolation', 'chroot', '--pull=never'] : [];
    const args = ['--build-arg', `NODE_IMAGE=${BASE}`, '--build-arg', `BUSBAR_REVISION=${REVISION}`];
    const file = ['--file', join(context, 'deploy/Dockerfile'), '--tag', IMAGE, context];
    await engineRuns('build', ...isolation, '--network', 'host', ...args, ...file);
  }, BUILD_MS);

  afterAll(async () => {
    const containers = [CONTAINER, `${DOCUMENTED}-backup`, DOCUMENTED];
    await engineRuns('rm', '--force', '--volumes', ...containers).catch(() => undefined);
    await engineRuns('volume', 'rm', `${DOCUMENTED}-data`, `${DOCUMENTED}-backups`).catch(() => undefined);
    await engineRuns('rmi', '--force', IMAGE, BASE).catch(() => undefined);
    rmSync(directory, { recursive: true, force: true });
  }, TEST_MS);

  it('gives an image of user 1000:1000 with its labels', async () => {
    const [inspected] = JSON.parse(await engineRuns('image', 'inspect', IMAGE)) as readonly {
      readonly Config: { readonly User: string; readonly Labels: Readonly<Record<string, string>> };
    }[];
    expect(inspected?.Config.User).toBe('1000:1000');
    expect(inspected?.Config.Labels).toMatchObject({
      'org.opencontainers.image.title': 'Busbar',
      'org.opencontainers.image.revision': REVISION,
    });
  });

  it(
    'gives an image that runs on a read-only root without privileges, works, and stops with exit code 0',
    async () => {
      const internal = String(await freePort());
      const settings = { ...FREE_PORTS, INTERNAL_HOST: '127.0.0.1', INTERNAL_PORT: internal };
      await engineRuns(
        ...['run', '--detach', '--name', CONTAINER, '--network', 'host'],
        ...['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
        ...['--volume', '/app/data', '--volume', '/backups'],
        ...Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
        IMAGE,
      );
      const isReady = async (): Promise<boolean> =>
        (await http(`http://127.0.0.1:${internal}/readyz`).catch(() => undefined))?.status === 200;
      await eventually(isReady, TEST_MS / 2);
      const inContainer = (...command: readonly string[]) => engineRuns('exec', CONTAINER, ...command);
      expect(await inContainer('node', '-p', '[process.getuid(), process.getgid()].join()')).toBe('1000,1000');
      await expect(inContainer('node', '-e', 'fs.writeFileSync("/app/a", "")')).rejects.toThrow('EROFS');
      await expect(inContainer('npm', '--version')).rejects.toThrow('npm');
      expect(await inContainer('node', 'tools/admin/dist/main.js', 'smoke')).toContain('Everything works.');
      expect(await inContainer('node', 'tools/admin/dist/main.js', 'backup', '/backups/a.db')).toContain('saved');
      await engineRuns('stop', '--time', '60', CONTAINER);
      expect(await engineRuns('inspect', '--format', '{{.State.ExitCode}}', CONTAINER)).toBe('0');
    },
    TEST_MS,
  );

  it(
    'works with the commands of deploy/README.md for one process: start, backup, upgrade, restore, rollback',
    async () => {
      const internal = String(await freePort());
      const settings = { ...FREE_PORTS, INTERNAL_HOST: '127.0.0.1', INTERNAL_PORT: internal };
      const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
      writeFileSync(join(directory, 'env'), lines.join(''));
      const type = async (command = ''): Promise<string> =>
        (await run('sh', ['-e', '-c', asTyped(command, engineCommand, join(directory, 'env'))], { env })).stdout;
      const admin = (...words: readonly string[]) =>
        engineRuns('exec', DOCUMENTED, 'node', 'tools/admin/dist/main.js', ...words);
      const isReady = async (): Promise<boolean> =>
        (await http(`http://127.0.0.1:${internal}/readyz`).catch(() => undefined))?.status === 200;
      const [start, showKey, smoke, backUpDaily] = commandsOfBlock();
      const startAll = async (): Promise<void> => {
        await type(start);
        await eventually(isReady, TEST_MS / 2);
        expect(await type(smoke)).toContain('Everything works.');
        await type(backUpDaily);
      };

      await startAll();
      expect(await type(showKey)).toMatch(/\S{20,}/);
      await eventually(async () => (await engineRuns('logs', `${DOCUMENTED}-backup`)).includes('saved to /backups/'));
      await admin('client', 'create', 'before');

      for (const command of commandsOfRow('upgrade')) await type(command);
      await startAll();
      expect(await admin('client', 'list')).toContain('before');

      const [restore, restoreStopped] = commandsOfRow('restore');
      await admin('client', 'create', 'after');
      await type(restore);
      expect(await admin('client', 'list')).not.toContain('after');

      await admin('client', 'create', 'later');
      await engineRuns('stop', '--time', '60', DOCUMENTED);
      await type(restoreStopped);
      await engineRuns('start', DOCUMENTED);
      await eventually(isReady, TEST_MS / 2);
      expect(await admin('client', 'list')).toContain('before');
      expect(await admin('client', 'list')).not.toContain('later');

      for (const command of commandsOfRow('roll back')) await type(command);
      await startAll();
      expect(await admin('client', 'list')).toContain('before');
    },
    2 * TEST_MS,
  );
});

function chapterOfOneProcess(): string {
  const [, chapter = ''] = readFileSync(join(ROOT, 'deploy/README.md'), 'utf8').split(
    '\n## One process in a container\n',
  );
  return chapter.split('\n## ')[0] ?? '';
}

/** Its block of shell lines, as commands. */
function commandsOfBlock(): readonly string[] {
  const [, block = ''] = /```sh\n([^`]*)```/.exec(chapterOfOneProcess()) ?? [];
  const commands = block.replaceAll('\\\n', '').trim().split('\n');
  expect(commands).toHaveLength(4);
  return commands;
}

/** The commands in the row of its table that says how to do this. */
function commandsOfRow(what: string): readonly string[] {
  const row = chapterOfOneProcess()
    .split('\n')
    .find((line) => line.startsWith(`| ${what} `));
  const commands = [...(row ?? '').matchAll(/`([^`]+)`/g)].map(([, command = '']) => command);
  expect(commands.length).toBeGreaterThan(1);
  return commands;
}

/** With the image, the names and the engine of this test; the network of the machine, on loopback, in place of a published port. */
function asTyped(command: string, engineCommand: string, envFile: string): string {
  return command
    .replaceAll(/(?<= )busbar(?=[ -]|$)/g, DOCUMENTED)
    .replaceAll('busbar:0.1.0', IMAGE)
    .replaceAll('--publish 8443:8443', `--env-file ${envFile}`)
    .replaceAll('HOST=0.0.0.0', 'HOST=127.0.0.1')
    .replaceAll('docker run', 'docker run --network host')
    .replaceAll(/\bdocker (?=run|exec|stop|rm)/g, `${engineCommand} `);
}

/** An archive with what the official image of Node has, as far as the build needs it. */
async function makeBase(directory: string): Promise<string> {
  const root = join(directory, 'base');
  await run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', root], {
    maxBuffer: OUTPUT_BYTES,
  });
  const { stdout } = await run('npm', ['root', '--global']);
  const local = join(root, 'usr/local');
  mkdirSync(join(local, 'lib/node_modules'), { recursive: true });
  cpSync(process.execPath, join(local, 'bin/node'));
  cpSync(join(stdout.trim(), 'npm'), join(local, 'lib/node_modules/npm'), { recursive: true, dereference: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
  // The authorities that this machine trusts: its way to the registry of packages may have one of its own.
  cpSync(`/${AUTHORITIES}`, join(root, AUTHORITIES));
  mkdirSync(join(local, 'etc'), { recursive: true });
  writeFileSync(join(local, 'etc/npmrc'), `cafile=/${AUTHORITIES}\n`);
  const archive = join(directory, 'base.tar');
  await run('tar', ['--create', '--file', archive, '--directory', root, '--exclude', './dev/*', '.']);
  rmSync(root, { recursive: true, force: true });
  return archive;
}
