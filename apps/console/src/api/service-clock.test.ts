import { createServiceClock } from './service-clock';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-01-31T12:00:00.700Z');
const DATE = 'Sat, 31 Jan 2026 12:00:00 GMT';

describe("the service's clock", () => {
  it.each([
    ['right', 0],
    ['4 s fast', 4_000],
    ['4 s slow', -4_000],
    ['an hour fast', HOUR_MS],
  ])("is known to half a second where the reader's is %s", (_what, offMs) => {
    let now = NOW + offMs;
    const clock = createServiceClock(() => now);
    clock.note(DATE);
    expect(Math.abs(clock.now() - NOW)).toBeLessThanOrEqual(500);
    now += 60_000;
    expect(Math.abs(clock.now() - (NOW + 60_000))).toBeLessThanOrEqual(500);
  });

  it.each([null, '', 'yesterday'])('stays as it was for the date %j', (date) => {
    const clock = createServiceClock(() => NOW + HOUR_MS);
    expect(clock.now()).toBe(NOW + HOUR_MS);
    clock.note(DATE);
    clock.note(date);
    expect(Math.abs(clock.now() - NOW)).toBeLessThanOrEqual(500);
  });
});
