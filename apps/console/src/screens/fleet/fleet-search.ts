// What the fleet keeps in its address, and the query of the API that it stands for. Pure.
import { positiveOf } from '../../parts/search-values';
import { isState, type State } from '../../parts/states';

export const ORDERS = ['chargerId', 'name', 'createdAt', 'updatedAt'] as const;
export type Order = (typeof ORDERS)[number];

export const VERSIONS = ['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1'] as const;

/** Undefined: not filtered. */
export interface FleetSearch {
  readonly search?: string | undefined;
  readonly state?: State | undefined;
  readonly connected?: boolean | undefined;
  readonly site?: number | undefined;
  readonly version?: (typeof VERSIONS)[number] | undefined;
  readonly manufacturer?: string | undefined;
  readonly model?: string | undefined;
  readonly order?: Order | undefined;
  /** The page of the first row in sight, from 1. */
  readonly page?: number | undefined;
}

const MAX_TEXT = 100;

/** Takes what is valid of an address, and leaves out the rest. */
export function parseFleetSearch(raw: Readonly<Record<string, unknown>>): FleetSearch {
  const parsed: FleetSearch = {
    search: textOf(raw['search']),
    state: typeof raw['state'] === 'string' && isState(raw['state']) ? raw['state'] : undefined,
    connected: typeof raw['connected'] === 'boolean' ? raw['connected'] : undefined,
    site: positiveOf(raw['site']),
    version: VERSIONS.find((version) => version === raw['version']),
    manufacturer: textOf(raw['manufacturer']),
    model: textOf(raw['model']),
    order: ORDERS.find((order) => order === raw['order']),
    page: positiveOf(raw['page']),
  };
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined));
}

/** The parameters of `GET /v2/chargers`, but for the page. */
export function queryOf(search: FleetSearch) {
  const order = search.order ?? 'chargerId';
  return {
    limit: PAGE_SIZE,
    sortKey: order,
    sortDescending: order === 'createdAt' || order === 'updatedAt',
    ...(search.search === undefined ? {} : { search: search.search }),
    ...(search.state === undefined ? {} : { state: search.state }),
    ...(search.connected === undefined ? {} : { activeConnection: search.connected }),
    ...(search.site === undefined ? {} : { siteId: search.site, includeSubsites: true }),
    ...(search.version === undefined ? {} : { ocppVersion: search.version }),
    ...(search.manufacturer === undefined ? {} : { manufacturer: search.manufacturer }),
    ...(search.model === undefined ? {} : { model: search.model }),
  };
}

export const PAGE_SIZE = 100;

/** Takes every filter away. */
export const NO_FILTERS: FleetSearch = {
  search: undefined,
  state: undefined,
  connected: undefined,
  site: undefined,
  version: undefined,
  manufacturer: undefined,
  model: undefined,
};

/** What narrows the list, without order and page. */
export function filtersOf(search: FleetSearch): Omit<FleetSearch, 'order' | 'page'> {
  return Object.fromEntries(Object.entries(search).filter(([name]) => name !== 'order' && name !== 'page'));
}

export function isFiltered(search: FleetSearch): boolean {
  return Object.values(filtersOf(search)).some((value) => value !== undefined);
}

/** Whether a row may stay in a list with these filters, as far as events change it. */
export function matches(
  search: FleetSearch,
  row: { readonly state: string; readonly activeConnection: boolean },
): boolean {
  if (search.state !== undefined && row.state !== search.state) return false;
  return search.connected === undefined || row.activeConnection === search.connected;
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text.slice(0, MAX_TEXT) : undefined;
}
