// The entry point of every `npm run …`: checks Node's version, installs and builds what is missing or
// out of date, then runs the program or task. Needs no installed package.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installStacks } from './interop.mjs';
import { installKubernetesTools } from './kubernetes/install.mjs';
import { prepare, Refusal, root, runProgram, tell } from './prepare.mjs';
import { installSchemathesis } from './schemathesis.mjs';

const OLDEST_NODE = [20, 19];

/** Programs that take over this process: no second process, no signals to pass on, their own exit code. */
const PROGRAMS = {
  start: 'services/all-in-one',
  gateway: 'services/ocpp-gateway',
  'charger-state': 'services/charger-state',
  'v2-api': 'services/v2-api',
  'legacy-api': 'services/legacy-api',
  admin: 'tools/admin',
  simulate: 'tools/simulate',
  bench: 'tools/bench',
};
/** The values of `--only`. */
const FUZZED = ['api', 'gateway'];
/** By file name: `npm test` skips slow tests and tests of single adapters on real servers. */
const SLOW_TESTS = '**/src/**/*.{integration,slow}.test.ts';
const ALL_TESTS = '**/src/**/*.test.ts';
const INTEROP_TESTS = '**/src/interop/*.interop.ts';
const CHART_TESTS = '**/src/chart/*.chart.ts';
/** The folders of foreign OCPP stacks that need nothing beyond what other tests need: npm, Java, Maven. */
const SHORT_INTEROP = ['npm', 'java'];
const TASKS = {
  test: runFastTests,
  'test:slow': (args) => runWithInterop(SLOW_TESTS, args),
  'test:all': (args) => runWithInterop(ALL_TESTS, args),
  faults: runFaults,
  fuzz: runFuzz,
  interop: runInterop,
  'test:chart': runChartTests,
  check,
};

await main().catch((error) => {
  if (!(error instanceof Refusal)) throw error;
  tell(error.message);
  process.exit(1);
});

async function main() {
  checkNode();
  const [command = 'start', ...args] = process.argv.slice(2);
  if (Object.hasOwn(PROGRAMS, command)) {
    await prepare({ buildToo: true });
    become(join(root, PROGRAMS[command], 'dist/main.js'), args);
  } else if (Object.hasOwn(TASKS, command)) {
    // Tests run from source; what they start as a process is built.
    await prepare({ buildToo: true });
    process.exitCode = await TASKS[command](args);
  } else {
    throw new Refusal(
      `Unknown command ${command}: there are ${[...Object.keys(PROGRAMS), ...Object.keys(TASKS)].join(', ')}.`,
    );
  }
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new Refusal(
    `Node ${OLDEST_NODE.join('.')} or newer is needed and this is ${process.versions.node}: install it from nodejs.org.`,
  );
}

function become(main, args) {
  process.argv = [process.execPath, main, ...args];
  createRequire(main)(main);
}

/** Everything but the slow tests. */
function runFastTests(args) {
  return runTests([...args, '--testPathIgnorePatterns', '/node_modules/', String.raw`\.(integration|slow)\.test\.ts$`]);
}

/** These tests; where no argument chooses among them, also some foreign OCPP stacks if the machine has what they need. */
async function runWithInterop(files, args) {
  const matches = [files];
  if (args.length === 0) {
    const stacks = await installStacks(SHORT_INTEROP);
    const lacking = stacks.find(({ skipped }) => skipped !== undefined);
    if (lacking === undefined || process.env.REQUIRE_REAL_SERVERS === '1') {
      process.env.INTEROP_STACKS = JSON.stringify(stacks);
      matches.push(INTEROP_TESTS);
    } else tell(`Without the foreign OCPP stacks: ${lacking.name} needs ${lacking.skipped}.`);
  }
  return runTests([...args, '--testMatch', ...matches]);
}

/** Jest with these arguments. Closes with the counts on a line of their own. */
async function runTests(args) {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-tests-'));
  const output = join(directory, 'results.json');
  try {
    const code = await runProgram([
      process.execPath,
      bin('jest/bin/jest.js'),
      '--json',
      `--outputFile=${output}`,
      ...args,
    ]);
    process.stdout.write(`${summaryOf(output)}\n`);
    return code;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The fault tests in their long form: `--minutes N` of random ones at the end, `--seed N` to have a sequence again. */
function runFaults(args) {
  return runForMinutes('FAULTS', '**/src/faults/*.faults.ts', args);
}

/**
 * Fuzzes the gateway with broken and hostile chargers, and the HTTP APIs with requests made from their documents:
 * `--minutes N` each; `--seed N` to have a run again; `--only gateway` or `--only api`.
 */
async function runFuzz(args) {
  const rest = [...args];
  const at = rest.indexOf('--only');
  const [, only = '*'] = at === -1 ? [] : rest.splice(at, 2);
  if (at !== -1 && !FUZZED.includes(only)) throw new Refusal(`--only wants one of ${FUZZED.join(', ')}.`);
  if (only !== 'gateway') process.env.SCHEMATHESIS = JSON.stringify(await installSchemathesis());
  return runForMinutes('FUZZ', `**/src/fuzz/${only}.fuzz.ts`, rest);
}

/** Chargers on OCPP stacks that others wrote, against the one-process mode. Arguments are Jest's: `-t java` runs one. */
async function runInterop(args) {
  process.env.INTEROP_STACKS = JSON.stringify(await installStacks());
  return runTests(['--testMatch', INTEROP_TESTS, '--runInBand', '--verbose', ...args]);
}

/** The Helm chart as text: rendered, checked against the schemas of Kubernetes, and read. Arguments are Jest's. */
async function runChartTests(args) {
  const { directory, skipped, failed } = await installKubernetesTools();
  if (directory === undefined) {
    const reason = failed ?? `${skipped} is needed`;
    if (failed !== undefined || process.env.REQUIRE_REAL_SERVERS === '1')
      throw new Refusal(`No chart tests: ${reason}.`);
    tell(`Without the tests of the chart: ${reason}.`);
    return 0;
  }
  process.env.KUBERNETES_TOOLS = directory;
  return runTests(['--testMatch', CHART_TESTS, ...args]);
}

function runForMinutes(prefix, files, args) {
  const rest = [...args];
  const value = (name) => {
    const at = rest.indexOf(name);
    if (at === -1) return undefined;
    const [, given] = rest.splice(at, 2);
    if (!/^\d+$/.test(given ?? '')) throw new Refusal(`${name} wants a whole number.`);
    return given;
  };
  const settings = { [`${prefix}_MINUTES`]: value('--minutes'), [`${prefix}_SEED`]: value('--seed') };
  for (const [name, given] of Object.entries(settings)) if (given !== undefined) process.env[name] = given;
  return runTests(['--testMatch', files, '--runInBand', '--verbose', ...rest]);
}

function summaryOf(file) {
  let results;
  try {
    results = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Jest itself failed and has printed why.
    return '0 passed, 1 failed, 0 skipped';
  }
  // A file that could not be loaded counts as one failure, so that it is never overlooked.
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
  const skipped = results.numPendingTests + results.numTodoTests;
  return `${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped`;
}

/** Formatting, lint, types, documents and the fast tests: all of them, whatever fails. */
async function check([option]) {
  if (option !== undefined && option !== '--without-tests') throw new Refusal('The one option is --without-tests.');
  const node =
    (...rest) =>
    () =>
      runProgram([process.execPath, ...rest]);
  const steps = {
    formatting: node(bin('prettier/bin/prettier.cjs'), '--check', '.'),
    lint: node(bin('eslint/bin/eslint.js'), '.'),
    types: node(bin('typescript/bin/tsc'), '-b'),
    'types of tests': node(bin('typescript/bin/tsc'), '-p', 'tsconfig.test.json'),
    'generated documents': node(join(root, 'tools/documents.mjs'), '--check'),
    'OpenAPI documents': node(join(root, 'tools/lint/openapi.mjs')),
    ...(option === undefined ? { tests: () => runFastTests([]) } : {}),
  };
  const failed = [];
  for (const [name, step] of Object.entries(steps)) {
    tell(`\n— ${name}`);
    const code = await step();
    if (code >= 128) return code;
    if (code !== 0) failed.push(name);
  }
  tell(failed.length === 0 ? '\nEverything is in order.' : `\nNot in order: ${failed.join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
}

function bin(path) {
  return join(root, 'node_modules', path);
}
