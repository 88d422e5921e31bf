// The reports that are written at a time. Where a feed is written, the events of one charger in a chunk share an outbox and a
// page: so one charger has a bounded part of a chunk.
import type { ReportEnvelope } from '@busbar/contracts';

/** The maximum for one charger in a chunk. A first report is always taken, whatever its size. */
export interface ChunkLimits {
  readonly reports: number;
  /** Characters of the frames, nearly all of which are ASCII. */
  readonly characters: number;
}

/** A message makes at most four events, so an outbox stays below 500 of them. */
export const FEED_CHUNK: ChunkLimits = { reports: 100, characters: 524_288 };

/** Reports written at a time: bounds one transaction. */
const MAX_REPORTS = 500;

/** The end of the chunk that begins at `from`. Without limits only the number of all its reports counts. */
export function endOfChunk(reports: readonly ReportEnvelope[], from: number, limits?: ChunkLimits): number {
  const end = Math.min(from + MAX_REPORTS, reports.length);
  if (limits === undefined) return end;
  const sizes = new Map<string, { reports: number; characters: number }>();
  for (let at = from; at < end; at += 1) {
    const report = reports[at];
    if (report === undefined) break;
    const size = sizes.get(report.chargerId);
    if (size === undefined) {
      sizes.set(report.chargerId, { reports: 1, characters: report.raw.length });
      continue;
    }
    size.reports += 1;
    size.characters += report.raw.length;
    if (size.reports > limits.reports || size.characters > limits.characters) return at;
  }
  return end;
}
