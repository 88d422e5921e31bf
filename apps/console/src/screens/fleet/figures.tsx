import type { UseQueryResult } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { energyOf, numberOf } from '../../parts/format';
import { FailureNote, Skeleton } from '../../parts/notes';
import { StateLetter } from '../../parts/state-mark';
import { STATES, toneOf, type State } from '../../parts/states';
import { texts } from '../../texts';
import './figures.css';

interface FiguresProps {
  readonly statistics: UseQueryResult<Schemas['Statistics']>;
  readonly onState: (state: State) => void;
}

/** What the network does now. Fails apart from the list. */
export function Figures({ statistics: { data, error, refetch }, onState }: FiguresProps) {
  if (data === undefined && error !== null) {
    return <FailureNote title={texts.fleet.figuresFailed} error={error} onRetry={() => void refetch()} />;
  }
  return (
    <section className="figures" aria-label={texts.fleet.figures}>
      <Counts data={data} />
      <SocketStates counts={data?.socketsByState} total={data?.sockets} onState={onState} />
    </section>
  );
}

function Counts({ data }: { readonly data: Schemas['Statistics'] | undefined }) {
  if (data === undefined) {
    return [texts.fleet.connected, texts.fleet.sessionsNow, texts.fleet.energyToday].map((label) => (
      <Figure key={label} label={label} value={undefined} note=" " />
    ));
  }
  const { chargers, connectedChargers, sessionsInProgress, sessionsToday, energyTodayWh } = data;
  const share = chargers === 0 ? 0 : connectedChargers / chargers;
  return (
    <>
      <Figure
        label={texts.fleet.connected}
        value={numberOf(connectedChargers)}
        note={texts.fleet.ofChargers(numberOf(chargers), percentOf(share))}
      />
      <Figure
        label={texts.fleet.sessionsNow}
        value={numberOf(sessionsInProgress)}
        note={texts.fleet.sessionsToday(sessionsToday)}
      />
      <Figure label={texts.fleet.energyToday} value={energyOf(energyTodayWh)} note={texts.fleet.sinceMidnight} />
    </>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly note: string;
}

function Figure({ label, value, note }: FigureProps) {
  return (
    <div className="figure">
      <h2 className="figure-label">{label}</h2>
      <p className="figure-value">{value ?? <Skeleton width="3ch" />}</p>
      <p className="figure-note">{note}</p>
    </div>
  );
}

interface SocketStatesProps {
  readonly counts: Readonly<Record<string, number>> | undefined;
  readonly total: number | undefined;
  readonly onState: (state: State) => void;
}

function SocketStates({ counts, total, onState }: SocketStatesProps) {
  const shown = STATES.map((state) => ({ state, count: counts?.[state] ?? 0 })).filter(({ count }) => count > 0);
  return (
    <div className="figure figure-sockets">
      <h2 className="figure-label">
        {texts.fleet.sockets}
        <span className="figure-total">{total !== undefined && texts.fleet.socketCount(total)}</span>
      </h2>
      <div className="state-bar" aria-hidden>
        {shown.map(({ state, count }) => (
          <span key={state} className={`tone-${toneOf(state)}`} style={{ flexGrow: count }} />
        ))}
      </div>
      <ul className="state-counts">
        {shown.map(({ state, count }) => (
          <li key={state}>
            <button
              type="button"
              className={`state-count tone-${toneOf(state)}`}
              title={texts.fleet.filterByState(texts.states[state])}
              onClick={() => onState(state)}
            >
              <StateLetter state={state} />
              <span>{texts.states[state]}</span>
              <strong>{numberOf(count)}</strong>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function percentOf(share: number): string {
  const percent = share * 100;
  // 99.96 % is not all of them.
  return `${percent > 99 && percent < 100 ? percent.toFixed(1) : String(Math.round(percent))}\u00a0%`;
}
