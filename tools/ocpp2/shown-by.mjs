// Finds the tests of an action and of a route of the API in the sources of the tests, so that docs/ocpp-2.md keeps no list of them.
import { ONLY_2 } from '../ocpp16/document.mjs';

const MAX_LINKS = 3;
const FIRST_RULE_2 = 101;
/** Helpers of tests that are not named as their method. */
const METHODS = { list: 'GET' };
/** Tests of the certification have 2.x alone. */
const IS_OF_2 = /\/certification[\w-]*\.slow\.test\.ts$/;

/** The tests of 2.x among those of `readTests`, each with the actions that it names: `{…test, named}`. */
export function testsOf2(tests, actions) {
  return tests
    .filter((test) => isOf2(test))
    .map((test) => ({ ...test, named: actions.filter((action) => names(test, action)) }));
}

/** A file of 2.x alone, or in another file a test that says so. */
function isOf2({ file, name, body }) {
  if (!/^(services|test-e2e|libs)\//.test(file) || file.includes('/v16/')) return false;
  return ONLY_2.test(file) || IS_OF_2.test(file) || labelOf(name) !== undefined || /ocpp2\./.test(body);
}

/** In quotes, as a word of the title, or, where its name has several words, as the name of a handler or operation. */
function names({ name, unit, body }, action) {
  const handler = action[0].toLowerCase() + action.slice(1);
  const isOneWord = /^[A-Z][a-z]+$/.test(action);
  const inCode = isOneWord ? `['"]${action}['"]|\\(${handler},` : `['"]${action}['"]|\\b${handler}\\b`;
  return new RegExp(inCode).test(body) || isInTitle({ name, unit }, action);
}

function isInTitle({ name, unit }, action) {
  return new RegExp(`\\b[${action[0]}${action[0].toLowerCase()}]${action.slice(1)}\\b`).test(`${unit} ${name}`);
}

/**
 * Links to at most three tests of an action, of those of `testsOf2`: first those whose title names it, then those of services,
 * then those that name the fewest others. Empty where no test names it.
 */
export function shownOfAction(tests, action) {
  const rank = (test) => [isInTitle(test, action) ? 0 : 1, test.file.startsWith('libs/') ? 1 : 0, test.named.length];
  return links(
    tests.filter(({ named }) => named.includes(action)),
    rank,
  );
}

/** Links to at most three tests that send `method` to `path`, a path below `/v2` with `:name` for its parts. Empty where none does. */
export function shownOfRoute(tests, method, path) {
  const call = routePattern(path);
  const sends = ({ body }) =>
    [...body.matchAll(call)].some(
      ([, sent, helper]) => (sent ?? METHODS[helper] ?? helper?.toUpperCase() ?? 'GET') === method,
    );
  return links(tests.filter(sends), () => []);
}

/**
 * A call with the method in quotes before the path, or by a helper that has its name. Without either it is GET, and then the path is a
 * whole one.
 */
function routePattern(path) {
  const part = String.raw`(?:\$\{[^}]+\}|[\w-]+)`;
  const [, isOfCharger, rest] = /^(\/chargers\/:chargerId\/)?(.*)$/.exec(path);
  const tail = `${rest.replace(/:\w+/g, part)}${String.raw`(?=[?\x60'"]|\$\{)`}`;
  const whole = isOfCharger === undefined ? '' : `/chargers/${part}/`;
  const sent = String.raw`(?:'([A-Z]+)',\s*|\b(get|list|post|put|patch|delete)\()`;
  const quote = String.raw`[\x60'"]`;
  return new RegExp(`${sent}${quote}(?:${whole}|/)?${tail}|${quote}${whole}${tail}`, 'g');
}

/** By rank, those with a rule or a case first; those of the same label and file are one. */
function links(tests, rank) {
  const ranked = tests
    .map((test, at) => ({
      ...test,
      label: labelOf(test.name),
      rank: [...rank(test), labelOf(test.name) === undefined ? 1 : 0, at],
    }))
    .sort((a, b) => byRank(a.rank, b.rank));
  const shown = ranked.map(({ label, file }) => `[${label ?? file.split('/').at(-1)}](../${file})`);
  return [...new Set(shown)].slice(0, MAX_LINKS).join(', ');
}

function byRank(a, b) {
  const at = a.findIndex((each, index) => each !== b[index]);
  return at === -1 ? 0 : a[at] - b[at];
}

/** The case of the certification in a title, else its first rule of 2.x. */
function labelOf(title) {
  const rules = [...title.matchAll(/(?:^|[;:,] )(\d+)\. /g)].map(([, number]) => number);
  return /TC_[A-Z]_\d\d/.exec(title)?.[0] ?? rules.find((number) => Number(number) >= FIRST_RULE_2);
}
