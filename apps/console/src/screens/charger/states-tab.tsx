// When the charger was connected, and in which states its sockets were: bands over time.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client';
import { bandsOfConnections, bandsOfSocket, MAX_BANDS, type Band } from '../../model/bands';
import { useMay } from '../../api/use-session';
import { Choice } from '../../parts/choice';
import { dateTimeOf, durationOf } from '../../parts/format';
import { FailureNote, Skeleton } from '../../parts/notes';
import { isState, toneOf } from '../../parts/states';
import '../../parts/toolbar.css';
import { texts } from '../../texts';
import { bandsTexts } from '../../texts/bands';
import './states-tab.css';
import type { Charger } from './use-charger';

const HOUR_MS = 60 * 60 * 1_000;
const PERIODS = { day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS, month: 30 * 24 * HOUR_MS } as const;
/** The series of states takes 31 days at most. */
const BEFORE_MS = 31 * 24 * HOUR_MS;
type Period = keyof typeof PERIODS;

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
  const [period, setPeriod] = useState<Period>('day');
  const [to, setTo] = useState(() => Date.now());
  const range = { from: to - PERIODS[period], to };
  return (
    <div className="card">
      <div className="toolbar">
        <Choice
          label={bandsTexts.period}
          value={period}
          options={Object.entries(bandsTexts.periods)}
          onChange={(value) => {
            setPeriod(value as Period);
            setTo(Date.now());
          }}
        />
      </div>
      <Bands chargerId={chargerId} sockets={sockets} range={range} />
    </div>
  );
}

interface BandsProps {
  readonly chargerId: string;
  readonly sockets: Charger['sockets'];
  readonly range: Range;
}

function Bands({ chargerId, sockets, range }: BandsProps) {
  const mayLogs = useMay('logs:read');
  const query = { from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString() };
  const states = useQuery({
    queryKey: ['state-series', chargerId, range.from, range.to],
    queryFn: ({ signal }) => readStates(chargerId, query, signal),
    staleTime: Infinity,
  });
  const connections = useQuery({
    queryKey: ['connections', chargerId, range.from, range.to],
    queryFn: ({ signal }) => readConnections(chargerId, query, signal),
    enabled: mayLogs,
    staleTime: Infinity,
  });
  if (states.isError) {
    return <FailureNote title={bandsTexts.failed} error={states.error} onRetry={() => void states.refetch()} />;
  }
  if (states.data === undefined)
    return (
      <div className="bands">
        <Skeleton />
      </div>
    );
  return (
    <div className="bands">
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
          toneOfBand={(state) => (state === 'connected' ? 'good' : 'idle')}
          nameOf={(state) => (state === 'connected' ? texts.fleet.onlyConnected : texts.fleet.notConnected)}
        />
      )}
      {sockets.map(({ id, status }) => (
        <BandRow
          key={id}
          label={texts.charger.socket(id)}
          bands={bandsOfSocket(
            states.data.filter(({ socketId }) => socketId === id),
            status,
            range,
          )}
          range={range}
          toneOfBand={(state) => (isState(state) ? toneOf(state) : 'idle')}
          nameOf={(state) => (isState(state) ? texts.states[state] : state)}
        />
      ))}
      <div className="band-axis">
        <span>{dateTimeOf(query.from)}</span>
        <span>{dateTimeOf(query.to)}</span>
      </div>
    </div>
  );
}

interface BandRowProps {
  readonly label: string;
  readonly bands: readonly Band[];
  readonly range: Range;
  readonly toneOfBand: (state: string) => string;
  readonly nameOf: (state: string) => string;
}

function BandRow({ label, bands, range, toneOfBand, nameOf }: BandRowProps) {
  const whole = range.to - range.from;
  return (
    <div className="band-row">
      <h3>{label}</h3>
      {bands.length === 0 ? (
        <p className="muted">{bandsTexts.nothing}</p>
      ) : (
        <ol className="band">
          {bands.map((band) => (
            <li
              key={band.from}
              className={`tone-${toneOfBand(band.state)}`}
              style={{
                left: `${String(((band.from - range.from) / whole) * 100)}%`,
                width: `${String(((band.to - band.from) / whole) * 100)}%`,
              }}
              title={bandsTexts.band(
                nameOf(band.state),
                dateTimeOf(new Date(band.from).toISOString()),
                durationOf(band.to - band.from),
              )}
            >
              <span className="hidden-text">
                {bandsTexts.band(
                  nameOf(band.state),
                  dateTimeOf(new Date(band.from).toISOString()),
                  durationOf(band.to - band.from),
                )}
              </span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

interface Query {
  readonly from: string;
  readonly to: string;
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
