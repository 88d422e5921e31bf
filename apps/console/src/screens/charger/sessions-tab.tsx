import { Link } from '@tanstack/react-router';
import { useMay } from '../../api/use-session';
import { ChangeBar } from '../../parts/change-bar';
import { Pager } from '../../parts/data-table';
import { Empty, FailureNote } from '../../parts/notes';
import '../../parts/toolbar.css';
import { SessionDrawer } from '../../sessions/session-drawer';
import { SessionsFoot } from '../../sessions/sessions-foot';
import { SessionTable } from '../../sessions/session-table';
import { SessionsCsv } from '../../sessions/sessions-csv';
import { useSessions } from '../../sessions/use-sessions';
import { sessionsTexts } from '../../texts/sessions';
import { sessionListTexts } from '../../texts/session-list';
import type { CommandRequest } from './commands/definitions';
import { useChargerSearch } from './use-charger-search';

const PAGE_SIZE = 20;

interface SessionsTabProps {
  readonly chargerId: string;
  readonly onCommand: (request: CommandRequest) => void;
}

/** The sessions of a charger: those in progress first, then newest first. */
export function SessionsTab({ chargerId, onCommand }: SessionsTabProps) {
  const {
    search: { session, page = 1 },
    change,
  } = useChargerSearch();
  const mayOperate = useMay('chargers:operate');
  const chargerIds = [chargerId];
  const filters = () => ({ chargerIds });
  const sessions = useSessions({
    key: ['of charger', chargerId],
    filters,
    page,
    limit: PAGE_SIZE,
    chargerIds,
    isOf: () => true,
  });
  const { data, error, started } = sessions;
  if (data === undefined && error !== null) {
    return <FailureNote title={sessionsTexts.failed} error={error} onRetry={() => void sessions.refetch()} />;
  }
  return (
    <section className="card" aria-label={sessionsTexts.title}>
      {data?.totalRecords !== 0 && (
        <div className="toolbar">
          <Link className="session-filter" to="/sessions" search={{ charger: chargerId }}>
            {sessionListTexts.filter}
          </Link>
          <span className="toolbar-end">
            <SessionsCsv fileName={`${chargerId}-sessions.csv`} filters={filters} />
          </span>
        </div>
      )}
      <ChangeBar count={started} text={sessionsTexts.changes(started)} onShow={() => sessions.showStarted()} />
      {data?.totalRecords === 0 ? (
        <Empty title={sessionsTexts.empty}>
          <p>{sessionsTexts.emptyText}</p>
        </Empty>
      ) : (
        <SessionTable
          sessions={data?.items}
          onOpen={(id) => change({ session: id })}
          hasChargers={false}
          isFaded={sessions.isPlaceholderData}
          onStop={mayOperate ? (transactionId) => onCommand({ key: 'stop', fixed: { transactionId } }) : undefined}
        />
      )}
      <SessionsFoot page={data} hasTimes={false} />
      <Pager page={page} limit={PAGE_SIZE} list={data} onPage={(next) => change({ page: next })} />
      <SessionDrawer transactionId={session} onClose={() => change({ session: undefined })} />
    </section>
  );
}
