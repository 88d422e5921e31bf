// The events of the screen: what is stored, by pages, then the shared stream.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { useFeed } from '../../live/live';
import { MAX_EVENTS, NO_EVENTS, withEvents, withStored, withWaiting, type EventList } from './event-list';
import { filterOf, isOf, needOf, type EventsSearch } from './events-search';

type Event = Schemas['Event'];

export interface Events {
  readonly list: EventList;
  /** Whether the stored events were read. */
  readonly isRead: boolean;
  /** There may be older ones, which were not searched. */
  readonly hasOlder: boolean;
  readonly isSearching: boolean;
  /** Of the last reading, or of the last search for older ones; null: it succeeded. */
  readonly error: unknown;
  /** Whether the error is of a search for older ones. */
  readonly isOlderFailed: boolean;
  show(): void;
  searchOlder(): void;
  retry(): void;
}

const PAGE_SIZE = 1_000;
/** New events are drawn together: there may be hundreds a second. */
const DRAW_MS = 250;
/** Until then the shared stream has what this screen needs. */
const CATCH_UP_MS = 2_000;

export function useEvents(search: EventsSearch, isHeld: boolean): Events {
  const [list, setList] = useState(NO_EVENTS);
  const held = useRef(isHeld);
  useEffect(() => {
    held.current = isHeld;
  });
  const arrived = useRef<Event[]>([]);
  useEffect(() => {
    const timer = setInterval(() => {
      const events = arrived.current.splice(0);
      if (events.length > 0) setList((before) => withEvents(before, events, held.current));
    }, DRAW_MS);
    return () => clearInterval(timer);
  }, []);
  const stored = useInfiniteQuery({
    queryKey: ['events', search],
    queryFn: ({ pageParam, signal }) => readStored(search, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ older }) => older,
    meta: { showsFailure: true },
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const { data: read, refetch } = stored;
  useEffect(() => {
    const events = (read?.pages ?? []).flatMap(({ items }) => items);
    setList((before) => withStored(before, events, held.current));
  }, [read]);
  const cursor = read?.pages[0]?.cursor;
  useEffect(() => {
    if (cursor === undefined) return undefined;
    // What happened before the stream had the needs of this screen.
    const late = new AbortController();
    const timer = setTimeout(() => {
      readPage(search, cursor, late.signal).then(
        ({ items }) => arrived.current.push(...items),
        () => undefined,
      );
    }, CATCH_UP_MS);
    return () => {
      clearTimeout(timer);
      late.abort();
    };
  }, [cursor, search]);
  useFeed(
    needOf(search),
    (event) => {
      if (isOf(search, event)) arrived.current.push(event);
    },
    () => void refetch(),
  );
  return {
    list,
    isRead: read !== undefined,
    hasOlder: stored.hasNextPage,
    isSearching: stored.isFetchingNextPage,
    error: stored.error,
    isOlderFailed: stored.isFetchNextPageError,
    show: useCallback(() => setList(withWaiting), []),
    searchOlder: () => void stored.fetchNextPage(),
    retry: () => void (stored.isFetchNextPageError ? stored.fetchNextPage() : refetch()),
  };
}

function readStored(search: EventsSearch, before: string | undefined, signal: AbortSignal) {
  const query = { ...filterOf(search), newest: true, limit: MAX_EVENTS, ...(before === undefined ? {} : { before }) };
  return dataOf(api.GET('/v2/events', { params: { query }, signal }));
}

function readPage(search: EventsSearch, after: string, signal: AbortSignal) {
  const query = { ...filterOf(search), after, limit: PAGE_SIZE };
  return dataOf(api.GET('/v2/events', { params: { query }, signal }));
}
