import { decimalsOf, measurandOf, unitOf } from './sample-text';

describe('a meter value in a table', () => {
  it('has its measurand in words, and the one that has none as it was sent', () => {
    expect(['Energy.Active.Import.Register', 'Current.Import', 'SoC', 'Acme.Own'].map(measurandOf)).toEqual([
      'Energy register',
      'Current',
      'State of charge',
      'Acme.Own',
    ]);
  });

  it('has its unit as people write it', () => {
    expect(['Percent', 'Celsius', 'kWh', null].map(unitOf)).toEqual(['%', '°C', 'kWh', '']);
  });

  it.each([
    ['none for whole numbers', [1, 20_000], 0],
    ['those of the longest', [1, 1.25, 1.5], 2],
    ['three at most', [1.23456, 2], 3],
    ['none that rounding takes away', [0.1 + 0.2, 1.00001], 1],
  ])('has as many decimals as others of its measurand: %s', (_, values, decimals) => {
    const samples = values.map((value) => ({ measurand: 'Voltage', value }));
    expect([...decimalsOf([...samples, { measurand: 'SoC', value: 50.5 }])]).toEqual([
      ['Voltage', decimals],
      ['SoC', 1],
    ]);
  });
});
