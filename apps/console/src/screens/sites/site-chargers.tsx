// The chargers of a site and of those below it: how many are in each state, and each with its own.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, dataOf, type Schemas } from '../../api/client';
import { DataTable, type Column } from '../../parts/data-table';
import { Empty, FailureNote } from '../../parts/notes';
import { StateLabel } from '../../parts/state-mark';
import { STATES } from '../../parts/states';
import { sitesTexts as words } from '../../texts/sites';
import './sites.css';

type Charger = Schemas['ListedCharger'];

/** The limit of a page: the fleet shows longer lists. */
const MAX_CHARGERS = 100;
const REFRESH_MS = 10_000;

export function SiteChargers({ siteId }: { readonly siteId: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['chargers', 'of site', siteId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v2/chargers', {
          params: { query: { siteId, includeSubsites: true, limit: MAX_CHARGERS, sortKey: 'chargerId' } },
          signal,
        }),
      ),
    refetchInterval: REFRESH_MS,
  });
  return (
    <section className="card" aria-labelledby="site-chargers">
      <header className="site-section">
        <h2 id="site-chargers">{words.chargers}</h2>
        {data !== undefined && data.totalRecords > 0 && (
          <Link to="/" search={{ site: siteId }}>
            {words.inFleet(data.totalRecords)}
          </Link>
        )}
      </header>
      {data === undefined && error !== null ? (
        <FailureNote title={words.chargersFailed} error={error} onRetry={() => void refetch()} />
      ) : data?.totalRecords === 0 ? (
        <Empty title={words.noChargers} />
      ) : (
        <>
          {data !== undefined && <Counts chargers={data.items} isPart={data.hasNextPage} />}
          <DataTable label={words.chargers} columns={COLUMNS} rows={data?.items} keyOf={({ chargerId }) => chargerId} />
        </>
      )}
    </section>
  );
}

function Counts({ chargers, isPart }: { readonly chargers: readonly Charger[]; readonly isPart: boolean }) {
  return (
    <ul className="site-counts" aria-label={words.counts}>
      {isPart && <li className="muted">{words.countsOfFirst(chargers.length)}</li>}
      {STATES.flatMap((state) => {
        const count = chargers.filter((charger) => charger.state === state).length;
        if (count === 0) return [];
        return [
          <li key={state}>
            {count.toLocaleString('en')} <StateLabel state={state} />
          </li>,
        ];
      })}
    </ul>
  );
}

const COLUMNS: readonly Column<Charger>[] = [
  {
    label: words.charger,
    cell: ({ chargerId, name }) => (
      <>
        <Link to="/chargers/$chargerId" params={{ chargerId }}>
          {name}
        </Link>
        <div className="muted">{chargerId}</div>
      </>
    ),
  },
  { label: words.state, cell: ({ state }) => <StateLabel state={state} /> },
  {
    label: words.connection,
    cell: ({ activeConnection }) => (activeConnection ? words.connected : words.notConnected),
    rank: 2,
  },
];
