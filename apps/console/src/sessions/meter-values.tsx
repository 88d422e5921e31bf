// The meter values of one session: the curve of power and energy, a table, and all as CSV.
import { Suspense, useMemo, useState } from 'react';
import { curveOf, type Sample } from '../model/measurements';
import { Button } from '../parts/button';
import { csvLine, saveFile } from '../parts/csv';
import { DataTable, Pager, type Column } from '../parts/data-table';
import { energyOf, fixedOf, powerOf } from '../parts/format';
import { lazyPart } from '../parts/lazy-part';
import { FailureNote } from '../parts/notes';
import { Clock } from '../parts/time';
import { texts } from '../texts';
import { sessionsTexts } from '../texts/sessions';
import type { Readings } from './readings';
import { decimalsOf, measurandOf, unitOf } from './sample-text';
import type { Session } from './session-list';

const Curve = lazyPart(() => import('../parts/curve'), 'Curve');
const TABLE_ROWS = 50;

interface MeterValuesProps {
  readonly session: Session;
  readonly readings: Readings;
}

export function MeterValues({ session, readings: { samples, leftOut, isLoading, error, retry } }: MeterValuesProps) {
  const [times, power, energy] = useMemo(() => curveOf(samples), [samples]);
  const charged = useMemo(
    () => energy.map((value) => (value === null ? null : value - (session.meterStart ?? 0))),
    [energy, session.meterStart],
  );
  // One without a value would have an axis of its own all the same.
  const series = useMemo(
    () =>
      [
        { label: sessionsTexts.power, values: power, format: powerOf, color: '--busy' },
        { label: sessionsTexts.energy, values: charged, format: energyOf, color: '--good' },
      ].filter(({ values }) => values.some((value) => value !== null)),
    [power, charged],
  );
  const name = sessionsTexts.curve(series.map(({ label }) => label));
  if (error !== null) return <FailureNote title={sessionsTexts.valuesFailed} error={error} onRetry={retry} />;
  return (
    <section className="meter-values" aria-label={sessionsTexts.values} aria-busy={isLoading}>
      <h3>{name === '' ? sessionsTexts.values : name}</h3>
      {times.length < 2 || series.length === 0 ? (
        <p className="muted">{isLoading ? texts.common.loading : withoutCurve(samples.length, times.length)}</p>
      ) : (
        <Suspense fallback={<div className="curve" />}>
          <Curve times={times} series={series} label={sessionsTexts.curveLabel(name, times.length)} />
        </Suspense>
      )}
      {leftOut > 0 && <p className="muted">{sessionsTexts.leftOut(leftOut)}</p>}
      {samples.length > 0 && (
        <details className="meter-table">
          <summary>{sessionsTexts.table(samples.length)}</summary>
          <SampleTable samples={samples} />
        </details>
      )}
      <div className="session-actions">
        <Button size="s" onClick={() => saveSamples(session, samples)} disabled={samples.length === 0}>
          {sessionsTexts.csv}
        </Button>
      </div>
    </section>
  );
}

/** Why there is no curve. */
function withoutCurve(samples: number, times: number): string {
  if (samples === 0) return sessionsTexts.noValues;
  return times < 2 ? sessionsTexts.fewValues : sessionsTexts.noCurve;
}

/** Newest first, a page at a time. */
function SampleTable({ samples }: { readonly samples: readonly Sample[] }) {
  const [page, setPage] = useState(1);
  const end = samples.length - (page - 1) * TABLE_ROWS;
  const begin = Math.max(0, end - TABLE_ROWS);
  const rows = numbered(samples, begin, end);
  return (
    <>
      <DataTable label={sessionsTexts.values} columns={columnsOf(rows)} rows={rows} keyOf={({ key }) => key} />
      <Pager
        page={page}
        limit={TABLE_ROWS}
        list={{ totalRecords: samples.length, hasNextPage: begin > 0 }}
        onPage={setPage}
      />
    </>
  );
}

type Row = Sample & { readonly key: number };

function columnsOf(rows: readonly Row[]): readonly Column<Row>[] {
  const decimals = decimalsOf(rows);
  return [
    { label: sessionsTexts.time, cell: ({ atMs }) => <Clock at={new Date(atMs).toISOString()} /> },
    {
      label: sessionsTexts.measurand,
      cell: ({ measurand, phase }) => `${measurandOf(measurand)}${phase === null ? '' : ` ${phase}`}`,
    },
    {
      label: sessionsTexts.value,
      cell: ({ measurand, value, unit }) => `${fixedOf(value, decimals.get(measurand) ?? 0)} ${unitOf(unit)}`,
      isNumber: true,
    },
  ];
}

function numbered(samples: readonly Sample[], begin: number, end: number): readonly Row[] {
  return samples
    .slice(begin, end)
    .map((sample, n) => ({ ...sample, key: begin + n }))
    .reverse();
}

function saveSamples({ transactionId }: Session, samples: readonly Sample[]): void {
  const lines = samples.map(({ atMs, measurand, phase, value, unit }) =>
    csvLine([new Date(atMs).toISOString(), measurand, phase, value, unit]),
  );
  const head = csvLine(['timestamp', 'measurand', 'phase', 'value', 'unit']);
  saveFile(`session-${String(transactionId)}.csv`, 'text/csv', [head, ...lines]);
}
