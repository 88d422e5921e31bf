import fc from 'fast-check';
import { formats } from './formats';
import { parseTimestamp } from './timestamp';

describe('timestamps of chargers', () => {
  it.each([
    ['2026-03-01T10:20:30Z', '2026-03-01T10:20:30.000Z', true],
    ['2026-03-01T10:20:30.123Z', '2026-03-01T10:20:30.123Z', true],
    ['2026-03-01T10:20:30.1Z', '2026-03-01T10:20:30.100Z', true],
    ['2026-03-01T10:20:30.1239999Z', '2026-03-01T10:20:30.123Z', true],
    ['2026-03-01T10:20:30+02:00', '2026-03-01T08:20:30.000Z', true],
    ['2026-03-01T10:20:30-0330', '2026-03-01T13:50:30.000Z', true],
    ['2026-03-01T01:20:30+02', '2026-02-28T23:20:30.000Z', true],
    ['2026-03-01T10:20:30', '2026-03-01T10:20:30.000Z', false],
    ['2026-03-01T10:20:30.5', '2026-03-01T10:20:30.500Z', false],
    ['2026-03-01t10:20:30z', '2026-03-01T10:20:30.000Z', true],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z', true],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z', true],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z', true],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z', true],
  ])('42. reads %s as %s', (text, timestamp, zoned) => {
    expect(parseTimestamp(text)).toEqual({ date: new Date(timestamp), zoned });
  });

  it.each([
    ['2023-02-29T00:00:00Z'],
    ['2100-02-29T00:00:00Z'],
    ['2026-04-31T00:00:00Z'],
    ['2026-13-01T00:00:00Z'],
    ['2026-00-01T00:00:00Z'],
    ['2026-01-00T00:00:00Z'],
    ['2026-01-01T24:00:00Z'],
    ['2026-01-01T00:60:00Z'],
    ['2026-01-01T00:00:61Z'],
    ['2026-01-01T00:00:00+24:00'],
    ['2026-01-01T00:00:00+02:60'],
    ['2026-01-01'],
    ['2026-01-01T00:00Z'],
    ['now'],
    [''],
    [' 2026-01-01T00:00:00Z'],
    ['2026-01-01T00:00:00Z\n'],
  ])('42. calls %s invalid', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
    expect(formats.timestamp(text)).toBe(false);
  });

  it('42. calls a fraction of a hundred thousand digits invalid', () => {
    const text = `2026-01-01T00:00:00.${'1'.repeat(100_000)}Z`;
    expect(parseTimestamp(text)).toBeUndefined();
    expect(formats.timestamp(text)).toBe(false);
  });

  it('42. reads back every timestamp that JavaScript writes', () => {
    const years = { min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true };
    fc.assert(
      fc.property(fc.date(years), (date) => {
        expect(parseTimestamp(date.toISOString())).toEqual({ date: date, zoned: true });
        expect(formats.timestamp(date.toISOString())).toBe(true);
      }),
    );
  });

  it('42. parses them wherever the fast path of the format accepts them', () => {
    const two = fc.integer({ min: 0, max: 99 }).map((number) => String(number).padStart(2, '0'));
    fc.assert(
      fc.property(fc.tuple(two, two, two, two, two, two), ([year, month, day, hour, minute, second]) => {
        const text = `20${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
        expect(formats.timestamp(text)).toBe(parseTimestamp(text) !== undefined);
      }),
    );
  });
});
