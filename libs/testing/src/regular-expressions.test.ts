// Every regular expression has a line in the table of inputs. Their growth is measured in regular-expressions.slow.test.ts.
import { join } from 'node:path';
import { REACH } from './regular-expressions/reach';
import { findExpressions } from './regular-expressions/scan';

const ROOT = join(__dirname, '../../..');

it('demands a line in the table of inputs for each regular expression, and no line without one', () => {
  const names = findExpressions(ROOT).map(({ name }) => name);
  expect(names.sort()).toEqual([...REACH.keys()].sort());
});
