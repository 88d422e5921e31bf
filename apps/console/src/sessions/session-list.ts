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

export interface SessionSum {
  readonly shown: number;
  /** All that the filters leave: on this page and on others. */
  readonly total: number;
  readonly energyWh: number;
  /** How many of those shown have no energy: they are in progress, or their charger did not report it. */
  readonly unknown: number;
}

/** What the sessions of a page come to. The API has no sum of more. */
export function sumOf({ items, totalRecords }: SessionPage): SessionSum {
  const known = items.flatMap(({ consumptionWh }) => consumptionWh ?? []);
  return {
    shown: items.length,
    // A count above 10,000 may be some minutes old.
    total: Math.max(totalRecords, items.length),
    energyWh: known.reduce((sum, wh) => sum + wh, 0),
    unknown: items.length - known.length,
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
