// The entry point of every `npm run …`: checks Node's version, installs and builds what is missing or
// out of date, then runs the program or task. Needs no installed package.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { installStacks } from './interop.mjs';
import { runInNamespaces } from './kubernetes/cluster/namespaces.mjs';
import { clusterHindrance, prepareCluster } from './kubernetes/cluster/prepare-cluster.mjs';
import { installKubernetesTools } from './kubernetes/install.mjs';
import { prepareNeighbours } from './neighbour.mjs';
import { prepare, print, Refusal, root, runProgram } from './prepare.mjs';
import { installSchemathesis } from './schemathesis.mjs';

const OLDEST_NODE = [20, 19];

/** Programs that take over this process: no second process, no signals to pass on, their own exit code. */
const PROGRAMS = {
  start: 'services/all-in-one',
  gateway: 'services/ocpp-gateway',
  'charger-state': 'services/charger-state',
  push: 'services/push',
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
/** In the namespaces of the cluster; those of the machine are about what is left of them. */
const CLUSTER_TESTS = '**/src/cluster/*.cluster.ts';
const MACHINE_TESTS = '**/src/cluster/*.machine.ts';
const INTEROP_TESTS = '**/src/interop/*.interop.ts';
/** Those that need a stack of SHORT_INTEROP alone: others compare with a package of PyPI. */
const SHORT_INTEROP_TESTS = '**/test-e2e/src/interop/*.interop.ts';
const CHART_TESTS = '**/src/chart/*.chart.ts';
/** The folders of foreign OCPP stacks that need nothing beyond what other tests need: npm, Java, Maven. */
const SHORT_INTEROP = ['npm', 'java'];
/** The fast tests wait for processes and time limits half of the time; slow ones put the machine under load. */
const FAST_WORKERS = Math.max(3, availableParallelism() - 1);
const TASKS = {
  test: runFastTests,
  'test:slow': (args) => runWithInterop(SLOW_TESTS, args),
  'test:all': (args) => runWithInterop(ALL_TESTS, args),
  faults: runFaults,
  fuzz: runFuzz,
  interop: runInterop,
  'test:chart': runChartTests,
  'test:cluster': runCluster,
  check,
};

await main().catch((error) => {
  if (!(error instanceof Refusal)) throw error;
  print(error.message);
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
  const ignored = ['--testPathIgnorePatterns', '/node_modules/', String.raw`\.(integration|slow)\.test\.ts$`];
  return runTests([...args, ...(choosesWorkers(args) ? [] : [`--maxWorkers=${FAST_WORKERS}`]), ...ignored]);
}

function choosesWorkers(args) {
  return args.some((arg) => ['-i', '-w', '--runInBand', '--maxWorkers'].includes(arg.split('=')[0]));
}

/** These tests; where no argument chooses among them, also some foreign OCPP stacks if the machine has what they need. */
async function runWithInterop(files, args) {
  const matches = [files];
  if (args.length === 0) {
    const stacks = await installStacks(SHORT_INTEROP);
    const lacking = stacks.find(({ skipped }) => skipped !== undefined);
    if (lacking === undefined || process.env.REQUIRE_REAL_SERVERS === '1') {
      process.env.INTEROP_STACKS = JSON.stringify(stacks);
      matches.push(SHORT_INTEROP_TESTS);
    } else print(`Without the foreign OCPP stacks: ${lacking.name} needs ${lacking.skipped}.`);
  }
  return runTests([...args, '--testMatch', ...matches]);
}

/** Jest with these arguments. Closes with the counts on a line of their own. */
async function runTests(args) {
  const { code, counts } = await runJest(args, runProgram);
  process.stdout.write(`${textOf(counts)}\n`);
  return code;
}

/** Jest with these arguments, run by `run`: its exit code and the counts. */
async function runJest(args, run) {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-tests-'));
  const output = join(directory, 'results.json');
  try {
    const code = await run([process.execPath, bin('jest/bin/jest.js'), '--json', `--outputFile=${output}`, ...args]);
    return { code, counts: countsIn(output) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * The fault tests in their long form: `--minutes N` of random ones at the end, `--seed N` to have a sequence again. `--rollout`:
 * instead of faults what operators plan, with `--from COMMIT` as the version before.
 */
async function runFaults(args) {
  if (!args.includes('--rollout')) return runForMinutes('FAULTS', '**/src/faults/*.faults.ts', args);
  const rest = args.filter((arg) => arg !== '--rollout');
  const at = rest.indexOf('--from');
  const [, commit] = at === -1 ? [] : rest.splice(at, 2);
  if (at !== -1 && commit === undefined) throw new Refusal('--from wants a commit.');
  const { older, newer, remove } = await prepareNeighbours(commit);
  Object.assign(process.env, { ROLLOUT_OLDER: older, ROLLOUT_NEWER: newer });
  try {
    return await runForMinutes('FAULTS', '**/src/rollout/*.rollout.ts', rest);
  } finally {
    remove();
  }
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
    print(`Without the tests of the chart: ${reason}.`);
    return 0;
  }
  process.env.KUBERNETES_TOOLS = directory;
  return runTests([...args, '--testMatch', CHART_TESTS]);
}

/**
 * In a real Kubernetes of two nodes on this machine. Without `--all` only what every change must pass. Arguments are Jest's:
 * `-t drain` runs one.
 */
async function runCluster(args) {
  const hindrance = clusterHindrance();
  if (hindrance?.missing !== undefined) {
    if (process.env.REQUIRE_REAL_SERVERS === '1')
      throw new Refusal(`The tests in a cluster need ${hindrance.missing}.`);
    print(`Skipped, the tests in a cluster need ${hindrance.missing}.`);
    process.stdout.write(`${textOf({ passed: 0, failed: 0, skipped: 1 })}\n`);
    return 0;
  }
  if (hindrance?.refused !== undefined) {
    // Nothing that is installed would change it: neither a failure nor a skip that somebody could mend here.
    print(`NOT TESTED in a cluster: the kernel of this machine refuses it, ${hindrance.refused}`);
    process.stdout.write(`${textOf({ passed: 0, failed: 0, skipped: 0 })}\n`);
    return 0;
  }
  const all = args.includes('--all');
  if (all) process.env.CLUSTER_ALL = '1';
  const rest = ['--runInBand', '--verbose', '--passWithNoTests', ...args.filter((arg) => arg !== '--all')];
  const { env, remove } = await prepareCluster({ all });
  Object.assign(process.env, env);
  try {
    const inside = await runJest(['--testMatch', CLUSTER_TESTS, ...rest], runInNamespaces);
    const outside = await runJest(['--testMatch', MACHINE_TESTS, ...rest], runProgram);
    const counts = Object.keys(inside.counts).map((key) => [key, inside.counts[key] + outside.counts[key]]);
    process.stdout.write(`${textOf(Object.fromEntries(counts))}\n`);
    return Math.max(inside.code, outside.code);
  } finally {
    remove();
  }
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

function countsIn(file) {
  let results;
  try {
    results = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Jest itself failed and has printed why.
    return { passed: 0, failed: 1, skipped: 0 };
  }
  return {
    passed: results.numPassedTests,
    // A file that could not be loaded counts as one failure, so that it is never overlooked.
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
    skipped: results.numPendingTests + results.numTodoTests,
  };
}

function textOf({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
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
    types: node(bin('typescript/bin/tsc'), '-b'),
    'types of the console': node(bin('typescript/bin/tsc'), '-p', 'apps/console'),
    'types of tests': node(bin('typescript/bin/tsc'), '-p', 'tsconfig.test.json'),
    'generated documents': node(join(root, 'tools/documents.mjs'), '--check'),
    'OpenAPI documents': node(join(root, 'tools/lint/openapi.mjs')),
    ...(option === undefined ? { tests: () => runFastTests([]) } : {}),
  };
  // As long as the others together, and like each of them on one processor: it runs beside them, and its output comes last.
  const lint = runBeside([process.execPath, bin('eslint/bin/eslint.js'), '.']);
  const failed = [];
  for (const [name, step] of Object.entries({ ...steps, lint })) {
    print(`\n— ${name}`);
    const code = await step();
    if (code >= 128) return code;
    if (code !== 0) failed.push(name);
  }
  print(failed.length === 0 ? '\nEverything is in order.' : `\nNot in order: ${failed.join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
}

/** Starts a program; the function it returns waits for the program's end, prints its output and resolves with its exit code. */
function runBeside(command) {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-check-'));
  const path = join(directory, 'output');
  const file = openSync(path, 'w');
  const ended = runProgram(command, file);
  return async () => {
    try {
      const code = await ended;
      process.stdout.write(readFileSync(path));
      return code;
    } finally {
      closeSync(file);
      rmSync(directory, { recursive: true, force: true });
    }
  };
}

function bin(path) {
  return join(root, 'node_modules', path);
}
