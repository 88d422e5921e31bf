// A page of sessions: those in progress first, then by start. It stays as it was read; an event changes the one session in its place,
// and new sessions are counted until the reader asks for them.
import { keepPreviousData, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../api/client';
import type { paths } from '../api/generated/v2';
import { useFeed, type FeedEvent } from '../live/live';
import { createChangesWhileReading } from '../model/changes-while-reading';
import { endedBy, inProgressFirst, type Session, type SessionPage } from './session-list';

/** The parameters of `GET /v2/sessions`. */
export type SessionQuery = NonNullable<paths['/v2/sessions']['get']['parameters']['query']>;
type Started = Extract<FeedEvent, { readonly type: 'session.started' }>;

interface SessionsInput {
  /** What the list is of: another key is another list. */
  readonly key: readonly unknown[];
  /** The filters, when they are asked for: some are relative to the time. */
  readonly filters: () => SessionQuery;
  readonly page: number;
  readonly limit: number;
  /** Only these chargers. */
  readonly chargerIds?: readonly string[] | undefined;
  /** Whether a session that starts may be in the list. */
  readonly isOf: (started: Started) => boolean;
}

const LISTS = ['sessions', 'list'];
const inReading = createChangesWhileReading<Session>(({ transactionId }) => transactionId);

export function useSessions({ key, filters, page, limit, chargerIds, isOf }: SessionsInput) {
  const client = useQueryClient();
  const name = JSON.stringify(key);
  const [started, setStarted] = useState({ name, count: 0 });
  const query = useQuery({
    queryKey: [...LISTS, ...key, page],
    queryFn: ({ signal }) => inReading.page(() => readPage({ ...filters(), page, limit }, signal)),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    // Nothing keeps a list current that is not shown.
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const { refetch } = query;
  useFeed(
    { types: ['session.started', 'session.ended'], chargerIds },
    (event) => {
      if (event.type === 'session.started' && isOf(event)) {
        setStarted((before) => ({ name, count: before.name === name ? before.count + 1 : 1 }));
      }
      if (event.type === 'session.ended') {
        changeSession(client, event.data.transactionId, (session) => endedBy(session, event.data));
      }
    },
    () => void refetch(),
  );
  return {
    ...query,
    /** Sessions that started since the list was read. */
    started: started.name === name ? started.count : 0,
    /** Reads the list anew. */
    showStarted() {
      setStarted({ name, count: 0 });
      void refetch();
    },
  };
}

/** Changes one session wherever a list shows it. */
export function changeSession(client: QueryClient, transactionId: number, change: (session: Session) => Session): void {
  inReading.changed(transactionId, change);
  client.setQueriesData<SessionPage>({ queryKey: LISTS }, (page) => {
    const at = page?.items.findIndex((session) => session.transactionId === transactionId) ?? -1;
    const session = page?.items[at];
    return page === undefined || session === undefined
      ? page
      : { ...page, items: page.items.with(at, change(session)) };
  });
}

async function readPage(query: SessionQuery, signal: AbortSignal): Promise<SessionPage> {
  const read = (part: SessionQuery) =>
    dataOf(
      api.GET('/v2/sessions', {
        params: { query: { sortKey: 'startTime', sortDescending: true, ...query, ...part } },
        signal,
      }),
    );
  if (query.page !== 1 || query.state !== undefined) return read({});
  const [inProgress, all] = await Promise.all([read({ state: 'ongoing' }), read({})]);
  return inProgressFirst(inProgress, all);
}
