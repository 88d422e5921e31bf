// The meter values of one session: those that are stored, and what events bring while it is in progress.
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api, dataOf } from '../api/client';
import { useFeed } from '../live/live';
import { sampleOf, samplesOf, type Sample } from '../model/measurements';
import { newestPages } from '../model/newest-pages';
import type { Session } from './session-list';

const PAGE_SIZE = 100;
/** The service takes a hundred requests of a key a second. */
const PAGES_TOGETHER = 5;
/** Samples by events since the stored ones were read. */
const MAX_LIVE = 10_000;

interface Stored {
  readonly samples: readonly Sample[];
  /** Older messages that were not read. */
  readonly leftOut: number;
}

/**
 * The samples of the newest messages, in the order in which they were sent, each page made into samples as it comes. Some pages together:
 * one after the other, a long session takes many seconds.
 */
async function readMeterValues(transactionId: number, signal: AbortSignal): Promise<Stored> {
  const read = (page: number) =>
    dataOf(
      api.GET('/v2/sessions/{transactionId}/meter-values', {
        params: { path: { transactionId }, query: { limit: PAGE_SIZE, page, sortKey: 'receivedAt' } },
        signal,
      }),
    );
  const first = await read(1);
  const { pages, leftOut } = newestPages(first.totalRecords, PAGE_SIZE);
  const samples = leftOut === 0 ? first.items.flatMap(samplesOf) : [];
  for (let from = leftOut === 0 ? 1 : 0; from < pages.length; from += PAGES_TOGETHER) {
    const together = pages.slice(from, from + PAGES_TOGETHER);
    const each = await Promise.all(together.map(async (page) => (await read(page)).items.flatMap(samplesOf)));
    samples.push(...each.flat());
  }
  return { samples, leftOut };
}

export interface Readings {
  readonly samples: readonly Sample[];
  /** Older messages that were not read: the session has more than are shown. */
  readonly leftOut: number;
  readonly isLoading: boolean;
  readonly error: unknown;
  retry(): void;
}

/** The samples of the session, in the order in which they were sent: all of it, or the newest. */
export function useReadings({ transactionId, chargerId, state }: Session): Readings {
  const [live, setLive] = useState<readonly Sample[]>([]);
  const stored = useQuery({
    queryKey: ['meter-values', transactionId],
    queryFn: ({ signal }) => readMeterValues(transactionId, signal),
    structuralSharing: false,
    meta: { showsFailure: true },
  });
  const need = state === 'ongoing' ? { types: ['meter.values'], chargerIds: [chargerId] } : undefined;
  useFeed(
    need,
    (event) => {
      if (event.type !== 'meter.values' || event.data.transactionId !== transactionId) return;
      setLive((before) => [...before, ...event.data.measurements.flatMap(sampleOf)].slice(-MAX_LIVE));
    },
    () => void stored.refetch(),
  );
  const samples = useMemo(() => {
    const known = stored.data?.samples ?? [];
    const lastMs = known.reduce((latest, { atMs }) => Math.max(latest, atMs), -Infinity);
    return live.length === 0 ? known : [...known, ...live.filter(({ atMs }) => atMs > lastMs)];
  }, [stored.data, live]);
  return {
    samples,
    leftOut: stored.data?.leftOut ?? 0,
    isLoading: stored.isPending,
    error: stored.data === undefined ? stored.error : null,
    retry: () => void stored.refetch(),
  };
}
