import { codePoints } from './formats';

describe('the length of text', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['\u{1f50c}', 1],
    ['a\u{1f50c}b\u{1f50c}', 4],
    ['\ud83d', 1],
    ['\udd0c\ud83d', 2],
    ['\ud83d\ud83d\udd0c', 2],
  ])('counts code points in %j', (text, length) => {
    expect(codePoints(text)).toBe(length);
    expect(codePoints(text)).toBe(Array.from(text).length);
  });
});
