// Generates docs/ocpp-1.6.md: the matrix of actions, deviations, and each rule with its tests. A rule without a test fails.
// Run by itself it compares the file with what it would write.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { FROM_CHARGER, TO_CHARGER } from './matrix.mjs';
import { RULES } from './rules.mjs';
import { readTests } from './tests.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PATH = 'docs/ocpp-1.6.md';
const ACTIONS = 'libs/ocpp/src/v16/actions.ts';
const DEVIATIONS = 'libs/ocpp/src/deviation.ts';
/** Tests of these files open real sockets. */
const ON_SOCKETS = /^(services\/ocpp-gateway\/src\/rules|services\/all-in-one\/src|test-e2e\/src)\//;

/** Tests of OCPP 2.x alone, and rules of it. */
export const ONLY_2 = /\/v2(?:01|1)?\/|ocpp2|rpc2/;
const FIRST_RULE_2 = 101;

if (process.argv[1] === fileURLToPath(import.meta.url)) await check();

/** The whole document, as the formatter leaves it. Throws where a message or a promise has no test. */
export async function describeOcpp16() {
  const tests = readTests(root).filter(({ file }) => !ONLY_2.test(file));
  const lines = [
    '# OCPP 1.6',
    '',
    'Supported messages, tolerated deviations, and the rules that chargers can rely on, each with its tests. `npm run documents` generates this',
    'file from the code and the test titles. Rules for OCPP 2.x only are left out.',
    '',
    ...matrix(),
    ...deviations(),
    ...promises(tests),
    ...messages(tests),
  ];
  const options = await prettier.resolveConfig(join(root, PATH));
  return prettier.format(lines.join('\n'), { ...options, parser: 'markdown' });
}

function matrix() {
  const actions = readActions();
  const rows = (from, table) =>
    actions
      .filter(({ by }) => by.includes(from))
      .map(({ name, answer }) => {
        const row = table[name];
        if (row === undefined) throw new Error(`tools/ocpp16/matrix.mjs has no row for ${name}.`);
        const [call, notes] = row;
        return from === 'charger'
          ? `| ${name} | yes | ${answer} | ${call} | ${notes} |`
          : `| ${name} | yes | ${call} | ${notes} |`;
      });
  return [
    '## Messages from chargers',
    '',
    '| action | supported | answered by | readable through | notes |',
    '| --- | --- | --- | --- | --- |',
    ...rows('charger', FROM_CHARGER),
    '',
    '## Messages to chargers',
    '',
    'Calls are below `/v2/chargers/:chargerId`. `POST …/calls` sends any of these actions, validated against its schema.',
    '',
    '| action | supported | API call | notes |',
    '| --- | --- | --- | --- |',
    ...rows('us', TO_CHARGER),
    '',
  ];
}

function messages(tests) {
  const actions = readActions();
  const table = (title, from, what) => [
    `## ${title}`,
    '',
    `| message | ${what} | shown by |`,
    '| --- | --- | --- |',
    ...actions
      .filter(({ by }) => by.includes(from))
      .map(({ name, answer }) => {
        const test = testOf(tests, from === 'charger' ? `answers ${name} of a charger` : `sends ${name} to a charger`);
        const shown = `${test.name} (${link(test.file)})`;
        return `| ${name} | ${from === 'charger' ? answer : 'the charger'} | ${shown} |`;
      }),
    '',
  ];
  return [
    ...table('Tests of messages from chargers', 'charger', 'answered by'),
    ...table('Tests of messages to chargers', 'us', 'answered by'),
  ];
}

/** The first test whose title begins so. Throws where there is none. */
export function testOf(tests, begin) {
  const found = tests.find(({ name }) => name.startsWith(begin));
  if (found === undefined) throw new Error(`No test begins with "${begin}".`);
  return found;
}

/** Reads the table of actions: its rows are calls with the name as a text, and one object. */
function readActions() {
  const source = readFileSync(join(root, ACTIONS), 'utf8');
  const rows = [...source.matchAll(/^ {2}(?:(report|decision|command)\('(\w+)'|\{ name: '(\w+)', from: 'both')/gm)];
  return rows
    .map(([, kind, name, both]) => ({
      name: name ?? both,
      by: both === undefined ? [kind === 'command' ? 'us' : 'charger'] : ['charger', 'us'],
      answer: kind === 'report' ? 'the gateway, after the confirm' : 'charger-state',
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function deviations() {
  return [
    '## Tolerated deviations',
    '',
    'Counted on the charger (v2: `deviations`) and in `busbar_gateway_deviations_total`; `clock_off`, `surplus_connector`, `reused_seq_no` and `reused_transaction_id`, which only the record shows,',
    'in `busbar_state_deviations_total`. Where a switch of the charger’s `compatibility` is named',
    '(v2: PATCH of the charger; `npm run admin -- charger compatibility`), turning it off makes Busbar refuse, from the charger’s next connection on.',
    '`OCPP_STRICT=true` refuses whatever the switches say.',
    '',
    '| kind | what the charger did | rule, switch |',
    '| --- | --- | --- |',
    ...deviationRows({ isOf2: false }),
    '',
  ];
}

/** Reads the closed list: each kind with the comment above it. `isOf2`: those of OCPP 2.x alone. Throws where a kind has no comment. */
export function deviationRows({ isOf2 }) {
  const source = readFileSync(join(root, DEVIATIONS), 'utf8');
  const list = source.slice(source.indexOf('export const DEVIATIONS = {'), source.indexOf('\n} as const'));
  const kinds = [...list.matchAll(/^ {2}\/\*\* (.*) \*\/\n {2}(\w+):\s+'(.*)',$/gm)];
  const all = [...list.matchAll(/^ {2}\w+:/gm)];
  if (kinds.length !== all.length) throw new Error(`${DEVIATIONS} has a kind without a comment of one line.`);
  return kinds
    .filter(([, rule]) => Number(/\d+/.exec(rule)?.[0] ?? 0) >= FIRST_RULE_2 === isOf2)
    .map(([, rule, kind, meaning]) => `| ${kind} | ${meaning} | ${rule.replace(/^Rules? |\.$/g, '')} |`);
}

function promises(tests) {
  const lines = ['## Rules', ''];
  for (const [number, text] of Object.entries(RULES)) {
    const shown = tests.filter(({ name }) => new RegExp(`(^|[;:,] )${number}\\. `).test(name));
    if (shown.length === 0) throw new Error(`No test begins with "${number}. ": ${text}`);
    const [onSockets, besides] = [shown.filter(isOnSocket), shown.filter((test) => !isOnSocket(test))];
    lines.push(`### ${number}`, '', text, '', ...onSockets.map((test) => item(test, number)));
    if (besides.length > 0) lines.push(...besides.map((test) => `${item(test, number)}, without a socket`));
    lines.push('');
  }
  return lines;
}

function isOnSocket({ file }) {
  return ON_SOCKETS.test(file);
}

/** One test as an item of a rule's list. */
export function testItem(test, number) {
  return `${item(test, number)}${isOnSocket(test) ? '' : ', without a socket'}`;
}

function item({ name, unit, file, cases }, number) {
  const title = name.startsWith(`${number}. `) ? name.slice(number.length + 2) : name;
  const text = escaped(`${unit} ${title}`.trim());
  return `- ${text}${cases > 1 ? ` (${String(cases)} cases)` : ''} — ${link(file)}`;
}

/** A test file, for a document in docs/. */
export function link(file) {
  return `[${file.split('/').at(-1)}](../${file})`;
}

/** Escapes the characters of Markdown. */
function escaped(text) {
  return text.replace(/[\\`*_{}[\]<>|#]/g, '\\$&');
}

async function check() {
  if (readFileSync(join(root, PATH), 'utf8') === (await describeOcpp16())) return;
  process.stderr.write(`${PATH} is out of date: npm run documents writes it.\n`);
  process.exitCode = 1;
}
