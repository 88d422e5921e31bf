import { createFakeClock } from '@busbar/testing';
import { createGuesses, GUESS_LIMITS, networkOf, type Guesses } from './guesses';

const BAD = '203.0.113.66';
const GOOD = '198.51.100.7';

describe('guessing passwords', () => {
  const open = (over: Partial<typeof GUESS_LIMITS> = {}) => {
    const clock = createFakeClock();
    return { clock, guesses: createGuesses(clock, { ...GUESS_LIMITS, ...over }) };
  };

  /** Guesses until it must wait; gives how often it could. */
  const guess = (guesses: Guesses, chargerId: string, address: string | undefined, most = 1000): number => {
    for (let count = 0; count < most; count += 1) {
      const attempt = guesses.attempt(chargerId, address);
      if (attempt.waitMs > 0) return count;
      attempt.ended('wrong');
    }
    return most;
  };

  it('12. must wait longer after each wrong password, up to a minute', () => {
    const { clock, guesses } = open();
    expect(guess(guesses, 'CP1', BAD)).toBe(GUESS_LIMITS.free);
    const waits = Array.from({ length: 7 }, () => {
      const { waitMs } = guesses.attempt('CP1', BAD);
      clock.advance(waitMs);
      guesses.attempt('CP1', BAD).ended('wrong');
      return waitMs;
    });
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('12. does not get round the waits by many attempts at once', () => {
    const { guesses } = open();
    const attempts = Array.from({ length: 100 }, () => guesses.attempt('CP1', BAD));
    expect(attempts.filter(({ waitMs }) => waitMs === 0)).toHaveLength(GUESS_LIMITS.free);
  });

  it('12. from one address keeps nobody out who comes from another', () => {
    const { guesses } = open();
    guess(guesses, 'CP1', BAD);
    const attempt = guesses.attempt('CP1', GOOD);
    expect(attempt.waitMs).toBe(0);
    attempt.ended('right');
  });

  it('12. from very many addresses is slowed too, and keeps the charger itself in', () => {
    const { clock, guesses } = open();
    guesses.attempt('CP1', GOOD).ended('right');
    const from = (i: number): string => `203.0.113.${String(i)}`;
    const through = Array.from({ length: 200 }, (_, i) => guess(guesses, 'CP1', from(i), 1));
    expect(through.filter((count) => count > 0)).toHaveLength(GUESS_LIMITS.perCharger.burst);
    expect(guesses.attempt('CP1', GOOD).waitMs).toBe(0);
    clock.advance(2_000);
    expect(guess(guesses, 'CP1', from(201))).toBe(1);
  });

  it('12. of many chargers from one address is slowed too, and keeps those in that have connected from there', () => {
    const { guesses } = open();
    guesses.attempt('GOOD', BAD).ended('right');
    const through = Array.from({ length: 500 }, (_, i) => guess(guesses, `CP${String(i)}`, BAD, 1));
    expect(through.filter((count) => count > 0)).toHaveLength(GUESS_LIMITS.perAddress.burst);
    expect(guesses.attempt('GOOD', BAD).waitMs).toBe(0);
    expect(guesses.attempt('CP501', GOOD).waitMs).toBe(0);
  });

  it('12. is forgotten with the right password, and after a while', () => {
    const { clock, guesses } = open();
    guess(guesses, 'CP1', BAD, 4);
    guesses.attempt('CP1', BAD).ended('right');
    expect(guess(guesses, 'CP1', BAD)).toBe(GUESS_LIMITS.free);
    clock.advance(GUESS_LIMITS.forgetMs);
    expect(guess(guesses, 'CP1', BAD)).toBe(GUESS_LIMITS.free);
  });

  it('does not count what nobody looked at', () => {
    const { guesses } = open();
    for (let i = 0; i < 100; i += 1) {
      const attempt = guesses.attempt('CP1', BAD);
      expect(attempt.waitMs).toBe(0);
      attempt.ended('neither');
    }
  });

  it('counts by charger alone where the address is not known', () => {
    const { guesses } = open();
    expect(guess(guesses, 'CP1', undefined)).toBe(GUESS_LIMITS.perCharger.burst);
    expect(guesses.attempt('CP2', undefined).waitMs).toBe(0);
  });

  it('tells who was wrong lately, so that others can be checked first', () => {
    const { guesses } = open();
    expect(guesses.attempt('CP1', BAD).suspect).toBe(false);
    guess(guesses, 'CP1', BAD, 1);
    expect(guesses.attempt('CP1', BAD).suspect).toBe(true);
    expect(guesses.attempt('CP1', GOOD).suspect).toBe(false);
  });

  it('remembers no more than its bound', () => {
    const { guesses } = open({ mostRemembered: 10 });
    guess(guesses, 'CP1', BAD);
    for (let i = 0; i < 10; i += 1) guess(guesses, `OTHER${String(i)}`, GOOD, 1);
    expect(guesses.attempt('CP1', BAD).waitMs).toBe(0);
  });

  it.each([
    ['203.0.113.66', '203.0.113.66'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::9', '2001:db8:1:2'],
    ['2001:0db8::', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('takes %s for %s: a customer has a whole /64 of IPv6', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
