import { bestOf, figure, medianOf, ratioOf, type Measurement } from './measurement';

const round = (part: Partial<Measurement>): Measurement => ({
  headline: '',
  beside: [],
  shown: '',
  isMet: false,
  counts: true,
  merit: 0,
  remarks: [],
  details: {},
  ...part,
});

describe('the best of some rounds', () => {
  it('is the one with the greatest merit', () => {
    const rounds = [round({ merit: 1 }), round({ merit: 3 }), round({ merit: 2 })];
    expect(bestOf(rounds)).toBe(rounds[1]);
  });

  it('is never one that does not count while another does', () => {
    const rounds = [round({ merit: 9, isMet: true, counts: false }), round({ merit: 1 })];
    expect(bestOf(rounds)).toBe(rounds[1]);
  });

  it('is one that meets the goal before one that is faster and misses it', () => {
    const rounds = [round({ merit: 2 }), round({ merit: 1, isMet: true })];
    expect(bestOf(rounds)).toBe(rounds[1]);
  });

  it('is undefined without rounds', () => {
    expect(bestOf([])).toBeUndefined();
  });
});

describe('the median of some rounds', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2],
    [[7], 7],
  ])('has of the merits %j that of %i', (merits, merit) => {
    expect(medianOf(merits.map((each) => round({ merit: each })))?.merit).toBe(merit);
  });

  it('leaves out rounds that do not count, unless none does', () => {
    const bad = [5, 6, 7].map((merit) => round({ merit, counts: false }));
    expect(medianOf([round({ merit: 1 }), ...bad])?.merit).toBe(1);
    expect(medianOf(bad)?.merit).toBe(6);
    expect(medianOf([])).toBeUndefined();
  });
});

describe('a ratio', () => {
  it('is a part of the whole', () => {
    expect(ratioOf(1, 4)).toBe(0.25);
  });

  it('is 0 where the whole is 0', () => {
    expect(ratioOf(5, 0)).toBe(0);
  });
});

describe('a figure', () => {
  it.each([
    [12_345.6, '12,346'],
    [10.4, '10'],
    [1.234, '1.2'],
    [0.0456, '0.046'],
    [0, '0'],
  ])('writes %p as %p', (value, text) => {
    expect(figure(value)).toBe(text);
  });
});
