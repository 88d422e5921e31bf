import { contentId, createId, createIdSource, firstIdAt, isUlid, timeOfId } from './ids';

describe('ids', () => {
  it('are ULIDs that sort by the time of their making', () => {
    const ids = [1, 2_000, 1_800_000_000_000, 2 ** 47].map((ms) => createId(ms));
    expect(ids.every(isUlid)).toBe(true);
    expect([...ids].sort()).toEqual(ids);
  });

  it('of one millisecond differ', () => {
    const ids = new Set(Array.from({ length: 10_000 }, () => createId(1)));
    expect(ids.size).toBe(10_000);
  });

  it('begin, for each moment, with the first id there could be', () => {
    const now = Date.now();
    expect(firstIdAt(now) <= createId(now)).toBe(true);
    expect(createId(now - 1) < firstIdAt(now)).toBe(true);
    expect(isUlid(firstIdAt(now))).toBe(true);
  });

  it('of a content are the same for the same, differ in each of its bits, and sort by their moment', () => {
    const digest = 'fedcba98765432100123';
    expect(contentId(1_800_000_000_123, digest)).toBe('01MCC5RM3VZVEBN63PAGS10093');
    expect(timeOfId(contentId(1_800_000_000_123, digest))).toBe(1_800_000_000_123);
    const others = Array.from({ length: 20 }, (_, at) => digest.slice(0, at) + 'a' + digest.slice(at + 1));
    expect(new Set(others.map((other) => contentId(0, other))).size).toBe(new Set(others).size);
    expect(contentId(1, digest) < contentId(2, '0'.repeat(20))).toBe(true);
  });

  it('of a content have a moment that an id can have', () => {
    const digest = '0'.repeat(20);
    for (const ms of [-1, -62_167_219_200_000, 2 ** 48]) expect(isUlid(contentId(ms, digest))).toBe(true);
  });

  it('of one source come one after the other, within a millisecond and when the clock goes back', () => {
    const next = createIdSource();
    const ids = Array.from({ length: 5_000 }, (_, n) => next(1_800_000_000_000 + (n % 1_000 === 999 ? -5 : n >> 10)));
    expect(ids.every(isUlid)).toBe(true);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(timeOfId(ids[0] ?? '')).toBe(1_800_000_000_000);
    expect(createIdSource()(1)).not.toBe(createIdSource()(1));
  });

  it('tell when they were made, and nothing of a text that is no id', () => {
    for (const ms of [0, 1, 1_800_000_000_123, 2 ** 48 - 1]) expect(timeOfId(createId(ms))).toBe(ms);
    expect(timeOfId('my-message-1')).toBeUndefined();
  });
});
