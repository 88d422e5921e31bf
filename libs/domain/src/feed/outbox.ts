/**
 * The events of a charger's last change that made any. They are written with that change, so that there is no change without
 * its events, and no event without its change. Its page is inserted right after. The next change with events replaces them.
 */
export interface Outbox {
  /** The page of the feed that the events are going into. */
  readonly page: number;
  /** JSON objects, separated by commas. Serialized once, and never parsed on the way to a reader. */
  readonly items: string;
  /** The sequence of the first of them. */
  readonly first: number;
  /** The sequence of the charger's next event. */
  readonly next: number;
}

/** The highest sequence in the outbox. */
export function lastSequence({ next }: Outbox): number {
  return next - 1;
}
