import { createHistogram } from './histogram';

describe('a histogram of latencies', () => {
  it('gives a quantile to within two percent', () => {
    const histogram = createHistogram();
    for (let ms = 1; ms <= 1000; ms += 1) histogram.add(ms);
    expect(histogram.count()).toBe(1000);
    expect(Math.abs(histogram.quantile(0.5) / 500 - 1)).toBeLessThan(0.02);
    expect(Math.abs(histogram.quantile(0.99) / 990 - 1)).toBeLessThan(0.02);
    expect(Math.abs(histogram.quantile(1) / 1000 - 1)).toBeLessThan(0.02);
  });

  it('counts what is shorter or longer than it can tell at its ends', () => {
    const histogram = createHistogram();
    histogram.add(0);
    histogram.add(1e9);
    expect(histogram.quantile(0.5)).toBeCloseTo(0.001);
    expect(histogram.quantile(1)).toBeGreaterThan(99_000);
  });

  it('gives 0 for an empty histogram', () => {
    expect(createHistogram().quantile(0.99)).toBe(0);
  });
});
