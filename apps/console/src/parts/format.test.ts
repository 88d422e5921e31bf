import {
  agoOf,
  dayOf,
  durationOf,
  energyOf,
  exactTimeOf,
  fixedOf,
  isToday,
  kwhOf,
  numberOf,
  ocppVersionOf,
  powerOf,
} from './format';

describe('format', () => {
  it('writes a time to the second', () => {
    const year = new Date().getFullYear();
    expect(exactTimeOf(new Date(year, 10, 27, 1, 5, 9).toISOString())).toBe('27 Nov, 01:05:09');
    expect(exactTimeOf(new Date(year - 1, 10, 27, 1, 5, 9).toISOString())).toBe(`27 Nov ${String(year - 1)}, 01:05:09`);
  });

  it.each([
    [0, '0'],
    [-0.04, '0'],
    [0.05, '0.1'],
    [999.94, '999.9'],
    [999.95, '1,000'],
    [1_234.5, '1,234.5'],
    [1_000_000, '1,000,000'],
    [-1_234_567.89, '-1,234,567.9'],
  ])('writes the number %d as %s', (value, text) => {
    expect(numberOf(value)).toBe(text);
  });

  it.each([
    [-5, '0 s'],
    [999, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_600_000, '1 h'],
    [8_040_000, '2 h 14 min'],
    [86_400_000, '1 d'],
    [442_800_000, '5 d 3 h'],
  ])('writes the duration %d ms as %s', (ms, text) => {
    expect(durationOf(ms)).toBe(text);
  });

  it.each([
    [-1_000, 'just now'],
    [4_999, 'just now'],
    [45_000, '45 s ago'],
    [180_000, '3 min ago'],
    [7_200_000, '2 h ago'],
    [172_800_000, '2 d ago'],
  ])('writes %d ms before now as %s', (past, text) => {
    expect(agoOf(1_000_000_000 - past, 1_000_000_000)).toBe(text);
  });

  it.each([
    [0, '0 Wh'],
    [999, '999 Wh'],
    [1_250, '1.3 kWh'],
    [1_234_567, '1.2 MWh'],
  ])('writes the energy %d Wh as %s', (wh, text) => {
    expect(energyOf(wh)).toBe(text);
  });

  it.each([
    [20, '0.02 kWh'],
    [9_000, '9.00 kWh'],
    [12_345, '12.35 kWh'],
    [1_234_500, '1,234.50 kWh'],
    [-999_999, '-1,000.00 kWh'],
  ])('writes the energy %d Wh for a column as %s', (wh, text) => {
    expect(kwhOf(wh)).toBe(text);
  });

  it('writes numbers with as many decimals as a column has', () => {
    expect([fixedOf(-0.004, 2), fixedOf(7, 3), fixedOf(1_234.5, 0)]).toEqual(['0.00', '7.000', '1,235']);
  });

  it('writes a day, and knows today', () => {
    const past = new Date(2020, 10, 26, 12).toISOString();
    expect([dayOf(past), isToday(past)]).toEqual(['26 Nov', false]);
    expect(isToday(new Date().toISOString())).toBe(true);
    expect(isToday(past, new Date(past).toDateString())).toBe(true);
  });

  it('writes power and versions', () => {
    expect([powerOf(950), powerOf(11_000), ocppVersionOf('ocpp2.0.1'), ocppVersionOf(null)]).toEqual([
      '950 W',
      '11 kW',
      'OCPP 2.0.1',
      '',
    ]);
  });
});
