// When the charger was connected, and in which states its sockets were: bands over time.
import { useQuery } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { api, dataOf } from '../../api/client';
import { serviceClock } from '../../api/service-clock';
import { useMay } from '../../api/use-session';
import { useFeed } from '../../live/live';
import { ROW_TYPES } from '../../model/apply-event';
import { bandsOfConnections, bandsOfSocket, MAX_BANDS, type Band } from '../../model/bands';
import { Button } from '../../parts/button';
import { Choice } from '../../parts/choice';
import { textOf } from '../../parts/form';
import { dateTimeOf, durationOf } from '../../parts/format';
import { FailureNote, Skeleton } from '../../parts/notes';
import { isState, toneOf } from '../../parts/states';
import '../../parts/toolbar.css';
import { texts } from '../../texts';
import { bandsTexts } from '../../texts/bands';
import { PERIODS, type Period } from './charger-search';
import './states-tab.css';
import type { Charger } from './use-charger';
import { useChargerSearch } from './use-charger-search';

const HOUR_MS = 60 * 60 * 1_000;
const LENGTHS: Record<Period, number> = { day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS, month: 30 * 24 * HOUR_MS };
/** The series of states takes 31 days at most. */
const BEFORE_MS = 31 * 24 * HOUR_MS;
/** What a charger sends after a change belongs to it. */
const AFTER_MS = 60_000;
/** The ranges move on by themselves while the tab is seen. A long one takes many requests, and a minute is no point of it. */
const ADVANCE_MS: Record<Period, number> = { day: 60_000, week: 10 * 60_000, month: 10 * 60_000 };

interface Range {
  readonly from: number;
  readonly to: number;
}

export function StatesTab({
  chargerId,
  sockets,
}: {
  readonly chargerId: string;
  readonly sockets: Charger['sockets'];
}) {
  const {
    search: { period = 'day' },
    change,
    open,
  } = useChargerSearch();
  const mayLogs = useMay('logs:read');
  const showFrames = (at: number) => open({ tab: 'frames', until: new Date(at + AFTER_MS).toISOString() });
  return (
    <div className="card">
      <div className="toolbar">
        <Choice
          label={bandsTexts.period}
          value={period}
          options={Object.entries(bandsTexts.periods)}
          onChange={(value) => change({ period: PERIODS.find((one) => one === value) })}
        />
        {mayLogs && <Moment onShow={showFrames} />}
      </div>
      <Bands chargerId={chargerId} sockets={sockets} period={period} onShow={mayLogs ? showFrames : undefined} />
    </div>
  );
}

/** Leads to the frames of any time, also without a pointer. */
function Moment({ onShow }: { readonly onShow: (at: number) => void }) {
  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const at = Date.parse(textOf(new FormData(event.currentTarget), 'at'));
    if (!Number.isNaN(at)) onShow(at);
  }
  return (
    <form className="moment" onSubmit={submit}>
      <input className="control" type="datetime-local" name="at" aria-label={bandsTexts.moment} required />
      <Button type="submit">{bandsTexts.showFrames}</Button>
    </form>
  );
}

interface BandsProps {
  readonly chargerId: string;
  readonly sockets: Charger['sockets'];
  readonly period: Period;
  /** Shows the frames of a time. */
  readonly onShow: ((at: number) => void) | undefined;
}

function Bands({ chargerId, sockets, period, onShow }: BandsProps) {
  const mayLogs = useMay('logs:read');
  const states = useQuery({
    queryKey: ['state-series', chargerId, period],
    async queryFn({ signal }) {
      const range = rangeOf(period);
      return { range, changes: await readStates(chargerId, queryOf(range), signal) };
    },
    refetchInterval: ADVANCE_MS[period],
    meta: { showsFailure: true },
  });
  const connections = useQuery({
    queryKey: ['connections', chargerId, period],
    queryFn: ({ signal }) => readConnections(chargerId, queryOf(rangeOf(period)), signal),
    enabled: mayLogs,
    refetchInterval: ADVANCE_MS[period],
    meta: { showsFailure: true },
  });
  useFeed(
    { types: ROW_TYPES, chargerIds: [chargerId] },
    () => undefined,
    () => {
      void states.refetch();
      if (mayLogs) void connections.refetch();
    },
  );
  const failure = states.isError && (
    <FailureNote title={bandsTexts.failed} error={states.error} onRetry={() => void states.refetch()} />
  );
  if (states.data === undefined)
    return (
      failure || (
        <div className="bands">
          <Skeleton />
        </div>
      )
    );
  const { range, changes } = states.data;
  return (
    <div className="bands">
      {failure}
      {connections.isError && (
        <FailureNote
          title={bandsTexts.connectionsFailed}
          error={connections.error}
          onRetry={() => void connections.refetch()}
        />
      )}
      {connections.data !== undefined && (
        <BandRow
          label={bandsTexts.connection}
          bands={bandsOfConnections(connections.data, range)}
          range={range}
          onShow={onShow}
          toneOfBand={(state) => (state === 'connected' ? 'good' : 'idle')}
          nameOf={(state) => (state === 'connected' ? texts.fleet.onlyConnected : texts.fleet.notConnected)}
        />
      )}
      {sockets.map(({ id, status }) => (
        <BandRow
          key={id}
          label={texts.charger.socket(id)}
          bands={bandsOfSocket(
            changes.filter(({ socketId }) => socketId === id),
            status,
            range,
          )}
          range={range}
          onShow={onShow}
          toneOfBand={(state) => (isState(state) ? toneOf(state) : 'idle')}
          nameOf={(state) => (isState(state) ? texts.states[state] : state)}
        />
      ))}
      <div className="band-axis">
        <span>{dateTimeOf(queryOf(range).from)}</span>
        <span>{dateTimeOf(queryOf(range).to)}</span>
      </div>
    </div>
  );
}

interface BandRowProps {
  readonly label: string;
  readonly bands: readonly Band[];
  readonly range: Range;
  readonly onShow: ((at: number) => void) | undefined;
  readonly toneOfBand: (state: string) => string;
  readonly nameOf: (state: string) => string;
}

function BandRow({ label, bands, range, onShow, toneOfBand, nameOf }: BandRowProps) {
  const whole = range.to - range.from;
  return (
    <div className="band-row">
      <h3>{label}</h3>
      {bands.length === 0 ? (
        <p className="muted">{bandsTexts.nothing}</p>
      ) : (
        <ol className="band">
          {bands.map((band) => {
            const begin = dateTimeOf(new Date(band.from).toISOString());
            const text = bandsTexts.band(nameOf(band.state), begin, durationOf(band.to - band.from));
            return (
              <li
                key={band.from}
                className={`tone-${toneOfBand(band.state)}${onShow === undefined ? '' : ' band-link'}`}
                style={{
                  // The newest is seen however short it is.
                  left: `min(${String(((band.from - range.from) / whole) * 100)}%, 100% - 3px)`,
                  width: `${String(((band.to - band.from) / whole) * 100)}%`,
                }}
                title={onShow === undefined ? text : `${text} · ${bandsTexts.toFrames}`}
                onClick={onShow && (() => onShow(band.from))}
              >
                <span className="hidden-text">{text}</span>
              </li>
            );
          })}
        </ol>
      )}
    </div>
  );
}

interface Query {
  readonly from: string;
  readonly to: string;
}

function rangeOf(period: Period): Range {
  const to = serviceClock.now();
  return { from: to - LENGTHS[period], to };
}

function queryOf({ from, to }: Range): Query {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

/** Changes of the time, the newest first, and of the days before: the last ones hold at its beginning. */
async function readStates(chargerId: string, query: Query, signal: AbortSignal) {
  const order = { chargerIds: [chargerId], limit: 100, sortKey: 'at' as const, sortDescending: true };
  const read = async (page: number, time: Query) =>
    dataOf(api.GET('/v2/chargers/state-time-series', { params: { query: { ...time, ...order, page } }, signal }));
  const changes = [];
  for (let page = 1, isLast = false; !isLast && changes.length < MAX_BANDS; page++) {
    const { items, hasNextPage } = await read(page, query);
    changes.push(...items);
    isLast = !hasNextPage;
  }
  const earlier = new Date(Date.parse(query.from) - BEFORE_MS).toISOString();
  return [...changes, ...(await read(1, { from: earlier, to: query.from })).items];
}

/** Connections of the time, the newest first, with one that began before it. */
async function readConnections(chargerId: string, { from, to }: Query, signal: AbortSignal) {
  const connections = [];
  for (let page = 1, isLast = false; !isLast && connections.length < MAX_BANDS; page++) {
    const params = { path: { chargerId }, query: { to, limit: 100, page } };
    const { items, hasNextPage } = await dataOf(api.GET('/v2/chargers/{chargerId}/connections', { params, signal }));
    connections.push(...items);
    isLast = !hasNextPage || items.some(({ connectedAt }) => connectedAt < from);
  }
  return connections;
}
