// What the screen of dead letters keeps in its address, and how letters are counted by reason. Pure.
import type { Schemas } from '../../api/client';

export interface DeadLettersSearch {
  readonly reason?: string | undefined;
  /** How many pages are loaded; absent: one. */
  readonly pages?: number | undefined;
}

type Letter = Pick<Schemas['DeadLetter'], 'reason'>;

const MAX_REASON = 1_000;

/** Each is read when the address is opened. */
export const MAX_PAGES = 50;

export function parseDeadLettersSearch({ reason, pages }: Readonly<Record<string, unknown>>): DeadLettersSearch {
  return {
    ...(typeof reason === 'string' && reason !== '' && reason.length <= MAX_REASON ? { reason } : {}),
    ...(typeof pages === 'number' && Number.isInteger(pages) && pages > 1 ? { pages: Math.min(pages, MAX_PAGES) } : {}),
  };
}

/** Reasons with their counts, the most frequent first. */
export function countReasons(letters: readonly Letter[]): readonly (readonly [reason: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { reason } of letters) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].sort(([one, a], [other, b]) => b - a || one.localeCompare(other));
}
