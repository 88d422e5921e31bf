import { curveOf, energyAt, powerAt, sampleOf, samplesOf } from './measurements';

const receivedAt = '2026-01-31T12:00:05.000Z';
const at = '2026-01-31T12:00:00.000Z';
const atMs = Date.parse(at);

describe('samples of a stored message', () => {
  it('are those of OCPP 1.6, as text', () => {
    const message = {
      meterValue: [{ timestamp: at, sampledValue: [{ value: '11.5', measurand: 'Power.Active.Import', unit: 'kW' }] }],
    };
    expect(samplesOf({ receivedAt, message })).toEqual([
      { atMs, value: 11.5, measurand: 'Power.Active.Import', phase: null, unit: 'kW' },
    ]);
  });

  it('are those of OCPP 2.0.1, with a multiplier', () => {
    const sampledValue = [
      { value: 115, measurand: 'Power.Active.Import', unitOfMeasure: { unit: 'W', multiplier: 2 } },
    ];
    expect(powerAt(samplesOf({ receivedAt, message: { meterValue: [{ timestamp: at, sampledValue }] } }))).toBe(11_500);
  });

  it('are of the energy register where no measurand is named, and of the receipt where no time is', () => {
    const samples = samplesOf({ receivedAt, message: { transactionData: [{ sampledValue: [{ value: '5' }] }] } });
    expect(energyAt(samples)).toBe(5);
    expect(samples[0]?.atMs).toBe(Date.parse(receivedAt));
  });

  it.each([
    {},
    { meterValue: 7 },
    { meterValue: [null, { sampledValue: 'x' }] },
    { meterValue: [{ sampledValue: [{ value: 'x' }] }] },
  ])('are none of %j', (message) => {
    expect(samplesOf({ receivedAt, message })).toEqual([]);
  });
});

describe('power', () => {
  const sample = (value: string, phase: string | null, deviceTime = at) =>
    sampleOf({ deviceTime, value, phase, measurand: 'Power.Active.Import', unit: 'W' });

  it('is the sum of the phases of the last time', () => {
    const samples = [
      sample('9', 'L1', '2026-01-31T11:00:00.000Z'),
      sample('1', 'L1'),
      sample('2', 'L2'),
      sample('3', 'L3'),
    ].flat();
    expect(powerAt(samples)).toBe(6);
  });

  it('is the value of all phases together where the charger sends it', () => {
    expect(powerAt([sample('1', 'L1'), sample('5', null)].flat())).toBe(5);
  });

  it('is unknown without a sample', () => {
    expect(
      powerAt(sampleOf({ deviceTime: at, value: '1', phase: null, measurand: 'Voltage', unit: 'V' })),
    ).toBeUndefined();
  });
});

describe('a curve', () => {
  it('has the times in order, and a gap where something was not measured', () => {
    const power = { atMs: 2_000, value: 7, measurand: 'Power.Active.Import', phase: null, unit: 'kW' };
    const energy = { atMs: 1_000, value: 3, measurand: 'Energy.Active.Import.Register', phase: null, unit: 'Wh' };
    expect(curveOf([power, energy])).toEqual([
      [1, 2],
      [null, 7_000],
      [3, null],
    ]);
  });
});
