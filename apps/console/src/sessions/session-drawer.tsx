// One session: times, meter, its curve of power and energy, and its meter values. One in progress grows by events.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { api, dataOf } from '../api/client';
import { useMay } from '../api/use-session';
import { useFeed } from '../live/live';
import { curveOf, energyAt, ENERGY, POWER, sampleOf, samplesOf, type Sample } from '../model/measurements';
import { Button } from '../parts/button';
import { Fact } from '../parts/card';
import { csvLine, saveFile } from '../parts/csv';
import { DataTable, type Column } from '../parts/data-table';
import { Dialog } from '../parts/dialog';
import { energyOf, numberOf, powerOf } from '../parts/format';
import { FailureNote, Skeleton } from '../parts/notes';
import { Clock, DateTime } from '../parts/time';
import { texts } from '../texts';
import { Duration, SessionState, type Session } from './session-table';
import './sessions.css';
import { changeSession } from './use-sessions';

const Curve = lazy(async () => ({ default: (await import('../parts/curve')).Curve }));

interface DrawerProps {
  readonly transactionId: number | undefined;
  readonly onClose: () => void;
}

export function SessionDrawer({ transactionId, onClose }: DrawerProps) {
  return (
    <Dialog
      kind="drawer"
      open={transactionId !== undefined}
      onClose={onClose}
      title={transactionId === undefined ? '' : texts.sessions.one(transactionId)}
    >
      {transactionId !== undefined && <Content key={transactionId} transactionId={transactionId} />}
    </Dialog>
  );
}

function Content({ transactionId }: { readonly transactionId: number }) {
  const client = useQueryClient();
  const key = ['session', transactionId];
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      dataOf(api.GET('/v2/sessions/{transactionId}', { params: { path: { transactionId } }, signal })),
  });
  const chargerId = data?.chargerId;
  const need = chargerId === undefined ? undefined : { types: ['session.ended'], chargerIds: [chargerId] };
  const readAnew = () => void client.invalidateQueries({ queryKey: key });
  useFeed(need, readAnew, readAnew);
  if (data === undefined) {
    if (error === null) return <Skeleton width="60%" />;
    return <FailureNote title={texts.sessions.oneFailed} error={error} onRetry={() => void refetch()} />;
  }
  return <Shown session={data} />;
}

function Shown({ session }: { readonly session: Session }) {
  const readings = useReadings(session);
  return (
    <>
      <Facts session={session} samples={readings.samples} />
      <MeterValues session={session} readings={readings} />
      <EndSession session={session} />
    </>
  );
}

/** Of a session in progress: what the last meter value comes to. */
function chargedWh({ consumptionWh, state, meterStart }: Session, samples: readonly Sample[]): number | undefined {
  if (state !== 'ongoing') return consumptionWh ?? undefined;
  const register = energyAt(samples);
  return register === undefined ? undefined : register - (meterStart ?? 0);
}

function Facts({ session, samples }: { readonly session: Session; readonly samples: readonly Sample[] }) {
  const { none } = texts.common;
  const charged = chargedWh(session, samples);
  const maySeeChargers = useMay('chargers:read');
  return (
    <dl className="facts">
      <Fact label={texts.sessions.state}>
        <SessionState state={session.state} />
      </Fact>
      <Fact label={texts.sessions.charger}>
        {maySeeChargers ? (
          <Link to="/chargers/$chargerId" params={{ chargerId: session.chargerId }}>
            {session.chargerId}
          </Link>
        ) : (
          session.chargerId
        )}{' '}
        · {session.socketId}
      </Fact>
      <Fact label={texts.sessions.started}>
        <DateTime at={session.startTime} />
      </Fact>
      <Fact label={texts.sessions.ended}>{session.endTime === null ? none : <DateTime at={session.endTime} />}</Fact>
      <Fact label={texts.sessions.duration}>
        <Duration session={session} />
      </Fact>
      <Fact label={texts.sessions.energy}>{charged === undefined ? none : energyOf(charged)}</Fact>
      <Fact label={texts.sessions.tag}>
        <span className="mono">{session.rfidTag}</span>
      </Fact>
      <Fact label={texts.sessions.authorization}>{session.authorization.status}</Fact>
      <Fact label={texts.sessions.meterStart}>
        {session.meterStart === null ? none : `${numberOf(session.meterStart)} Wh`}
      </Fact>
      <Fact label={texts.sessions.meterStop}>
        {session.meterStop === null ? none : `${numberOf(session.meterStop)} Wh`}
      </Fact>
      <Fact label={texts.sessions.reason}>{session.stopReason ?? none}</Fact>
      <Fact label={texts.sessions.endedBy}>{session.endedBy ?? none}</Fact>
    </dl>
  );
}

const PAGE_SIZE = 100;
const MAX_PAGES = 100;
/** The service takes a hundred requests of a key a second. */
const PAGES_TOGETHER = 5;
const TABLE_ROWS = 50;
/** Samples by events since the stored ones were read. */
const MAX_LIVE = 10_000;

/** The samples in the order in which they were sent, each page made into samples as it comes. Some pages together: one after the other, a long session takes many seconds. */
async function readMeterValues(transactionId: number, signal: AbortSignal) {
  const read = (page: number) =>
    dataOf(
      api.GET('/v2/sessions/{transactionId}/meter-values', {
        params: { path: { transactionId }, query: { limit: PAGE_SIZE, page, sortKey: 'receivedAt' } },
        signal,
      }),
    );
  const first = await read(1);
  const samples = first.items.flatMap(samplesOf);
  const last = Math.min(MAX_PAGES, Math.ceil(first.totalRecords / PAGE_SIZE));
  for (let page = 2; page <= last; page += PAGES_TOGETHER) {
    const numbers = Array.from({ length: Math.min(PAGES_TOGETHER, last - page + 1) }, (_, n) => page + n);
    const pages = await Promise.all(numbers.map(async (number) => (await read(number)).items.flatMap(samplesOf)));
    samples.push(...pages.flat());
  }
  return samples;
}

/** All samples of the session, in the order in which they were sent. */
function useReadings({ transactionId, chargerId, state }: Session) {
  const [live, setLive] = useState<readonly Sample[]>([]);
  const stored = useQuery({
    queryKey: ['meter-values', transactionId],
    queryFn: ({ signal }) => readMeterValues(transactionId, signal),
    structuralSharing: false,
    meta: { showsFailure: true },
  });
  const need = state === 'ongoing' ? { types: ['meter.values'], chargerIds: [chargerId] } : undefined;
  useFeed(
    need,
    (event) => {
      if (event.type !== 'meter.values' || event.data.transactionId !== transactionId) return;
      setLive((before) => [...before, ...event.data.measurements.flatMap(sampleOf)].slice(-MAX_LIVE));
    },
    () => void stored.refetch(),
  );
  const samples = useMemo(() => {
    const known = stored.data ?? [];
    const lastMs = known.reduce((latest, { atMs }) => Math.max(latest, atMs), -Infinity);
    return live.length === 0 ? known : [...known, ...live.filter(({ atMs }) => atMs > lastMs)];
  }, [stored.data, live]);
  return {
    samples,
    isLoading: stored.isPending,
    error: stored.data === undefined ? stored.error : null,
    retry: () => void stored.refetch(),
  };
}

interface MeterValuesProps {
  readonly session: Session;
  readonly readings: ReturnType<typeof useReadings>;
}

function MeterValues({ session, readings: { samples, isLoading, error, retry } }: MeterValuesProps) {
  const [times, power, energy] = useMemo(() => curveOf(samples), [samples]);
  const charged = useMemo(
    () => energy.map((value) => (value === null ? null : value - (session.meterStart ?? 0))),
    [energy, session.meterStart],
  );
  const series = useMemo(
    () => [
      { label: texts.sessions.power, values: power, format: powerOf, color: '--busy' },
      { label: texts.sessions.energy, values: charged, format: energyOf, color: '--good' },
    ],
    [power, charged],
  );
  if (error !== null) return <FailureNote title={texts.sessions.valuesFailed} error={error} onRetry={retry} />;
  return (
    <section aria-label={texts.sessions.values} aria-busy={isLoading}>
      <h3>{texts.sessions.curve}</h3>
      {times.length < 2 ? (
        <p className="muted">
          {isLoading ? texts.common.loading : samples.length === 0 ? texts.sessions.noValues : texts.sessions.fewValues}
        </p>
      ) : (
        <Suspense fallback={<div className="curve" />}>
          <Curve times={times} series={series} label={texts.sessions.curveLabel(times.length)} />
        </Suspense>
      )}
      {samples.length > 0 && (
        <details className="meter-table">
          <summary>{texts.sessions.table(samples.length)}</summary>
          <DataTable
            label={texts.sessions.values}
            columns={COLUMNS}
            rows={numbered(samples.slice(-TABLE_ROWS))}
            keyOf={({ key }) => key}
          />
        </details>
      )}
      <div className="session-actions">
        <Button size="s" onClick={() => saveSamples(session, samples)} disabled={samples.length === 0}>
          {texts.sessions.csv}
        </Button>
      </div>
    </section>
  );
}

type Row = Sample & { readonly key: number };

const COLUMNS: readonly Column<Row>[] = [
  { label: texts.sessions.time, cell: ({ atMs }) => <Clock at={new Date(atMs).toISOString()} /> },
  {
    label: texts.sessions.measurand,
    cell: ({ measurand, phase }) => `${shortOf(measurand)}${phase === null ? '' : ` ${phase}`}`,
  },
  { label: texts.sessions.value, cell: ({ value, unit }) => `${numberOf(value)} ${unit ?? ''}`, isNumber: true },
];

function shortOf(measurand: string): string {
  if (measurand === POWER) return texts.sessions.power;
  return measurand === ENERGY ? texts.sessions.register : measurand;
}

function numbered(samples: readonly Sample[]): readonly Row[] {
  return samples.map((sample, key) => ({ ...sample, key })).reverse();
}

function saveSamples({ transactionId }: Session, samples: readonly Sample[]): void {
  const lines = samples.map(({ atMs, measurand, phase, value, unit }) =>
    csvLine([new Date(atMs).toISOString(), measurand, phase, value, unit]),
  );
  const head = csvLine(['timestamp', 'measurand', 'phase', 'value', 'unit']);
  saveFile(`session-${String(transactionId)}.csv`, 'text/csv', [head, ...lines]);
}

/** For a session whose charger will never report its end. */
function EndSession({ session }: { readonly session: Session }) {
  const mayEnd = useMay('sessions:write');
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { transactionId } = session;
  const end = useMutation({
    mutationFn: () =>
      dataOf(api.POST('/v2/sessions/{transactionId}/end', { params: { path: { transactionId } }, body: {} })),
    onSuccess: (ended) => {
      setAsking(false);
      client.setQueryData(['session', transactionId], ended);
      changeSession(client, transactionId, () => ended);
    },
  });
  if (!mayEnd || session.state !== 'ongoing') return null;
  if (!isAsking) {
    return (
      <div className="session-actions">
        <Button size="s" kind="danger" onClick={() => setAsking(true)}>
          {texts.sessions.end}
        </Button>
      </div>
    );
  }
  return (
    <div className="stack">
      {end.isError && <FailureNote title={texts.sessions.endFailed} error={end.error} />}
      <p>{texts.sessions.endNote}</p>
      <div className="session-actions">
        <Button size="s" onClick={() => setAsking(false)}>
          {texts.common.cancel}
        </Button>
        <Button size="s" kind="danger" busy={end.isPending} onClick={() => end.mutate()}>
          {texts.sessions.endNow}
        </Button>
      </div>
    </div>
  );
}
