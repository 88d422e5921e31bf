import type { Position } from '@busbar/contracts';
import {
  NO_ITEMS,
  withAllReported,
  withItems,
  withoutItems,
  type NumberedItem,
  type NumberedItems,
} from './numbered-items';

const AT = '2026-01-01T00:00:00.000Z';
const item = (id: number, position: Position): NumberedItem => ({ id, position });
const numbers = ({ items }: NumberedItems<NumberedItem>) => items.map(({ id }) => id);

const BEFORE = withItems(NO_ITEMS, [item(1, [1, 2]), item(2, [1, 4])], 10);

it('160. replaces an item by one of its number, unless a later message has set that', () => {
  const after = withItems(BEFORE, [item(1, [1, 3]), item(2, [1, 3]), item(3, [1, 3])], 10);
  expect(after.items).toEqual([item(2, [1, 4]), item(1, [1, 3]), item(3, [1, 3])]);
});

it('160. removes the oldest items above the limit', () => {
  expect(numbers(withItems(BEFORE, [item(3, [1, 5])], 2))).toEqual([2, 3]);
  const large = { ...item(4, [1, 6]), content: 'x'.repeat(999_990) };
  expect(numbers(withItems<NumberedItem>(BEFORE, [large], 10))).toEqual([4]);
});

it('160. removes cleared items, and adds none of a message before that', () => {
  const cleared = withoutItems(BEFORE, { ids: [1], position: [2, 1] });
  expect(numbers(cleared)).toEqual([2]);
  expect(numbers(withItems(cleared, [item(1, [1, 9]), item(3, [1, 9])], 10))).toEqual([2, 3]);
  expect(numbers(withItems(cleared, [item(1, [2, 2])], 10))).toEqual([2, 1]);
});

it('160. keeps an item that a message after the removal has set', () => {
  expect(numbers(withoutItems(BEFORE, { ids: [1, 2], position: [1, 3] }))).toEqual([2]);
});

it('160. stores the last 16 removals', () => {
  const ids = Array.from({ length: 20 }, (_, n) => n);
  const after = ids.reduce((held, id) => withoutItems(held, { ids: [id], position: [1, id] }), BEFORE);
  expect(after.removals).toHaveLength(16);
});

it('151. removes what a report of all has not named since its first message', () => {
  const after = withAllReported(BEFORE, { since: [1, 4], at: AT });
  expect(after).toMatchObject({ items: [item(2, [1, 4])], listedAt: AT });
});
