// All sessions of the client, newest first.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { api, dataOf } from '../../api/client';
import { useFeed } from '../../live/live';
import { createChangesWhileReading } from '../../model/changes-while-reading';
import { Button } from '../../parts/button';
import { ChangeBar } from '../../parts/change-bar';
import { Choice } from '../../parts/choice';
import { Pager } from '../../parts/data-table';
import { Empty, FailureNote } from '../../parts/notes';
import { SearchField } from '../../parts/search-field';
import '../../parts/toolbar.css';
import { useTitle } from '../../parts/use-title';
import { SessionDrawer } from '../../sessions/session-drawer';
import { SessionTable, type Session } from '../../sessions/session-table';
import { texts } from '../../texts';
import { ChosenFilters, FiltersButton } from './session-filters';
import { SessionsCsv } from './sessions-csv';
import { isFiltered, PAGE_SIZE, PERIODS, queryOf, SESSION_STATES, type SessionsSearch } from './sessions-search';

const inReading = createChangesWhileReading<Session>(({ transactionId }) => transactionId);

export function SessionsScreen() {
  useTitle(texts.sessions.title);
  const search = useSearch({ from: '/sessions' });
  const navigate = useNavigate({ from: '/sessions' });
  const client = useQueryClient();
  const [changes, setChanges] = useState(0);
  const change = useCallback(
    (part: Partial<SessionsSearch>) => {
      setChanges(0);
      void navigate({
        to: '/sessions',
        search: (before) => ({ ...before, page: undefined, ...part }),
        replace: true,
      });
    },
    [navigate],
  );
  const listed = { ...search, session: undefined };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['sessions', 'list', listed],
    queryFn: ({ signal }) => {
      const query = { ...queryOf(search, new Date()), limit: PAGE_SIZE, page: search.page ?? 1 };
      return inReading.page(() => dataOf(api.GET('/v2/sessions', { params: { query }, signal })));
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  // Rows stay where they are: a session that ended is marked in place, new ones are counted.
  useFeed(
    { types: ['session.started', 'session.ended'] },
    (event) => {
      if (event.type === 'session.started') setChanges((count) => count + 1);
      if (event.type !== 'session.ended') return;
      const { transactionId, superseded, ...end } = event.data;
      const ended = (row: Session): Session => {
        const { endTime, consumptionWh, meterStop, stopReason } = end;
        return { ...row, endTime, consumptionWh, meterStop, stopReason, state: superseded ? 'superseded' : 'ended' };
      };
      inReading.changed(transactionId, ended);
      client.setQueriesData<{ readonly items: readonly Session[] }>(
        { queryKey: ['sessions', 'list'] },
        (page) =>
          page && { ...page, items: page.items.map((row) => (row.transactionId === transactionId ? ended(row) : row)) },
      );
    },
    () => void refetch(),
  );

  return (
    <>
      <header className="screen-head">
        <h1>{texts.sessions.title}</h1>
        <SessionsCsv search={search} />
      </header>
      <section className="card" aria-label={texts.sessions.title}>
        <Toolbar search={search} onChange={change} />
        <ChosenFilters search={search} onChange={change} />
        <ChangeBar
          count={changes}
          text={texts.sessions.changes(changes)}
          onShow={() => {
            setChanges(0);
            void refetch();
          }}
        />
        {error !== null && data === undefined ? (
          <FailureNote title={texts.sessions.failed} error={error} onRetry={() => void refetch()} />
        ) : data?.totalRecords === 0 ? (
          <Nothing search={search} onClear={() => void navigate({ to: '/sessions', search: {} })} />
        ) : (
          <SessionTable
            sessions={data?.items}
            onOpen={(session) => change({ page: search.page, session })}
            hasChargers
            isFaded={isPlaceholderData}
          />
        )}
        <Pager page={search.page ?? 1} limit={PAGE_SIZE} list={data} onPage={(page) => change({ page })} />
      </section>
      <SessionDrawer transactionId={search.session} onClose={() => change({ page: search.page, session: undefined })} />
    </>
  );
}

interface ToolbarProps {
  readonly search: SessionsSearch;
  readonly onChange: (change: Partial<SessionsSearch>) => void;
}

function Toolbar({ search, onChange }: ToolbarProps) {
  const onSearch = useCallback((value: string | undefined) => onChange({ search: value }), [onChange]);
  return (
    <div className="toolbar">
      <SearchField label={texts.sessions.search} value={search.search} onChange={onSearch} />
      <Choice
        label={texts.sessions.state}
        value={search.state ?? ''}
        options={[
          ['', texts.sessions.anyState],
          ...SESSION_STATES.map((state) => [state, texts.sessions.states[state]] as const),
        ]}
        onChange={(value) => onChange({ state: SESSION_STATES.find((state) => state === value) })}
      />
      <Choice
        label={texts.sessions.period}
        value={search.period ?? ''}
        options={[
          ['', texts.sessions.anyTime],
          ...PERIODS.map((period) => [period, texts.sessions.periods[period]] as const),
        ]}
        onChange={(value) =>
          onChange({ period: PERIODS.find((period) => period === value), from: undefined, to: undefined })
        }
      />
      <FiltersButton search={search} onChange={onChange} />
    </div>
  );
}

function Nothing({ search, onClear }: { readonly search: SessionsSearch; readonly onClear: () => void }) {
  if (!isFiltered(search)) {
    return (
      <Empty title={texts.sessions.empty}>
        <p>{texts.sessions.emptyText}</p>
      </Empty>
    );
  }
  return (
    <Empty title={texts.sessions.nothing}>
      <Button onClick={onClear}>{texts.common.clearFilters}</Button>
    </Empty>
  );
}
