// Generates docs/ocpp-2.md: the matrix of actions of OCPP 2.0.1 and 2.1, deviations, and each rule with its tests, or with what is not
// built. Run by itself it compares the file with what it would write.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { deviationRows, link, ONLY_2, testItem, testOf } from '../ocpp16/document.mjs';
import { RULES as RULES_16 } from '../ocpp16/rules.mjs';
import { readTests } from '../ocpp16/tests.mjs';
import { CASES, UNTESTED } from './certification-cases.mjs';
import { FROM_CHARGER, ROUTES, TO_CHARGER } from './matrix.mjs';
import { RULES } from './rules.mjs';
import { shownOfAction, shownOfRoute, testsOf2 } from './shown-by.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PATH = 'docs/ocpp-2.md';
const CASES_PATHS = ['', '-security', '-transactions', '-charging', '-data', '-monitoring'].map(
  (name) => `services/all-in-one/src/certification${name}.slow.test.ts`,
);
const TABLES = { '2.0.1, 2.1': 'libs/ocpp/src/v201/actions.ts', 2.1: 'libs/ocpp/src/v21/actions.ts' };
const ANSWERED_BY = {
  report: 'the gateway, after the confirm',
  decision: 'charger-state',
  both: 'charger-state',
  decisionWith: 'charger-state where it has a token, else the gateway',
  send: 'nobody',
};
/** Actions with these rows are of section "later": the test over all actions is theirs. */
const UNTESTED_ROWS = new Set(['', 'event']);

if (process.argv[1] === fileURLToPath(import.meta.url)) await check();

/** The whole document, as the formatter leaves it. Throws where a rule has neither a test nor what is missing. */
export async function describeOcpp2() {
  const tests = readTests(root);
  const lines = [
    '# OCPP 2.0.1 and 2.1',
    '',
    'What is built for these versions and what is not: messages, tolerated deviations, and rules with their',
    'tests. `npm run documents` generates it from the code and the test titles. Rules 1 to 70 of [docs/ocpp-1.6.md](ocpp-1.6.md) about',
    'connections and messages hold for these versions too; those of them that are of 2.x only, and tests of 2.x only, stand here.',
    '',
    ...matrix(tests),
    ...deviations(),
    ...rules(tests),
    ...cases(tests),
  ];
  const options = await prettier.resolveConfig(join(root, PATH));
  return prettier.format(lines.join('\n'), { ...options, parser: 'markdown' });
}

function matrix(tests) {
  const actions = readActions();
  const fromChargers = actions.filter(({ kind }) => kind !== 'command');
  const fromUs = actions.filter(({ kind }) => kind === 'command' || kind === 'both');
  const shownBy = (begin) => link(testOf(tests, begin).file);
  const names = actions.map(({ name }) => name);
  const ofAction = shownByName(testsOf2(tests, names));
  const sends = fromChargers.filter(({ kind }) => kind === 'send').map(({ name }) => name);
  return [
    '## Messages from chargers',
    '',
    `Each is answered with a payload that fits its schema, and is in the log (\`GET /v2/chargers/:chargerId/ocpp-logs\`): ${shownBy('126. gets an answer to … that')} sends every one,`,
    `and ${sends.map((name) => `${shownBy(`115. takes ${name}`)} ${name}`).join(', ')}.`,
    'The tests of each are named by their rule, their case of the certification or their file; where none is, that one is the only one.',
    '',
    '| action | versions | answered by | readable beside the log | tests |',
    '| --- | --- | --- | --- | --- |',
    ...fromChargers.map(
      ({ name, kind, versions }) =>
        `| ${name} | ${versions} | ${ANSWERED_BY[kind]} | ${cell('FROM_CHARGER', FROM_CHARGER, name)} | ${ofAction(name, FROM_CHARGER)} |`,
    ),
    '',
    '## Messages to chargers',
    '',
    'Calls without a version are below `/v2/chargers/:chargerId`. `POST …/calls` sends any of these actions, validated against its schema, and is the only call of those',
    `without another: ${shownBy('130. is sent … by POST /calls')} has it send every one.`,
    '',
    '| action | versions | API call | tests |',
    '| --- | --- | --- | --- |',
    ...fromUs.map(
      ({ name, versions }) =>
        `| ${name} | ${versions} | ${cell('TO_CHARGER', TO_CHARGER, name)} | ${ofAction(name, TO_CHARGER)} |`,
    ),
    '',
    ...routes(tests),
  ];
}

/** Throws where an action that is not only logged and sent by `POST …/calls` has no test of its own. */
function shownByName(tests) {
  return (name, rows) => {
    const shown = shownOfAction(tests, name);
    if (shown === '' && !UNTESTED_ROWS.has(cell('rows', rows, name))) throw new Error(`No test of 2.x names ${name}.`);
    return shown;
  };
}

function routes(tests) {
  return [
    '## Calls of the v2 API for OCPP 2.x',
    '',
    '| call | tests |',
    '| --- | --- |',
    ...ROUTES.map(([method, path]) => {
      const shown = shownOfRoute(tests, method, path);
      if (shown === '') throw new Error(`No test sends ${method} ${path}.`);
      return `| \`${method} /v2${path}\` | ${shown} |`;
    }),
    '',
  ];
}

function cell(table, rows, name) {
  if (rows[name] === undefined) throw new Error(`${table} of tools/ocpp2/matrix.mjs has no row for ${name}.`);
  return rows[name];
}

/** Reads the tables of actions: its rows are calls whose first or second argument is the name. A later row wins nothing here. */
function readActions() {
  const byName = new Map();
  for (const [versions, path] of Object.entries(TABLES)) {
    const source = readFileSync(join(root, path), 'utf8');
    const rows = source.matchAll(/^ {2}(report|decisionWith|decision|both|send|command)\((?:'[a-z]\w*', )?'(\w+)'/gm);
    for (const [, kind, name] of rows) if (!byName.has(name)) byName.set(name, { name, kind, versions });
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function deviations() {
  return [
    '## Tolerated deviations of OCPP 2.x',
    '',
    'In addition to those of [docs/ocpp-1.6.md](ocpp-1.6.md#tolerated-deviations), which are tolerated here too.',
    '',
    '| kind | what the charger did | rule, switch |',
    '| --- | --- | --- |',
    ...deviationRows({ isOf2: true }),
    '',
  ];
}

/** Those of 2.x, and of those of every version the tests that docs/ocpp-1.6.md leaves out. */
function rules(tests) {
  const lines = ['## Rules', ''];
  const testsOf = (number) => tests.filter(({ name }) => new RegExp(`(^|[;:,] )${number}\\. `).test(name));
  const ofEveryVersion = Object.keys(RULES_16).map((number) => {
    const shown = testsOf(number).filter(({ file }) => ONLY_2.test(file));
    return [number, { text: `[As in OCPP 1.6](ocpp-1.6.md#${number}).`, shown }];
  });
  const all = { ...Object.fromEntries(ofEveryVersion.filter(([, { shown }]) => shown.length > 0)), ...RULES };
  for (const [number, { text, missing, shown = testsOf(number) }] of Object.entries(all)) {
    if (shown.length === 0 && missing === undefined) throw new Error(`No test begins with "${number}. ".`);
    const unbuilt = missing === undefined ? [] : [`Not built: ${missing}.`, ''];
    lines.push(`### ${number}`, '', text, '', ...unbuilt, ...shown.map((test) => testItem(test, number)), '');
  }
  return lines;
}

/** By block: the cases of the certification in Core and Advanced Security, and those that have no test, with the reason. Skipped tests are none. */
function cases(tests) {
  const titles = tests.filter(({ file }) => CASES_PATHS.includes(file)).map(({ name }) => name);
  const tested = new Set(titles.flatMap((title) => title.match(/TC_[A-Z]_\d\d/g) ?? []));
  const links = CASES_PATHS.map((path) => `[${path.split('/').at(-1)}](../${path})`).join(', ');
  const known = new Set(CASES.flatMap(({ ids }) => ids));
  for (const id of tested)
    if (!known.has(id)) throw new Error(`${id} is no case of tools/ocpp2/certification-cases.mjs.`);
  const untested = [...known].filter((id) => !tested.has(id));
  if (untested.join() !== Object.keys(UNTESTED).join())
    throw new Error(
      `Without a test are ${untested.join(', ')}: UNTESTED of tools/ocpp2/certification-cases.mjs differs.`,
    );
  return [
    '## Certification cases',
    '',
    `The cases of OCA Part 6 (2.0.1) for a central system in Core and Advanced Security, and the others about local lists, reservations, smart charging, installed certificates, monitors and display messages, by their ids: ${links}`,
    'run them with a scripted charger on one side and the v2 API on the other. `.ci/run` runs them too, and fails with each.',
    '',
    '| block | tested | missing, and why |',
    '| --- | --- | --- |',
    ...CASES.map(({ block, ids }) => {
      const shown = ids.filter((id) => tested.has(id)).join(', ');
      const missing = ids.filter((id) => !tested.has(id)).map((id) => `${id}: ${UNTESTED[id]}`);
      return `| ${block} | ${shown} | ${missing.join('. ')} |`;
    }),
    '',
  ];
}

async function check() {
  if (readFileSync(join(root, PATH), 'utf8') === (await describeOcpp2())) return;
  process.stderr.write(`${PATH} is out of date: npm run documents writes it.\n`);
  process.exitCode = 1;
}
