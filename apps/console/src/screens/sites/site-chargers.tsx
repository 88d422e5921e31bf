// The chargers of a site and of those below it: how many are in each state, and each with its own.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, dataOf, type Schemas } from '../../api/client';
import { DataTable, type Column } from '../../parts/data-table';
import { numberOf } from '../../parts/format';
import { Empty, FailureNote, Skeleton } from '../../parts/notes';
import { StateLabel } from '../../parts/state-mark';
import { STATES, type State } from '../../parts/states';
import { sitesTexts as words } from '../../texts/sites';
import './sites.css';

type Charger = Schemas['ListedCharger'];

/** The limit of a page: the fleet shows longer lists. */
const MAX_CHARGERS = 100;
const REFRESH_MS = 10_000;
const RECOUNT_MS = 30_000;

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
          {data !== undefined &&
            (data.hasNextPage ? <CountsOfAll siteId={siteId} /> : <Counts counts={countsOf(data.items)} />)}
          <DataTable label={words.chargers} columns={COLUMNS} rows={data?.items} keyOf={({ chargerId }) => chargerId} />
        </>
      )}
    </section>
  );
}

/** Of a site with more chargers than a page: each state is counted by the API. */
function CountsOfAll({ siteId }: { readonly siteId: number }) {
  const { data } = useQuery({
    queryKey: ['chargers', 'counts of site', siteId],
    queryFn: ({ signal }) => Promise.all(STATES.map((state) => countOne(siteId, state, signal))),
    refetchInterval: RECOUNT_MS,
  });
  return data === undefined ? <Skeleton width="60%" /> : <Counts counts={data} />;
}

async function countOne(siteId: number, state: State, signal: AbortSignal): Promise<StateCount> {
  const query = { siteId, includeSubsites: true, state, limit: 1 };
  const { totalRecords } = await dataOf(api.GET('/v2/chargers', { params: { query }, signal }));
  return [state, totalRecords];
}

type StateCount = readonly [State, number];

function countsOf(chargers: readonly Charger[]): readonly StateCount[] {
  return STATES.map((state) => [state, chargers.filter((charger) => charger.state === state).length]);
}

function Counts({ counts }: { readonly counts: readonly StateCount[] }) {
  return (
    <ul className="site-counts" aria-label={words.counts}>
      {counts
        .filter(([, count]) => count > 0)
        .map(([state, count]) => (
          <li key={state}>
            {numberOf(count)} <StateLabel state={state} />
          </li>
        ))}
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
