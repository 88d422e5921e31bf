import { betterStart, betterStop, registerReadings, type RegisterReading, type SampledValue } from './register-reading';

const AT = '2026-01-31T12:00:00.000Z';
const LATER = '2026-01-31T13:00:00.000Z';

function wattHours(sampled: SampledValue): number | undefined {
  return registerReadings([{ timestamp: AT, sampledValue: [sampled] }])[0]?.wh;
}

it.each<[string, SampledValue, number | undefined]>([
  ['takes a value without a measurand', { value: 1_500 }, 1_500],
  ['takes the register of imported energy', { value: 1_500, measurand: 'Energy.Active.Import.Register' }, 1_500],
  ['takes a value at the outlet', { value: 1_500, location: 'Outlet' }, 1_500],
  ['takes kilowatt-hours', { value: 1.001, unitOfMeasure: { unit: 'kWh' } }, 1_001],
  ['takes a multiplier', { value: 15, unitOfMeasure: { unit: 'Wh', multiplier: 2 } }, 1_500],
  ['takes a multiplier without a unit', { value: 15_000, unitOfMeasure: { multiplier: -1 } }, 1_500],
  ['takes kilowatt-hours with a multiplier', { value: 1_500, unitOfMeasure: { unit: 'kWh', multiplier: -3 } }, 1_500],
  ['keeps decimals', { value: 1_500.25 }, 1_500.25],
  ['keeps the decimals of small values', { value: 1e-7, unitOfMeasure: { unit: 'kWh' } }, 1e-4],
  ['leaves out another measurand', { value: 1, measurand: 'Power.Active.Import' }, undefined],
  ['leaves out one phase', { value: 1, phase: 'L1' }, undefined],
  ['leaves out the inlet', { value: 1, location: 'Inlet' }, undefined],
  ['leaves out another unit', { value: 1, unitOfMeasure: { unit: 'varh' } }, undefined],
  ['leaves out an absurd multiplier', { value: 1, unitOfMeasure: { multiplier: 400 } }, undefined],
])('146. %s', (_title, sampled, expected) => {
  expect(wattHours(sampled)).toBe(expected);
});

const reading = (parts: Partial<RegisterReading>): RegisterReading => ({ at: AT, wh: 100, context: '', ...parts });

it.each([
  ['start', betterStart, reading({ context: 'Transaction.Begin', at: LATER }), reading({}), reading({ wh: 50 })],
  ['end', betterStop, reading({ context: 'Transaction.End' }), reading({ at: LATER }), reading({ at: LATER, wh: 200 })],
] as const)('146. chooses for the %s by context, then time, then value', (...[, choose, named, timed, valued]) => {
  const other = reading({ at: timed.at === AT ? LATER : AT });
  expect([choose(named, timed), choose(timed, named)]).toEqual([named, named]);
  expect([choose(timed, other), choose(other, timed)]).toEqual([timed, timed]);
  expect([choose(valued, timed), choose(timed, valued)]).toEqual([valued, valued]);
});
