// The programs in examples/, as an integrator runs them: against the one-process mode and simulated chargers.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventually } from '@busbar/testing';
import { ROOT } from './harness/documented-commands';
import { openEmbeddedWorld } from './harness/embedded';
import { simulateCharger } from './harness/simulated-charger';
import { v2, type OwnWorld } from './harness/world';

const EXAMPLES = join(ROOT, 'examples');
/** Each starts several programs. */
const WITHIN_MS = 120_000;
/** More than one page of a list. */
const CHARGERS = 101;
const TAG = '04E91C5A123B80';

interface Language {
  readonly name: string;
  /** The command of an example of this name: `start-session`. */
  readonly command: (example: string) => readonly string[];
}

const CURL: Language = { name: 'CURL', command: (example) => ['sh', join(EXAMPLES, `curl/${example}.sh`)] };
const PYTHON: Language = {
  name: 'PYTHON',
  command: (example) => ['python3', join(EXAMPLES, `python/${example.replace('-', '_')}.py`)],
};
const TYPESCRIPT: Language = {
  name: 'TYPESCRIPT',
  command: (example) => [
    process.execPath,
    ...['--import', require.resolve('tsx')],
    join(EXAMPLES, `typescript/${example}.ts`),
  ],
};

let world: OwnWorld;
let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'busbar-examples-'));
  world = await openEmbeddedWorld();
  await v2(world, '/sites', { method: 'POST', body: { name: 'Harbour' } });
  for (let n = 0; n < CHARGERS; n++) {
    const body = { name: 'Quay', chargerId: `MANY_${String(n)}` };
    await v2(world, '/chargers', { method: 'POST', body });
  }
}, 60_000);
afterAll(async () => {
  await world.stop();
  rmSync(directory, { recursive: true });
});

/** The environment that examples/README.md names. */
function environment(): Record<string, string | undefined> {
  const certificate = join(world.storeUrl.replace('file:', ''), 'tls-cert.pem');
  return {
    PATH: process.env['PATH'],
    PYTHONDONTWRITEBYTECODE: '1',
    API_KEY: world.apiKey,
    BUSBAR_URL: world.addresses().v2.replace('/v2', ''),
    CURL_CA_BUNDLE: certificate,
    SSL_CERT_FILE: certificate,
    NODE_EXTRA_CA_CERTS: certificate,
  };
}

function run({ command }: Language, example: string, ...args: string[]): Promise<string> {
  const [program = '', ...given] = command(example);
  return new Promise((resolve, reject) => {
    execFile(program, [...given, ...args], { env: environment(), timeout: 90_000 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${example}\n${stdout}${stderr}`, { cause: error }));
    });
  });
}

describe.each([
  ['curl', CURL, it],
  ['Python', PYTHON, pythonTest()],
  ['TypeScript', TYPESCRIPT, it],
] as const)('the examples in %s', (_name, language, itWithLanguage) => {
  const prefix = `EXAMPLE-${language.name}`;
  const chargerId = `${prefix}_1`;

  itWithLanguage(
    'creates a charger, starts a session and finds it, and follows the log',
    async () => {
      // A repeated run creates nothing else.
      for (let n = 0; n < 2; n++) {
        expect(JSON.parse(await run(language, 'quickstart', chargerId))).toMatchObject({ chargerId, name: 'Quay' });
      }
      const charger = await simulateCharger(world, prefix);
      const log = follow(language, chargerId);
      const lines = (await run(language, 'start-session', chargerId, '1', TAG)).trim().split('\n');
      const [, transactionId, commandId] = /^session (\d+) of command (\w+)$/.exec(lines[0] ?? '') ?? [];
      const ended = { transactionId: Number(transactionId), chargerId, rfidTag: TAG, commandId, state: 'ended' };
      expect(JSON.parse(lines[1] ?? '')).toMatchObject(ended);
      await eventually(async () => {
        await v2(world, `/chargers/${chargerId}/trigger-message`, { method: 'POST', body: { message: 'Heartbeat' } });
        return log.rows().some(({ messageType }) => messageType === 'Heartbeat');
      });
      log.stop();
      await charger.stop();
    },
    WITHIN_MS,
  );

  itWithLanguage(
    'keeps an exact copy over two runs',
    async () => {
      const place = join(directory, language.name);
      if (language === CURL) mkdirSync(place);
      await run(language, 'nightly-sync', place);
      const first = language === CURL ? pagesIn(place) : copyIn(place);
      expect(first.filter((each) => each.startsWith('MANY_'))).toHaveLength(CHARGERS);
      const body = { name: `New ${language.name}`, chargerId: `${prefix}_NEW` };
      await v2(world, '/chargers', { method: 'POST', body });
      await run(language, 'nightly-sync', place);
      const second = language === CURL ? pagesIn(place) : copyIn(place);
      expect(second).toContain(`${prefix}_NEW New ${language.name}`);
    },
    WITHIN_MS,
  );
});

it(
  'gives the examples in TypeScript the types of the OpenAPI document',
  () => {
    const node = (...args: string[]): string =>
      execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' });
    const generator = join(dirname(require.resolve('openapi-typescript/package.json')), 'bin/cli.js');
    node(generator, join(ROOT, 'docs/api/v2.openapi.json'), '-o', join(directory, 'v2.d.ts'));
    const project = join(directory, 'tsconfig.json');
    const compilerOptions = {
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
      // The generated types count as beside the examples.
      rootDirs: [join(EXAMPLES, 'typescript'), directory],
    };
    writeFileSync(project, JSON.stringify({ compilerOptions, files: typescriptFiles() }));
    expect(node(require.resolve('typescript/bin/tsc'), '-p', project)).toBe('');
  },
  WITHIN_MS,
);

function typescriptFiles(): string[] {
  const folder = join(EXAMPLES, 'typescript');
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'));
  return names.map((name) => join(folder, name));
}

/** Python is a program of the machine. */
function pythonTest(): typeof it {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return it;
  } catch {
    if (process.env['REQUIRE_REAL_SERVERS'] === '1') return it;
    console.warn('Python 3 is missing: its examples are not run');
    return it.skip;
  }
}

function follow({ command }: Language, chargerId: string) {
  const [program = '', ...args] = command('follow-log');
  // A group of its own: the shell's has curl in it.
  const child = spawn(program, [...args, chargerId], { env: environment(), detached: true });
  let text = '';
  child.stdout.on('data', (piece) => (text += String(piece)));
  return {
    rows: () =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { messageType: string }),
    stop: () => process.kill(-Number(child.pid), 'SIGTERM'),
  };
}

interface Copied {
  readonly chargerId: string;
  readonly name: string;
}

/** Chargers of the copy, with their name. */
function copyIn(path: string): string[] {
  const { chargers } = JSON.parse(readFileSync(path, 'utf8')) as { chargers: { records: Record<string, Copied> } };
  return Object.values(chargers.records).map(({ chargerId, name }) => `${chargerId} ${name}`);
}

/** Chargers of the last run's pages, with their name. */
function pagesIn(folder: string): string[] {
  const pages = readdirSync(folder).filter((name) => /^chargers-\d+\.json$/.test(name));
  return pages.flatMap((name) => {
    const { items } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { items: readonly Copied[] };
    return items.map(({ chargerId, name: named }) => `${chargerId} ${named}`);
  });
}
