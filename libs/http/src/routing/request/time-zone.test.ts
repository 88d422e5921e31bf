import { isTimeZone } from './time-zone';

describe('the name of a time zone', () => {
  it.each(['Europe/Oslo', 'UTC', 'Etc/GMT+1', 'Asia/Kolkata', 'Asia/Calcutta', 'America/Argentina/Buenos_Aires'])(
    'is %s',
    (name) => {
      expect(isTimeZone(name)).toBe(true);
    },
  );

  it.each([
    '',
    'Oslo',
    'europe/oslo',
    'EUROPE/OSLO',
    'Europe/oslo',
    'asia/kolkata',
    'Europe/Nowhere',
    '+01:00',
    'GMT+1',
  ])('is not %j', (name) => {
    expect(isTimeZone(name)).toBe(false);
  });

  it('is not looked up where it is too long', () => {
    expect(isTimeZone(`E${'u'.repeat(100_000)}`)).toBe(false);
  });
});
