import { createReaderActivity } from './reader-activity';

it.each([
  ['opening the page', [0], 9_000, false],
  ['opening the page a while ago', [0], 11_000, true],
  ['an act', [60_000], 69_000, false],
  ['an act a while ago', [60_000], 71_000, true],
  ['each later act', [5_000, 14_000, 23_000], 32_000, false],
])('2: a page is idle after %s: at %j, asked at %i ms: %s', (_what, acts, at, isIdle) => {
  let now = 0;
  const reader = createReaderActivity(() => now);
  for (const act of acts) {
    now = act;
    reader.acted();
  }
  now = at;
  expect(reader.isIdle()).toBe(isIdle);
});
