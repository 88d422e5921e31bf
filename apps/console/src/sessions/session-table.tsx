// Sessions as a table, for the list of all and the tab of a charger.
import { Button } from '../parts/button';
import { ChargerLink } from '../parts/charger-link';
import { DataTable, type Column } from '../parts/data-table';
import { durationOf, kwhOf } from '../parts/format';
import { TagText } from '../parts/tag-text';
import { DateTime, Since } from '../parts/time';
import { texts } from '../texts';
import { sessionsTexts } from '../texts/sessions';
import { sessionListTexts } from '../texts/session-list';
import type { Session, SessionPage } from './session-list';
import './sessions.css';

export type { Session };

const TONES: Readonly<Record<string, string>> = { ongoing: 'busy', ended: 'idle', superseded: 'wait', refused: 'bad' };

export function SessionState({ state }: { readonly state: string }) {
  const names: Readonly<Record<string, string>> = sessionsTexts.states;
  return (
    <span className={`state-label tone-${TONES[state] ?? 'idle'}`}>
      <span className="state-dot" aria-hidden />
      {names[state] ?? state}
    </span>
  );
}

interface SessionTableProps {
  readonly sessions: readonly Session[] | undefined;
  readonly onOpen: (transactionId: number) => void;
  /** Whether the chargers differ from row to row. */
  readonly hasChargers: boolean;
  readonly isFaded?: boolean;
  /** Offers to stop a session in progress. */
  readonly onStop?: ((transactionId: number) => void) | undefined;
}

export function SessionTable({ sessions, onOpen, hasChargers, isFaded = false, onStop }: SessionTableProps) {
  const columns: readonly Column<Session>[] = [
    {
      label: sessionsTexts.started,
      cell: ({ transactionId, startTime }) => (
        <button type="button" className="link-button" onClick={() => onOpen(transactionId)}>
          <DateTime at={startTime} />
        </button>
      ),
    },
    {
      label: sessionsTexts.state,
      cell: (session) => <StateAndStop session={session} onStop={onStop} />,
      below: 'alone',
    },
    ...(hasChargers ? [CHARGER] : []),
    { label: sessionsTexts.socket, cell: ({ socketId }) => socketId, rank: 3, isNumber: true },
    { label: sessionsTexts.tag, cell: ({ rfidTag }) => <TagText tag={rfidTag} />, rank: 2 },
    {
      label: sessionsTexts.duration,
      cell: (session) => <Duration session={session} />,
      rank: hasChargers ? 2 : 1,
      isNumber: true,
    },
    {
      label: sessionsTexts.energy,
      cell: ({ consumptionWh }) => (consumptionWh === null ? texts.common.none : kwhOf(consumptionWh)),
      isNumber: true,
    },
    { label: sessionsTexts.reason, cell: ({ stopReason }) => stopReason ?? texts.common.none, rank: 3 },
  ];
  return (
    <DataTable
      label={sessionsTexts.title}
      columns={columns}
      rows={sessions}
      keyOf={({ transactionId }) => transactionId}
      isFaded={isFaded}
    />
  );
}

const CHARGER: Column<Session> = {
  label: sessionsTexts.charger,
  below: 'alone',
  cell: ({ chargerId, siteName }) => (
    <>
      <ChargerLink chargerId={chargerId} />
      <div className="session-site">{siteName}</div>
    </>
  ),
};

interface StateAndStopProps {
  readonly session: Session;
  readonly onStop: ((transactionId: number) => void) | undefined;
}

/** No column of its own for the one action: it would be empty in most rows. */
function StateAndStop({ session: { transactionId, state }, onStop }: StateAndStopProps) {
  if (onStop === undefined) return <SessionState state={state} />;
  return (
    <div className="session-state">
      <SessionState state={state} />
      {state === 'ongoing' && (
        <Button size="s" aria-label={sessionListTexts.stopOf(transactionId)} onClick={() => onStop(transactionId)}>
          {sessionListTexts.stop}
        </Button>
      )}
    </div>
  );
}

interface InProgressNoteProps {
  readonly page: SessionPage | undefined;
  readonly onAll: () => void;
}

/** Where the first page has not all that are in progress. */
export function InProgressNote({ page, onAll }: InProgressNoteProps) {
  if (page?.inProgress === undefined || page.inProgress.shown === page.inProgress.total) return null;
  return (
    <p className="session-note">
      {sessionListTexts.inProgress(page.inProgress.shown, page.inProgress.total)}{' '}
      <button type="button" className="link-button" onClick={onAll}>
        {sessionListTexts.allInProgress}
      </button>
    </p>
  );
}

export function Duration({ session: { startTime, endTime, state } }: { readonly session: Session }) {
  if (endTime !== null) return durationOf(Date.parse(endTime) - Date.parse(startTime));
  return state === 'ongoing' ? <Since at={startTime} /> : texts.common.none;
}
