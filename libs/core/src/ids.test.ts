import { contentId, createId, createIdSource, firstIdAt, isUlid, timeOfId } from './ids';

describe('ids', () => {
  it('makes ULIDs that sort by their time', () => {
    const ids = [1, 2_000, 1_800_000_000_000, 2 ** 47].map((ms) => createId(ms));
    expect(ids.every(isUlid)).toBe(true);
    expect([...ids].sort()).toEqual(ids);
  });

  it('makes different ids within one millisecond', () => {
    const ids = new Set(Array.from({ length: 10_000 }, () => createId(1)));
    expect(ids.size).toBe(10_000);
  });

  it('begins the ids of a time with the first possible one', () => {
    const now = Date.now();
    expect(firstIdAt(now) <= createId(now)).toBe(true);
    expect(createId(now - 1) < firstIdAt(now)).toBe(true);
    expect(isUlid(firstIdAt(now))).toBe(true);
  });

  it('makes equal ids of equal content, which differ with each bit of it and sort by time', () => {
    const digest = 'fedcba98765432100123';
    expect(contentId(1_800_000_000_123, digest)).toBe('01MCC5RM3VZVEBN63PAGS10093');
    expect(timeOfId(contentId(1_800_000_000_123, digest))).toBe(1_800_000_000_123);
    const others = Array.from({ length: 20 }, (_, at) => digest.slice(0, at) + 'a' + digest.slice(at + 1));
    expect(new Set(others.map((other) => contentId(0, other))).size).toBe(new Set(others).size);
    expect(contentId(1, digest) < contentId(2, '0'.repeat(20))).toBe(true);
  });

  it('limits the time of a content id to what an id can hold', () => {
    const digest = '0'.repeat(20);
    for (const ms of [-1, -62_167_219_200_000, 2 ** 48]) expect(isUlid(contentId(ms, digest))).toBe(true);
  });

  it('makes ascending ids from one source, within a millisecond and when the clock steps back', () => {
    const next = createIdSource();
    const ids = Array.from({ length: 5_000 }, (_, n) => next(1_800_000_000_000 + (n % 1_000 === 999 ? -5 : n >> 10)));
    expect(ids.every(isUlid)).toBe(true);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(timeOfId(ids[0] ?? '')).toBe(1_800_000_000_000);
    expect(createIdSource()(1)).not.toBe(createIdSource()(1));
  });

  it('reads the time of an id, and of no other text', () => {
    for (const ms of [0, 1, 1_800_000_000_123, 2 ** 48 - 1]) expect(timeOfId(createId(ms))).toBe(ms);
    expect(timeOfId('my-message-1')).toBeUndefined();
  });
});
