// The log of a charger in view: what is stored, then what the stream brings.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { api, dataOf } from '../../../api/client';
import { useInSight } from '../../../live/use-in-sight';
import { openServerEvents } from '../../../live/server-events';
import {
  append,
  entryOf,
  isFailed,
  matchesFilter,
  prepend,
  type Entry,
  type Exchange,
  type Filter,
} from './frame-buffer';

const PAGE_SIZE = 100;
/** Frames come one by one, up to 50 a second: the page is drawn less often. */
const DRAW_MS = 100;

export interface Frames {
  readonly entries: readonly Entry[];
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly isLost: boolean;
  readonly hasOlder: boolean;
  readonly isCleared: boolean;
  /** The time of the oldest frame that was read, also of one that the filter leaves out. */
  readonly readTo: string | undefined;
  loadOlder(): void;
  retry(): void;
  clear(): void;
}

interface View {
  /** Nothing after this time is shown; undefined: also what comes. */
  readonly until: string | undefined;
  readonly isPaused: boolean;
}

export function useFrames(chargerId: string, filter: Filter, { until, isPaused }: View): Frames {
  const [begin, setBegin] = useState(() => new Date().toISOString());
  const [isCleared, setCleared] = useState(false);
  const stored = useStored(chargerId, filter, until ?? begin);
  const { live, isLost, clear } = useStream(chargerId, isPaused || until !== undefined);
  const entries = useMemo(() => {
    const shown = live.filter((entry) => entry.kind === 'skipped' || matchesFilter(filter, entry.exchange));
    if (isCleared) return shown;
    const read = (stored.data?.pages ?? []).flatMap(({ items }) => items);
    const older = read
      .filter((exchange) => !filter.failed || isFailed(exchange))
      .map(entryOf)
      .reverse();
    return append(prepend([], older), shown);
  }, [live, stored.data, filter, isCleared]);
  return {
    entries,
    isLoading: stored.isPending,
    error: stored.error,
    isLost,
    hasOlder: stored.hasNextPage && !isCleared,
    isCleared,
    readTo: stored.data?.pages.at(-1)?.items.at(-1)?.requestTimestamp,
    loadOlder: () => void stored.fetchNextPage(),
    retry: () => void stored.refetch(),
    clear() {
      clear();
      setCleared(true);
      setBegin(new Date().toISOString());
    },
  };
}

function useStored(chargerId: string, { text, heartbeats }: Filter, endDate: string) {
  return useInfiniteQuery({
    queryKey: ['frames', chargerId, endDate, text, heartbeats],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/v2/chargers/{chargerId}/ocpp-logs', {
          params: {
            path: { chargerId },
            query: {
              limit: PAGE_SIZE,
              page: pageParam,
              endDate,
              includeHeartbeats: heartbeats,
              ...(text === '' ? {} : { search: text }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: 1,
    getNextPageParam: ({ page, hasNextPage }) => (hasNextPage ? page + 1 : undefined),
    staleTime: Infinity,
    meta: { showsFailure: true },
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

function useStream(chargerId: string, isPaused: boolean) {
  const [live, setLive] = useState<readonly Entry[]>([]);
  const [isLost, setLost] = useState(false);
  const isInSight = useInSight();
  const waiting = useRef<Entry[]>([]);
  const lastEventId = useRef<string>(undefined);
  useEffect(() => {
    if (isPaused || !isInSight) return undefined;
    let skips = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      timer = undefined;
      const added = waiting.current;
      waiting.current = [];
      setLive((before) => append(before, added));
    };
    const stream = openServerEvents({
      url: () => `/v2/chargers/${encodeURIComponent(chargerId)}/ocpp-logs/stream`,
      lastEventId: lastEventId.current,
      onState: (state) => setLost(state === 'lost'),
      onMessage(message) {
        if (message.id !== undefined) lastEventId.current = message.id;
        if (message.event === 'end') return;
        if (message.event === 'skipped') {
          skips += 1;
          waiting.current.push({
            kind: 'skipped',
            key: `skipped ${String(Date.now())} ${String(skips)}`,
            count: countOf(message.data),
          });
        } else waiting.current.push(entryOf(JSON.parse(message.data) as Exchange));
        timer ??= setTimeout(draw, DRAW_MS);
      },
    });
    return () => {
      clearTimeout(timer);
      stream.close();
    };
  }, [chargerId, isPaused, isInSight]);
  return { live, isLost, clear: () => setLive([]) };
}

function countOf(data: string): number {
  const parsed: unknown = JSON.parse(data);
  if (typeof parsed === 'number') return parsed;
  const count =
    typeof parsed === 'object' && parsed !== null
      ? Object.values(parsed).find((value) => typeof value === 'number')
      : undefined;
  return typeof count === 'number' ? count : 1;
}
