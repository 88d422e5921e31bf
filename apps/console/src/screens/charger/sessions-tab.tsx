import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../../api/client';
import { Pager } from '../../parts/data-table';
import { Empty, FailureNote } from '../../parts/notes';
import { SessionDrawer } from '../../sessions/session-drawer';
import { SessionTable } from '../../sessions/session-table';
import { texts } from '../../texts';

const PAGE_SIZE = 20;

/** The sessions of a charger, newest first. */
export function SessionsTab({ chargerId }: { readonly chargerId: string }) {
  const { session } = useSearch({ from: '/chargers/$chargerId' });
  const navigate = useNavigate({ from: '/chargers/$chargerId' });
  const [page, setPage] = useState(1);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['sessions', 'of charger', chargerId, page],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v2/sessions', {
          params: {
            query: { chargerIds: [chargerId], limit: PAGE_SIZE, page, sortKey: 'startTime', sortDescending: true },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
  const open = (transactionId: number | undefined) =>
    void navigate({
      to: '/chargers/$chargerId',
      params: { chargerId },
      search: (before) => ({ ...before, session: transactionId }),
      replace: true,
      resetScroll: false,
    });
  if (data === undefined && error !== null) {
    return <FailureNote title={texts.sessions.failed} error={error} onRetry={() => void refetch()} />;
  }
  return (
    <section className="card" aria-label={texts.sessions.title}>
      {data?.totalRecords === 0 ? (
        <Empty title={texts.sessions.empty}>
          <p>{texts.sessions.emptyText}</p>
        </Empty>
      ) : (
        <SessionTable sessions={data?.items} onOpen={open} hasChargers={false} isFaded={isPlaceholderData} />
      )}
      <Pager page={page} limit={PAGE_SIZE} list={data} onPage={setPage} />
      <SessionDrawer transactionId={session} onClose={() => open(undefined)} />
    </section>
  );
}
