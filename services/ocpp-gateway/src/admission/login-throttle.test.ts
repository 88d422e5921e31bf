import { createFakeClock } from '@busbar/testing';
import { createLoginThrottle, THROTTLE_LIMITS, type LoginThrottle } from './login-throttle';

const BAD = '203.0.113.66';
const GOOD = '198.51.100.7';

const password = (chargerId: string, address: string | undefined) => ({ chargerId, address, hasPassword: true });

describe('brute force of passwords', () => {
  const open = (over: Partial<typeof THROTTLE_LIMITS> = {}) => {
    const clock = createFakeClock();
    return { clock, throttle: createLoginThrottle(clock, { ...THROTTLE_LIMITS, ...over }) };
  };

  /** LoginThrottle until it must wait; gives how often it could. */
  const tryWrongPassword = (
    throttle: LoginThrottle,
    chargerId: string,
    address: string | undefined,
    max = 1000,
  ): number => {
    for (let count = 0; count < max; count += 1) {
      const attempt = throttle.attempt(password(chargerId, address));
      if (attempt.verdict !== 'check') {
        attempt.ended('not_judged');
        return count;
      }
      attempt.ended('wrong_password');
    }
    return max;
  };

  it('12. doubles the wait with each wrong password, up to a minute', () => {
    const { clock, throttle } = open();
    expect(tryWrongPassword(throttle, 'CP1', BAD)).toBe(THROTTLE_LIMITS.free);
    const waits = Array.from({ length: 7 }, () => {
      const { waitMs } = throttle.attempt(password('CP1', BAD));
      clock.advance(waitMs);
      throttle.attempt(password('CP1', BAD)).ended('wrong_password');
      return waitMs;
    });
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('12. is not accelerated by parallel attempts', () => {
    const { throttle } = open();
    const attempts = Array.from({ length: 100 }, () => throttle.attempt(password('CP1', BAD)));
    expect(attempts.filter(({ waitMs }) => waitMs === 0)).toHaveLength(THROTTLE_LIMITS.free);
  });

  it('12. does not lock out a charger with another address when it comes from one address', () => {
    const { throttle } = open();
    tryWrongPassword(throttle, 'CP1', BAD);
    const attempt = throttle.attempt(password('CP1', GOOD));
    expect(attempt.waitMs).toBe(0);
    attempt.ended('right');
  });

  const from = (i: number): string => `203.0.113.${String(i)}`;

  it("12. is slowed from very many addresses, while the charger's known networks stay open", () => {
    const { clock, throttle } = open();
    const through = Array.from({ length: 200 }, (_, i) => tryWrongPassword(throttle, 'CP1', from(i), 1));
    const { perCharger, perChargerFresh } = THROTTLE_LIMITS;
    expect(through.filter((count) => count > 0)).toHaveLength(perCharger.burst + perChargerFresh.burst);
    expect(throttle.attempt(password('CP1', GOOD))).toMatchObject({ verdict: 'check_if_known', suspect: true });
    expect(throttle.attempt(password('CP2', GOOD)).verdict).toBe('check');
    clock.advance(1_000);
    expect(tryWrongPassword(throttle, 'CP1', from(201))).toBe(1);
  });

  it('12. does not lock out a charger with a new address when it comes from many for a minute', () => {
    const { clock, throttle } = open();
    let checked = 0;
    for (let second = 0; second < 60; second += 1) {
      for (let i = 0; i < 100; i += 1) tryWrongPassword(throttle, 'CP1', from(i), 1);
      clock.advance(1_000);
      const attempt = throttle.attempt(password('CP1', GOOD));
      if (attempt.verdict === 'check') checked += 1;
      attempt.ended('not_judged');
    }
    expect(checked).toBeGreaterThan(30);
  });

  it('12. makes its own network wait, also where the charger is known from it', () => {
    const { throttle } = open();
    tryWrongPassword(throttle, 'CP1', BAD, 5);
    for (let i = 0; i < 100; i += 1) tryWrongPassword(throttle, 'CP1', from(i), 1);
    expect(throttle.attempt(password('CP1', BAD)).verdict).toBe('wait');
  });

  it('12. is slowed for many chargers from one address, while chargers known from it stay open', () => {
    const { throttle } = open();
    const through = Array.from({ length: 500 }, (_, i) => tryWrongPassword(throttle, `CP${String(i)}`, BAD, 1));
    expect(through.filter((count) => count > 0)).toHaveLength(THROTTLE_LIMITS.perAddress.burst);
    expect(throttle.attempt(password('GOOD', BAD)).verdict).toBe('check_if_known');
    expect(throttle.attempt(password('CP501', GOOD)).verdict).toBe('check');
  });

  it('12. is forgotten after the right password, and after some time', () => {
    const { clock, throttle } = open();
    tryWrongPassword(throttle, 'CP1', BAD, 4);
    throttle.attempt(password('CP1', BAD)).ended('right');
    expect(tryWrongPassword(throttle, 'CP1', BAD)).toBe(THROTTLE_LIMITS.free);
    clock.advance(THROTTLE_LIMITS.forgetMs);
    expect(tryWrongPassword(throttle, 'CP1', BAD)).toBe(THROTTLE_LIMITS.free);
  });

  it('does not count attempts that were not checked', () => {
    const { throttle } = open();
    for (let i = 0; i < 100; i += 1) {
      const attempt = throttle.attempt(password('CP1', BAD));
      expect(attempt.waitMs).toBe(0);
      attempt.ended('not_judged');
    }
  });

  it('counts by charger alone where the address is unknown', () => {
    const { throttle } = open();
    expect(tryWrongPassword(throttle, 'CP1', undefined)).toBe(THROTTLE_LIMITS.perCharger.burst);
    expect(throttle.attempt(password('CP2', undefined)).waitMs).toBe(0);
  });

  it('marks attempts after recent wrong passwords as suspect', () => {
    const { throttle } = open();
    expect(throttle.attempt(password('CP1', BAD)).suspect).toBe(false);
    tryWrongPassword(throttle, 'CP1', BAD, 1);
    expect(throttle.attempt(password('CP1', BAD)).suspect).toBe(true);
    expect(throttle.attempt(password('CP1', GOOD)).suspect).toBe(false);
  });

  it('evicts the least recently used entries above its limit', () => {
    const { throttle } = open({ maxEntries: 10 });
    tryWrongPassword(throttle, 'CP1', BAD);
    for (let i = 0; i < 10; i += 1) tryWrongPassword(throttle, `OTHER${String(i)}`, GOOD, 1);
    expect(throttle.attempt(password('CP1', BAD)).waitMs).toBe(0);
  });
});

describe('brute force of charger ids', () => {
  const attemptFrom = (throttle: LoginThrottle, address: string | undefined, i: number) =>
    throttle.attempt({ chargerId: `CP${String(i)}`, address, hasPassword: i % 2 === 0 });

  /** The number of these attempts that could continue, each for another id, with a password or without. */
  const tryIds = (throttle: LoginThrottle, address: string | undefined, count: number): number => {
    const attempts = Array.from({ length: count }, (_, i) => {
      const attempt = attemptFrom(throttle, address, i);
      const isChecked = attempt.verdict === 'check';
      attempt.ended(isChecked ? 'rejected' : 'not_judged');
      return isChecked;
    });
    return attempts.filter(Boolean).length;
  };

  it('12. is slowed by address, with a password or without', () => {
    const clock = createFakeClock();
    const throttle = createLoginThrottle(clock);
    expect(tryIds(throttle, BAD, 500)).toBe(THROTTLE_LIMITS.perAddress.burst);
    expect(attemptFrom(throttle, GOOD, 1).waitMs).toBe(0);
    clock.advance(10_000);
    expect(tryIds(throttle, BAD, 500)).toBe(10 * THROTTLE_LIMITS.perAddress.perSecond);
  });

  it('12. counts parallel attempts as debt', () => {
    const clock = createFakeClock();
    const throttle = createLoginThrottle(clock);
    const attempts = Array.from({ length: 1_000 }, (_, i) => attemptFrom(throttle, BAD, i));
    for (const attempt of attempts) attempt.ended('rejected');
    clock.advance(100_000);
    expect(attemptFrom(throttle, BAD, 1).waitMs).toBeGreaterThan(0);
  });

  it('does not count admitted chargers, nor attempts from unknown addresses', () => {
    const throttle = createLoginThrottle(createFakeClock());
    for (let i = 0; i < 500; i += 1) attemptFrom(throttle, BAD, i).ended('right');
    expect(attemptFrom(throttle, BAD, 501).waitMs).toBe(0);
    expect(tryIds(throttle, undefined, 500)).toBe(500);
  });
});
