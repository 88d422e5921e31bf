import type { Measurement } from '../measures/measurement';
import type { BenchResults, CellResult } from './results';
import { alignedTable, figuresText, noiseLines, reportText, tableText } from './table';

const measured: Measurement = {
  headline: '20,000/s',
  beside: ['p50 4 ms', 'p99 10 ms', '300 MB'],
  baseline: { name: 'B1', perSecond: [38_000, 42_000] },
  shown: '0.50 of B1, p99 10 ms',
  isMet: true,
  counts: true,
  merit: 0.5,
  remarks: ['20,000 answers/s'],
  details: {},
};

function results(cells: readonly CellResult[]): BenchResults {
  return {
    startedAt: '2030-01-01T00:00:00.000Z',
    machine: { processors: 2, model: 'a processor', memoryGb: 8, platform: 'linux', node: 'v20.19.0', load: 0 },
    options: { rounds: 3, seconds: 5, replicas: 1, version2: 'ocpp2.1' },
    columns: { 1: [], 3: ['RabbitMQ: none'] },
    cells,
  };
}

function cell(part: Partial<CellResult>): CellResult {
  return { row: 'heartbeats', column: 1, rounds: [measured], best: measured, median: measured, failures: [], ...part };
}

describe('the figures', () => {
  it('has the best round, the median of all, response times and memory', () => {
    const median = { ...measured, headline: '18,000/s' };
    const text = figuresText(results([cell({ median })]));
    expect(text).toContain('| Heartbeats, 200 chargers | 20,000/s (median 18,000/s), p50 4 ms, p99 10 ms, 300 MB |');
  });

  it('names a cell that failed or does not count', () => {
    expect(figuresText(results([cell({ best: undefined })]))).toMatch(/\| failed +\|/);
    expect(figuresText(results([cell({ best: { ...measured, counts: false } })]))).toContain('300 MB, does not count');
  });

  it('comes before the goals', () => {
    const text = reportText(results([cell({})]));
    expect(text.indexOf('(median 20,000/s)')).toBeLessThan(text.indexOf('0.50 of B1'));
  });

  it('says how far the readings of a baseline differ', () => {
    const other = { ...measured, baseline: { name: 'B1', perSecond: [40_000] } };
    expect(noiseLines([cell({}), cell({ rounds: [other] })])).toEqual([
      'B1: 38,000 to 42,000 a second in 3 readings, which differ by 10 %',
    ]);
    expect(noiseLines([cell({ rounds: [] })])).toEqual([]);
  });
});

describe('the table', () => {
  it('has the goal and the verdict beside each figure', () => {
    const text = tableText(results([cell({})]));
    expect(text).toContain('| Heartbeats, 200 chargers | 0.50 of B1, p99 10 ms: pass (≥ 0.32 of B1) |');
  });

  it('says which cells missed, do not count, failed or were not measured', () => {
    const verdict = (part: Partial<CellResult>): string => tableText(results([cell(part)]));
    expect(verdict({ best: { ...measured, isMet: false } })).toContain(': miss (');
    expect(verdict({ best: { ...measured, isMet: false, counts: false } })).toContain(': does not count (');
    expect(verdict({ best: undefined })).toContain('failed (≥ 0.32 of B1)');
    expect(verdict({})).toContain('not measured (≥ 0.45 of B2)');
  });

  it('leaves a cell without a goal empty, and rows and columns out that were not asked for', () => {
    const columns = { 1: [], 2: [] };
    const lines = tableText({ ...results([cell({ row: 'readable' })]), columns }).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[2]).toMatch(/\| +\|$/);
    expect(lines[0]).not.toContain('four processes');
  });

  it('has columns as wide as what is in them', () => {
    expect(
      alignedTable([
        ['a', 'b'],
        ['long', ''],
      ]),
    ).toBe('| a    | b   |\n| ---- | --- |\n| long |     |');
  });

  it('is followed by what was read in each round and what failed', () => {
    const text = reportText(results([cell({ failures: ['a charger could not connect'] })]));
    expect(text).toContain('heartbeats, column 1, round 1: 20,000 answers/s');
    expect(text).toContain('heartbeats, column 1: a charger could not connect');
    expect(text).toContain('column 3: RabbitMQ: none');
  });
});
