// The log of a charger in view: what is stored, then what the stream brings.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { api, dataOf } from '../../../api/client';
import { serviceClock } from '../../../api/service-clock';
import { openServerEvents } from '../../../live/server-events';
import { useIsSeen } from '../../../live/use-in-sight';
import {
  append,
  entryOf,
  isFailed,
  matchesFilter,
  seeksOlder,
  storedUntil,
  type Entry,
  type Exchange,
  type Filter,
} from './frame-buffer';

const PAGE_SIZE = 100;
/** Frames come one by one, up to 50 a second: the page is drawn less often. */
const DRAW_MS = 100;
/** What is stored does not wait longer for the stream: it may be paused, or a proxy may hold back its beginning. */
const STREAM_WAIT_MS = 1_000;

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
  /** Older frames are read until those of this command are there. */
  readonly command: string | undefined;
}

export function useFrames(chargerId: string, filter: Filter, { until, isPaused, command }: View): Frames {
  const [clearedAt, setClearedAt] = useState<number>();
  const isCleared = clearedAt !== undefined;
  const { live, begin, isLost, clear } = useStream(chargerId, isPaused || until !== undefined);
  const stored = useStored(chargerId, filter, until ?? begin);
  // A text may leave the frames of the command out.
  useOlderUntil(filter.text === '' ? command : undefined, stored);
  const entries = useMemo(() => {
    const shown = live.filter((entry) => entry.kind === 'skipped' || matchesFilter(filter, entry.exchange));
    const read = (stored.data?.pages ?? []).flatMap(({ items }) => items);
    const older = read
      .filter((exchange) => !filter.failed || isFailed(exchange))
      .filter(({ requestTimestamp }) => clearedAt === undefined || Date.parse(requestTimestamp) > clearedAt)
      .map(entryOf)
      .reverse();
    // The pages are read by their number, and overlap where frames came between.
    return append([], [...older, ...shown]);
  }, [live, stored.data, filter, clearedAt]);
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
      setClearedAt(serviceClock.now());
    },
  };
}

/** Waits where the end is not known yet. To another end it reads all pages anew that are there, and shows them meanwhile. */
function useStored(chargerId: string, { text, heartbeats }: Filter, endDate: string | undefined) {
  const stored = useInfiniteQuery({
    // Without the end: older pages that the reader asked for would go with each other one.
    queryKey: ['frames', chargerId, text, heartbeats],
    enabled: endDate !== undefined,
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/v2/chargers/{chargerId}/ocpp-logs', {
          params: {
            path: { chargerId },
            query: {
              limit: PAGE_SIZE,
              page: pageParam,
              includeHeartbeats: heartbeats,
              ...(endDate === undefined ? {} : { endDate }),
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
  const { refetch } = stored;
  const readTo = useRef(endDate);
  useEffect(() => {
    if (readTo.current !== undefined && readTo.current !== endDate) void refetch();
    readTo.current = endDate;
  }, [endDate, refetch]);
  return stored;
}

function useOlderUntil(
  command: string | undefined,
  { data, error, isFetching, fetchNextPage }: ReturnType<typeof useStored>,
): void {
  const isSeeking = error === null && !isFetching && seeksOlder(command, data?.pages ?? []);
  useEffect(() => {
    if (isSeeking) void fetchNextPage();
  }, [isSeeking, fetchNextPage]);
}

function useStream(chargerId: string, isPaused: boolean) {
  const [live, setLive] = useState<readonly Entry[]>([]);
  const [begin, setBegin] = useState<string>();
  const [isLost, setLost] = useState(false);
  // A hidden tab's would be one of the few connections of the browser; the position leads back to what it missed.
  const isSeen = useIsSeen();
  const waiting = useRef<Entry[]>([]);
  const lastEventId = useRef<string>(undefined);
  useEffect(() => {
    const alone = () => ({ state: 'lost', position: undefined, now: serviceClock.now() }) as const;
    const timer = setTimeout(() => setBegin((before) => storedUntil(before, alone())), STREAM_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (isPaused || !isSeen) return undefined;
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
      onState(state) {
        setLost(state === 'lost');
        const now = serviceClock.now();
        const position = lastEventId.current;
        setBegin((before) => storedUntil(before, { state, position, now }));
      },
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
      stream.close();
      if (timer === undefined) return;
      clearTimeout(timer);
      // The position is behind these already: no stream brings them again.
      draw();
    };
  }, [chargerId, isPaused, isSeen]);
  function clear(): void {
    waiting.current = [];
    setLive([]);
  }
  return { live, begin, isLost, clear };
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
