// All sessions of the client: those in progress first, then newest first.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { MAX_TAG } from '../../api/limits';
import { ChangeBar } from '../../parts/change-bar';
import { Choice } from '../../parts/choice';
import { Pager } from '../../parts/data-table';
import { FailureNote } from '../../parts/notes';
import { SearchField } from '../../parts/search-field';
import '../../parts/toolbar.css';
import { useTitle } from '../../parts/use-title';
import { SessionDrawer } from '../../sessions/session-drawer';
import { SessionsFoot } from '../../sessions/sessions-foot';
import { InProgressNote, SessionTable } from '../../sessions/session-table';
import { SessionsCsv } from '../../sessions/sessions-csv';
import { useSessions } from '../../sessions/use-sessions';
import { sessionsTexts } from '../../texts/sessions';
import { ChosenFilters, FiltersButton, NoSession } from './session-filters';
import {
  hasTimes,
  PAGE_SIZE,
  PERIODS,
  queryOf,
  SESSION_STATES,
  startsIn,
  type SessionsSearch,
} from './sessions-search';

export function SessionsScreen() {
  useTitle(sessionsTexts.title);
  const search = useSearch({ from: '/sessions' });
  const navigate = useNavigate({ from: '/sessions' });
  const change = useCallback(
    (part: Partial<SessionsSearch>) => {
      void navigate({
        to: '/sessions',
        search: (before) => ({ ...before, page: undefined, ...part }),
        replace: true,
      });
    },
    [navigate],
  );
  const { page = 1, session, ...listed } = search;
  const filters = () => queryOf(search, new Date());
  const sessions = useSessions({
    // A period is of the day on which it is read: after midnight "Today" is another list.
    key: ['all', listed, ...(search.period === undefined ? [] : [new Date().toDateString()])],
    filters,
    page,
    limit: PAGE_SIZE,
    isOf: (started) => startsIn(search, started, new Date()),
  });
  const { data, error, refetch, started } = sessions;
  return (
    <>
      <header className="screen-head">
        <h1>{sessionsTexts.title}</h1>
        <SessionsCsv fileName="sessions.csv" filters={filters} />
      </header>
      <section className="card" aria-label={sessionsTexts.title}>
        <Toolbar search={search} onChange={change} />
        <ChosenFilters search={search} onChange={change} />
        <ChangeBar count={started} text={sessionsTexts.changes(started)} onShow={() => sessions.showStarted()} />
        <InProgressNote page={data} onAll={() => change({ state: 'ongoing' })} />
        {error !== null && data === undefined ? (
          <FailureNote title={sessionsTexts.failed} error={error} onRetry={() => void refetch()} />
        ) : data?.totalRecords === 0 ? (
          <NoSession search={search} onClear={() => void navigate({ to: '/sessions', search: {} })} />
        ) : (
          <SessionTable
            sessions={data?.items}
            onOpen={(id) => change({ page: search.page, session: id })}
            hasChargers
            isFaded={sessions.isPlaceholderData}
          />
        )}
        <SessionsFoot page={data} hasTimes={hasTimes(search)} />
        <Pager page={page} limit={PAGE_SIZE} list={data} onPage={(next) => change({ page: next })} />
      </section>
      <SessionDrawer transactionId={session} onClose={() => change({ page: search.page, session: undefined })} />
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
      <SearchField label={sessionsTexts.search} value={search.search} onChange={onSearch} maxLength={MAX_TAG} />
      <Choice
        label={sessionsTexts.state}
        value={search.state ?? ''}
        options={[
          ['', sessionsTexts.anyState],
          ...SESSION_STATES.map((state) => [state, sessionsTexts.states[state]] as const),
        ]}
        onChange={(value) => onChange({ state: SESSION_STATES.find((state) => state === value) })}
      />
      <Choice
        label={sessionsTexts.period}
        value={search.period ?? ''}
        options={[
          ['', sessionsTexts.anyTime],
          ...PERIODS.map((period) => [period, sessionsTexts.periods[period]] as const),
        ]}
        onChange={(value) =>
          onChange({ period: PERIODS.find((period) => period === value), from: undefined, to: undefined })
        }
      />
      <FiltersButton search={search} onChange={onChange} />
    </div>
  );
}
