// Records `npm start` and `npm run simulate` on a terminal and writes docs/recording.svg. Run by hand: README.md beside it.
// The programs run as a newcomer starts them, with data of their own in a directory that is deleted afterwards.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderSvg } from './render.mjs';
import { playBack } from './screen.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const TARGET = join(ROOT, 'docs/recording.svg');
/** Shown in the recording, so it names no person and no machine. */
const DIRECTORY = '/tmp/busbar';
const START_LIMIT_MS = 120_000;
const SIMULATE_LIMIT_MS = 60_000;
/** GitHub and browsers load it with the page. */
const MAX_BYTES = 200_000;

const START = { command: 'npm start', columns: 108, rows: 37 };
const SIMULATE = { command: 'npm run simulate -- --chargers 3 --register', columns: 108, rows: 9 };
const CHARGING_MS = 22_000;

if (existsSync(DIRECTORY)) throw new Error(`${DIRECTORY} exists: delete it, it is used for the recording's data.`);
// Installs and builds where needed, outside the picture.
spawnSync('npm', ['start', '--', '--version'], { cwd: ROOT, env: environment(), stdio: 'inherit' });
mkdirSync(DIRECTORY, { mode: 0o700 });
const began = Date.now();
const service = startOnTerminal(START);
try {
  await service.shows(/INFO.*ready/, START_LIMIT_MS);
  // Later lines of the log would push the addresses off the screen.
  const started = [...service.output];
  const chargers = startOnTerminal(SIMULATE);
  await chargers.shows(/connected 3\/3/, SIMULATE_LIMIT_MS);
  await new Promise((resolve) => setTimeout(resolve, CHARGING_MS));
  await chargers.end();
  const panes = await Promise.all([
    playBack({ ...START, output: started }),
    playBack({ ...SIMULATE, output: chargers.output }),
  ]);
  const svg = renderSvg(panes);
  if (svg.length > MAX_BYTES)
    throw new Error(`The recording has ${String(svg.length)} bytes, above ${String(MAX_BYTES)}.`);
  writeFileSync(TARGET, svg);
  console.log(`${TARGET}: ${String(svg.length)} bytes`);
} finally {
  await service.end();
  rmSync(DIRECTORY, { recursive: true, force: true });
}

/**
 * Runs a command on a pseudo terminal of `script` (util-linux). `output` is what it printed, each piece with its time in ms
 * since the begin of the recording.
 */
function startOnTerminal({ command, columns, rows }) {
  const inner = `stty cols ${String(columns)} rows ${String(rows)}; exec ${command}`;
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', inner, '/dev/null'], {
    cwd: ROOT,
    env: environment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject));
  const output = [];
  child.stdout.setEncoding('utf8').on('data', (text) => output.push({ at: Date.now() - began, text }));
  const seen = () => output.map(({ text }) => text).join('');
  return {
    output,
    async shows(pattern, limitMs) {
      const deadline = Date.now() + limitMs;
      while (!pattern.test(seen())) {
        if (child.exitCode !== null || Date.now() > deadline) {
          throw new Error(`"${command}" did not show ${String(pattern)}:\n${seen()}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    /** Ctrl-C. */
    async end() {
      if (child.exitCode === null) child.stdin.write('\u0003');
      await ended;
    },
  };
}

/** Without npm's own settings of this machine, whose warnings would be in the picture. */
function environment() {
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return {
    ...Object.fromEntries(own),
    NPM_CONFIG_USERCONFIG: '/dev/null',
    NPM_CONFIG_UPDATE_NOTIFIER: 'false',
    STORE_URL: `file:${DIRECTORY}/data`,
    TERM: 'xterm-256color',
  };
}
