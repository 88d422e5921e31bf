// Which sessions a list shows, and in which order. Pure.
import type { Schemas } from '../api/client';

export type Session = Schemas['Session'];

export interface SessionPage {
  readonly items: readonly Session[];
  readonly totalRecords: number;
  readonly hasNextPage: boolean;
  /** How many sessions in progress it begins with, of all that the filters leave; undefined where it does not begin with them. */
  readonly inProgress?: { readonly shown: number; readonly total: number };
}

/** The first page of a list: sessions in progress come first, each session once. */
export function inProgressFirst(inProgress: SessionPage, all: SessionPage): SessionPage {
  const first = new Set(inProgress.items.map(({ transactionId }) => transactionId));
  const others = all.items.filter(({ transactionId }) => !first.has(transactionId));
  return {
    ...all,
    items: [...inProgress.items, ...others],
    inProgress: { shown: inProgress.items.length, total: inProgress.totalRecords },
  };
}

type Ended = Schemas['SessionEndedEventData'];

/** The session as it ended by an event. */
export function endedBy(
  session: Session,
  { endTime, consumptionWh, meterStop, stopReason, superseded }: Ended,
): Session {
  return { ...session, endTime, consumptionWh, meterStop, stopReason, state: superseded ? 'superseded' : 'ended' };
}
