import { eventRetryMs, probeMs, retryAfterMs } from './retry-times';

it.each([
  [1, 5],
  [2, 30],
  [3, 120],
  [4, 600],
  [5, 1_800],
])('waits after refused attempt %i of an event for %i s', (attempts, seconds) => {
  expect(eventRetryMs(attempts)).toBe(seconds * 1_000);
});

it('gives an event up after its sixth attempt', () => {
  expect(eventRetryMs(6)).toBeUndefined();
});

it.each([
  [1, 5],
  [2, 30],
  [3, 120],
  [4, 300],
  [5, 600],
  [6, 600],
  [500, 600],
])('waits after failure %i of a webhook for %i s, a fifth more or less', (failures, seconds) => {
  expect(probeMs(failures, 0.5)).toBe(seconds * 1_000);
  expect(probeMs(failures, 0)).toBeCloseTo(seconds * 800);
  expect(probeMs(failures, 1)).toBeCloseTo(seconds * 1_200);
});

it.each([
  ['shorter than planned', 1_000, 5_000],
  ['longer than planned', 60_000, 60_000],
])('respects a Retry-After that is %s', (_name, asked, expected) => {
  expect(probeMs(1, 0.5, asked)).toBe(expected);
});

const NOW = Date.parse('2026-01-31T12:00:00Z');

it.each<[string | undefined, number]>([
  [undefined, 0],
  ['', 0],
  ['120', 120_000],
  [' 7 ', 7_000],
  ['0', 0],
  ['-5', 0],
  ['3600', 3_600_000],
  ['86400', 3_600_000],
  ['Infinity', 3_600_000],
  ['soon', 0],
  ['Sat, 31 Jan 2026 12:00:30 GMT', 30_000],
  ['Sat, 31 Jan 2026 11:00:00 GMT', 0],
  ['Sun, 01 Feb 2026 12:00:00 GMT', 3_600_000],
])('reads Retry-After %j as %i ms', (header, expected) => {
  expect(retryAfterMs(header, NOW)).toBe(expected);
});
