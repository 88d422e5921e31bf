import { countReasons, parseDeadLettersSearch } from './dead-letters-search';

it('counts letters by reason, the most frequent first', () => {
  const letters = ['b', 'a', 'c', 'c'].map((reason) => ({ reason }));
  expect(countReasons(letters)).toEqual([
    ['c', 2],
    ['a', 1],
    ['b', 1],
  ]);
});

it.each([
  [{ reason: 'internal: a field is missing' }, { reason: 'internal: a field is missing' }],
  [{ reason: '' }, {}],
  [{ reason: 7 }, {}],
  [{ reason: 'x'.repeat(1_001) }, {}],
  [
    { reason: 'a', pages: 3 },
    { reason: 'a', pages: 3 },
  ],
  [{ pages: 1 }, {}],
  [{ pages: 2.5 }, {}],
  [{ pages: '2' }, {}],
  [{ pages: 1_000 }, { pages: 50 }],
])('reads of the address %j %j', (given, search) => {
  expect(parseDeadLettersSearch(given)).toEqual(search);
});
