// Guards against denial of service by regular expressions: their time is proportional to the length of the input. The table of them is
// compared in regular-expressions.test.ts.
import { join } from 'node:path';
import { REACH, type Reach } from './regular-expressions/reach';
import { findExpressions } from './regular-expressions/scan';
import { superlinearAt, type Work } from './regular-expressions/growth';

const ROOT = join(__dirname, '../../..');
/** Repeated one by one; what the expressions of this project repeat is among them, and so is what ends a repetition. */
const PUMPS = [
  ' ',
  '\t',
  'a',
  '0',
  'f',
  '.',
  ',',
  ':',
  '-',
  '=',
  '/',
  '\\',
  '"',
  '\\"',
  '[',
  '&',
  ', ',
  'a ',
  'a=',
  '1.',
];
/** Ends a text so that what came before cannot match after all. */
const ENDS = ['', '\u0000'];

const reached = findExpressions(ROOT).flatMap(({ name, expression }) => {
  const reach = REACH.get(name);
  return reach === undefined || reach === 'operator' ? [] : [{ name, expression, reach }];
});

it.each(reached)('takes time by the length of its input: $name', ({ expression, reach }) => {
  if (expression === undefined) throw new Error('built while the program runs: make its parts constants of the file');
  expect(slowInputs(expression, reach)).toEqual([]);
});

it.each([
  ['white space that may belong to two parts', /^a\s*(?:;\s*)?\s*$/, 'a'],
  ['an end that is looked for from each place', /\s+$/, 'x'],
  ['a repetition within a repetition', /^(?:a+){1,2}$/, ''],
])('recognizes %s', (_what, expression, prefix) => {
  expect(slowInputs(expression, { longest: 32_768, prefixes: [prefix] })).not.toEqual([]);
});

function slowInputs(expression: RegExp, { longest, prefixes = [], pumps = [] }: Reach): readonly string[] {
  const slow: string[] = [];
  for (const prefix of new Set(['', ...prefixes])) {
    for (const pump of new Set([...PUMPS, ...pumps])) {
      for (const end of ENDS) {
        const inputOf = (length: number): string => prefix + pump.repeat(Math.ceil(length / pump.length)) + end;
        const length = superlinearAt(workOf(expression), inputOf, longest);
        if (length === undefined) continue;
        slow.push(
          `${JSON.stringify(prefix)}, ${JSON.stringify(pump)} over and over, ${JSON.stringify(end)}: ${String(length)}`,
        );
        return slow;
      }
    }
  }
  return slow;
}

/** As the sources use it: global ones over all of a text, others once. */
function workOf(expression: RegExp): Work {
  if (expression.global) return (text) => void text.replace(expression, '');
  return (text) => {
    expression.lastIndex = 0;
    expression.test(text);
  };
}
