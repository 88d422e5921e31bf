import { formatFeedCursor, MAX_CURSOR_CHARACTERS, parseFeedCursor, type FeedPosition } from './feed-cursor';

const IDENTITY = { generation: 'g1', partitions: 3 };
const POSITION: FeedPosition = { pages: [0, 127, 5_000_000_000, 3], next: 2, taken: 128 };
const cursor = formatFeedCursor('c', IDENTITY, POSITION);
const parse = (text: string, client = 'c', identity = IDENTITY) => parseFeedCursor(text, client, identity);

it('returns the position that it was made of', () => {
  expect(parse(cursor)).toEqual(POSITION);
  expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
});

it('is invalid for another client and another number of partitions', () => {
  expect(parse(cursor, 'd')).toBe('invalid');
  expect(parse(cursor, 'c', { ...IDENTITY, partitions: 4 })).toBe('invalid');
});

it('is expired for another generation of the feed', () => {
  expect(parse(cursor, 'c', { ...IDENTITY, generation: 'g2' })).toBe('expired');
});

it.each([
  ['', 'an empty text'],
  ['mine', 'any text'],
  [cursor.slice(0, -2), 'a cut text'],
  [`${cursor}AA`, 'a longer text'],
  [`${cursor}=`, 'padding'],
  [`_${cursor.slice(1)}`, 'another version'],
  ['A'.repeat(MAX_CURSOR_CHARACTERS + 1), 'too long a text'],
  [formatFeedCursor('c', IDENTITY, { ...POSITION, next: 4 }), 'a stream beyond the last'],
])('refuses %j: %s', (text) => {
  expect(parse(text)).toBe('invalid');
});

it('refuses a number without an end', () => {
  const bytes = Buffer.from(cursor, 'base64url');
  bytes[bytes.length - 1] = 0xff;
  expect(parse(bytes.toString('base64url'))).toBe('invalid');
});

it('has at most 500 characters with 64 partitions and 2,000 with 256', () => {
  const lengthOf = (partitions: number) => {
    const pages = Array.from({ length: partitions + 1 }, () => 2 ** 34);
    return formatFeedCursor('c', IDENTITY, { pages, next: partitions, taken: 1_000 }).length;
  };
  expect(lengthOf(64)).toBeLessThanOrEqual(500);
  expect(lengthOf(256)).toBeLessThanOrEqual(MAX_CURSOR_CHARACTERS);
});
