// The processes of the whole deployment: gateways, charger-state with its partitions, the others, and what they work on.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { DataTable, type Column } from '../../parts/data-table';
import { numberOf } from '../../parts/format';
import { Empty, FailureNote, Skeleton } from '../../parts/notes';
import { Ago } from '../../parts/time';
import { useTitle } from '../../parts/use-title';
import { processesTexts as words } from '../../texts/operator';
import './operator.css';
import { rangesOf, servicesOf, unownedPartitions, waitingFor, type ServiceRow } from './process-summary';

type Processes = Schemas['Processes'];
type Gateway = Processes['gateways'][number];

const READ_MS = 5_000;

export function ProcessesScreen() {
  useTitle(words.title);
  const { data, error, refetch } = useQuery({
    queryKey: ['processes'],
    queryFn: ({ signal }) => dataOf(api.GET('/v2/operator/processes', { signal })),
    refetchInterval: READ_MS,
  });
  return (
    <>
      <header className="screen-head">
        <h1>{words.title}</h1>
        <Link to="/operator/dead-letters">{words.deadLetters}</Link>
      </header>
      {data === undefined && error !== null && (
        <FailureNote title={words.failed} error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton />}
      {data !== undefined && (
        <>
          <Reachable processes={data} />
          <Listed
            title={words.gateways}
            none={words.noGateways}
            columns={GATEWAY_COLUMNS}
            rows={data.gateways}
            keyOf={idOf}
          />
          <ChargerState processes={data} />
          <Listed title={words.push} none={words.noPush} columns={PUSH_COLUMNS} rows={data.push} keyOf={idOf} />
          <Listed
            title={words.others}
            none={words.noOthers}
            columns={SERVICE_COLUMNS}
            rows={servicesOf(data.processes)}
            keyOf={serviceKeyOf}
          />
        </>
      )}
    </>
  );
}

function Reachable({ processes }: { readonly processes: Processes }) {
  const { storeReachable, brokerReachable } = processes;
  return (
    <p className="reachable">
      <Mark name={words.store} isGood={storeReachable} word={storeReachable ? words.reachable : words.unreachable} />
      <Mark name={words.broker} isGood={brokerReachable} word={brokerReachable ? words.reachable : words.unreachable} />
    </p>
  );
}

function Mark({ name, isGood, word }: { readonly name: string; readonly isGood: boolean; readonly word: string }) {
  return (
    <span>
      {name}: <strong className={isGood ? 'operator-good' : 'operator-bad'}>{word}</strong>
    </span>
  );
}

interface ListedProps<Row> {
  readonly title: string;
  /** What it says where there are none. */
  readonly none: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly children?: ReactNode;
}

/** Processes of one kind under their title. */
function Listed<Row>({ title, none, columns, rows, keyOf, children }: ListedProps<Row>) {
  return (
    <section className="card" aria-label={title}>
      <h2 className="operator-title">{title}</h2>
      {rows.length === 0 ? (
        <Empty title={none} />
      ) : (
        <DataTable label={title} columns={columns} rows={rows} keyOf={keyOf} />
      )}
      {children}
    </section>
  );
}

const GATEWAY_COLUMNS: readonly Column<Gateway>[] = [
  { label: words.gateway, cell: ({ id }) => <code className="letter-reason">{id}</code> },
  {
    label: words.sockets,
    cell: ({ sockets }) => (sockets === null ? words.unknown : countOf(sockets)),
    isNumber: true,
  },
  { label: words.chargers, cell: ({ chargers }) => countOf(chargers), isNumber: true, rank: 2 },
  { label: words.lease, cell: (gateway) => <Lease gateway={gateway} /> },
  { label: words.version, cell: ({ program }) => program ?? words.unknown, rank: 3 },
];

function Lease({ gateway: { dead, stopping, renewedAt } }: { readonly gateway: Gateway }) {
  const word = dead ? words.dead : stopping ? words.stopping : words.serving;
  return (
    <>
      <strong className={dead ? 'operator-bad' : undefined}>{word}</strong>{' '}
      <span className="muted">
        {renewedAt === null ? (
          words.neverRenewed
        ) : (
          <>
            {words.renewed} <Ago at={renewedAt} />
          </>
        )}
      </span>
    </>
  );
}

function ChargerState({ processes }: { readonly processes: Processes }) {
  const unowned = unownedPartitions(processes);
  const columns: readonly Column<Processes['chargerState'][number]>[] = [
    { label: words.replica, cell: ({ id }) => <code className="letter-reason">{id}</code> },
    { label: words.partitions, cell: ({ partitions }) => rangesOf(partitions) },
    {
      label: words.waitingMessages,
      cell: (replica) => {
        const waiting = waitingFor(replica, processes);
        return waiting === undefined ? words.unknown : countOf(waiting);
      },
      isNumber: true,
    },
  ];
  return (
    <Listed
      title={words.chargerState}
      none={words.noReplicas}
      columns={columns}
      rows={processes.chargerState}
      keyOf={idOf}
    >
      {unowned.length > 0 && <p className="operator-note operator-bad">{words.unowned(rangesOf(unowned))}</p>}
      <h3 className="operator-title">{words.queues}</h3>
      <ul className="partitions">
        {processes.partitions.map(({ partition, depth }) => (
          <li key={partition}>
            <span>
              {words.partition} {partition}
            </span>
            {depth === null ? words.unknown : countOf(depth)}
          </li>
        ))}
      </ul>
    </Listed>
  );
}

const PUSH_COLUMNS: readonly Column<Processes['push'][number]>[] = [
  { label: words.replica, cell: ({ id }) => <code className="letter-reason">{id}</code> },
  {
    label: words.waitingEvents,
    cell: ({ waiting }) => (waiting === null ? words.unknown : countOf(waiting)),
    isNumber: true,
  },
];

const SERVICE_COLUMNS: readonly Column<ServiceRow>[] = [
  { label: words.service, cell: ({ service }) => service },
  { label: words.count, cell: ({ count }) => countOf(count), isNumber: true },
  { label: words.version, cell: ({ program }) => program },
  { label: words.schema, cell: ({ schema }) => schema, isNumber: true, rank: 2 },
];

function idOf({ id }: { readonly id: string }): string {
  return id;
}

function serviceKeyOf({ service, program, schema }: ServiceRow): string {
  return `${service} ${program} ${String(schema)}`;
}

function countOf(count: number): string {
  return numberOf(count);
}
