import { CHARGING_STATES, type ChargingState } from '../chargers/reported-status';
import type { HistoryReader, StateChange, StateCount, StateFilter } from './history';
import { toTimestamp, type Timestamp } from '../timestamp';
import { invalidInput } from '../invalid-input';
import type { Page, PageRequest } from '../page';
import type { Site, SiteReader, SiteSortKey } from '../sites/site';
import { withSubsites } from '../sites/site-tree';

/** The longest period of a query. */
export const MAX_DAYS = 31;
const DEFAULT_DAYS = 7;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export interface ReadStatesDeps {
  readonly history: Pick<HistoryReader, 'statePage' | 'countStates'>;
  readonly sites: Pick<SiteReader, 'childIds' | 'findMany' | 'list'>;
}

/** An absent field does not filter. `from` defaults to seven days before `to`, `to` to the end of this minute. */
export interface StateQuery extends Omit<StateFilter, 'from' | 'to'> {
  readonly from?: Timestamp | undefined;
  readonly to?: Timestamp | undefined;
  /** Also the sites below the named ones. */
  readonly includeSubsites?: boolean | undefined;
}

export type CountsByState = Readonly<Record<ChargingState, number>>;

/** The number of reports of each state of a site's sockets, in total and by day. */
export interface SiteStates {
  readonly site: Site;
  readonly countsByState: CountsByState;
  /** Only days with a report, in order. */
  readonly days: readonly { readonly day: string; readonly countsByState: CountsByState }[];
}

/** The reported states of a client's sockets (0 is the charger itself), repetitions included, and their counts. */
export async function listStateChanges(
  deps: ReadStatesDeps,
  clientId: string,
  { now, ...query }: StateQuery & { readonly now: Date },
  page: PageRequest<'at'>,
): Promise<Page<StateChange> & { readonly filter: StateFilter; readonly countsByState: CountsByState }> {
  const filter = await filterFrom(deps, clientId, query, now);
  const [listed, counts] = await Promise.all([
    deps.history.statePage(clientId, filter, page),
    deps.history.countStates(clientId, filter),
  ]);
  return { ...listed, filter, countsByState: sumOf(counts) };
}

/** The same counts by site, for a page of the client's sites. */
export async function siteStateCounts(
  deps: ReadStatesDeps,
  clientId: string,
  { now, ...query }: StateQuery & { readonly now: Date },
  page: PageRequest<SiteSortKey>,
): Promise<Page<SiteStates> & { readonly filter: StateFilter }> {
  const filter = await filterFrom(deps, clientId, query, now);
  const { items: sites, total } = await pageOfSites(deps, clientId, filter.siteIds, page);
  const items = await Promise.all(
    sites.map(async (site) => {
      const counts = await deps.history.countStates(clientId, { ...filter, siteIds: [site.siteId] });
      return { site, countsByState: sumOf(counts), days: byDay(counts) };
    }),
  );
  return { items, total, filter };
}

async function filterFrom(
  deps: ReadStatesDeps,
  clientId: string,
  { from, to, chargerIds, siteIds, socketIds, includeSubsites = false }: StateQuery,
  now: Date,
): Promise<StateFilter> {
  refuseBeforeTime('from', from);
  refuseBeforeTime('to', to);
  // Equal for all pages that are read within a minute, so that cached counts serve them.
  const end = to ?? toTimestamp(new Date(Math.ceil(now.getTime() / MINUTE_MS) * MINUTE_MS));
  const begin = from ?? toTimestamp(new Date(Date.parse(end) - DEFAULT_DAYS * DAY_MS));
  if (begin >= end) throw invalidInput('from must be before to.', { field: 'from', message: 'must be before to' });
  if (Date.parse(end) - Date.parse(begin) > MAX_DAYS * DAY_MS) {
    const message = `must be at most ${String(MAX_DAYS)} days before to`;
    throw invalidInput(`from ${message}.`, { field: 'from', message });
  }
  const widened =
    siteIds === undefined || !includeSubsites ? siteIds : await withSubsites(deps.sites, clientId, siteIds);
  return { from: begin, to: end, chargerIds, siteIds: widened, socketIds };
}

async function pageOfSites(
  deps: ReadStatesDeps,
  clientId: string,
  siteIds: readonly number[] | undefined,
  page: PageRequest<SiteSortKey>,
): Promise<Page<Site>> {
  if (siteIds === undefined) return deps.sites.list(clientId, {}, page);
  const found = [...(await deps.sites.findMany(clientId, siteIds))].sort((a, b) => compareBy(page.sortKey, a, b));
  if (page.sortDescending) found.reverse();
  const skip = (page.page - 1) * page.limit;
  return { items: found.slice(skip, skip + page.limit), total: found.length };
}

/** As the store sorts: text by its code units, null first, ties by id. */
function compareBy(sortKey: SiteSortKey, a: Site, b: Site): number {
  const [one, other] = [a, b].map((site) => (sortKey === 'id' ? '' : (site[sortKey] ?? '')));
  if (one === other || one === undefined || other === undefined) return a.siteId - b.siteId;
  return one < other ? -1 : 1;
}

/** Years before 0 have no RFC 3339 form, and no charger reported before 1970. */
function refuseBeforeTime(name: 'from' | 'to', at: Timestamp | undefined): void {
  if (at === undefined || Date.parse(at) >= 0) return;
  throw invalidInput(`${name} must not be before 1970.`, { field: name, message: 'must not be before 1970' });
}

function byDay(counts: readonly StateCount[]): SiteStates['days'] {
  const days = [...new Set(counts.map(({ day }) => day))].sort();
  return days.map((day) => ({ day, countsByState: sumOf(counts.filter((count) => count.day === day)) }));
}

function sumOf(counts: readonly StateCount[]): CountsByState {
  const sums = Object.fromEntries(CHARGING_STATES.map((state) => [state, 0])) as Record<ChargingState, number>;
  for (const { state, count } of counts) if (isState(state)) sums[state] += count;
  return sums;
}

function isState(text: string): text is ChargingState {
  return (CHARGING_STATES as readonly string[]).includes(text);
}
