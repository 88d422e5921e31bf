import { driverTags } from './behaviours';

test.each([
  [1, 10, 'SIMTAG10'],
  [30, 30, 'SIMTAG30'],
  [20_000, 1000, 'SIMTAG1000'],
])('%i sockets have %i tags', (sockets, count, last) => {
  const tags = driverTags(sockets);
  expect(new Set(tags).size).toBe(count);
  expect(tags.at(-1)).toBe(last);
});
