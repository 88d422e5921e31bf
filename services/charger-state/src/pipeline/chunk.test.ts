import type { ReportEnvelope } from '@busbar/contracts';
import { newReport } from '../testing/report';
import { endOfChunk, FEED_CHUNK } from './chunk';

const of = (chargerId: string, count: number, characters = 10): ReportEnvelope[] =>
  Array.from({ length: count }, () => newReport({ chargerId, raw: 'x'.repeat(characters) }));
const KIB = 1_024;

it.each<[string, readonly ReportEnvelope[], number]>([
  ['takes 100 reports of one charger, and no more', of('A', 101), 100],
  ['takes as many of each charger', [...of('A', 100), ...of('B', 100), ...of('C', 1)], 201],
  [
    'ends before the first report above the limit, whatever follows',
    [...of('A', 100), ...of('B', 3), ...of('A', 1)],
    103,
  ],
  ['takes frames of 512 KiB of one charger, and no more', of('A', 3, 256 * KIB), 2],
  ['takes large frames of several chargers', [...of('A', 2, 256 * KIB), ...of('B', 2, 256 * KIB)], 4],
  ['takes a single frame of any size', of('A', 1, 600 * KIB), 1],
  ['takes 500 reports of many chargers', Array.from({ length: 501 }, (_, n) => of(`C${String(n)}`, 1)).flat(), 500],
  ['ends with the last report', of('A', 7), 7],
])('%s', (_title, reports, end) => {
  expect(endOfChunk(reports, 0, FEED_CHUNK)).toBe(end);
});

it('begins to count anew in the next chunk', () => {
  const reports = of('A', 250);
  expect([0, 100, 200].map((from) => endOfChunk(reports, from, FEED_CHUNK))).toEqual([100, 200, 250]);
});

it('counts only all reports without limits', () => {
  expect(endOfChunk(of('A', 501), 0)).toBe(500);
  expect(endOfChunk(of('A', 3, 600 * KIB), 0)).toBe(3);
});
