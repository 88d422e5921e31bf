import { assemblePages, type PageEntry } from './assemble-pages';

const STREAM = { clientId: 'c', partition: 3 };
const at = '2026-01-01T00:00:00.000Z';

function entry(chargerId: string, { count = 1, first = 1, text = '{}' } = {}): PageEntry {
  const items = Array.from({ length: count }, () => text).join(',');
  return { chargerId, incarnationId: `i-${chargerId}`, items, first, next: first + count };
}
const assemble = (entries: readonly PageEntry[], last = 0) => assemblePages(STREAM, { entries, last, at });

it('puts the events of all chargers into the page behind the last one', () => {
  const { pages, pageOf } = assemble([entry('a', { count: 2, first: 5 }), entry('b')], 41);
  const highest = '{"i-a":6,"i-b":1}';
  expect(pages).toEqual([{ ...STREAM, page: 42, at, highest, count: 3, events: '[{},{},{}]' }]);
  expect([...pageOf]).toEqual([
    ['a', 42],
    ['b', 42],
  ]);
});

it('makes another page for more than 500 events, and never divides the events of a charger', () => {
  const { pages, pageOf } = assemble([entry('a', { count: 300 }), entry('b', { count: 300 }), entry('c')]);
  expect(pages.map(({ page, count }) => [page, count])).toEqual([
    [1, 300],
    [2, 301],
  ]);
  expect(pageOf.get('c')).toBe(2);
  expect(assemble([entry('a', { count: 900 })]).pages).toHaveLength(1);
});

it('makes another page beyond a mebibyte', () => {
  const large = { text: JSON.stringify({ data: 'x'.repeat(600_000) }) };
  expect(assemble([entry('a', large), entry('b', large), entry('c')]).pages.map(({ count }) => count)).toEqual([1, 2]);
});

it('makes no page without events', () => {
  expect(assemble([]).pages).toEqual([]);
});
