// What the list of sessions keeps in its address. Pure.
import type { Schemas } from '../../api/client';

export const SESSION_STATES = ['ongoing', 'ended', 'superseded', 'refused'] as const;
export type SessionState = (typeof SESSION_STATES)[number];
export const PERIODS = ['today', 'week', 'month'] as const;
export type Period = (typeof PERIODS)[number];

export interface SessionsSearch {
  readonly search?: string | undefined;
  readonly state?: SessionState | undefined;
  readonly period?: Period | undefined;
  /** Days of the reader, such as `2026-01-31`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly site?: number | undefined;
  readonly charger?: string | undefined;
  readonly tag?: string | undefined;
  readonly page?: number | undefined;
  /** The session that is open. */
  readonly session?: number | undefined;
}

type StartedData = Pick<Schemas['SessionStartedEvent']['data'], 'rfidTag' | 'transactionId'>;

const DAY_MS = 24 * 60 * 60 * 1_000;
const DAYS: Record<Period, number> = { today: 0, week: 7, month: 30 };
export const PAGE_SIZE = 50;

export function parseSessionsSearch(raw: Readonly<Record<string, unknown>>): SessionsSearch {
  const parsed: SessionsSearch = {
    search: textOf(raw['search']),
    state: SESSION_STATES.find((state) => state === raw['state']),
    period: PERIODS.find((period) => period === raw['period']),
    from: dayOf(raw['from']),
    to: dayOf(raw['to']),
    site: integerOf(raw['site']),
    charger: textOf(raw['charger']),
    tag: textOf(raw['tag']),
    page: integerOf(raw['page']),
    session: integerOf(raw['session']),
  };
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined));
}

/** The parameters of `GET /v2/sessions` but for the page. A period begins at a midnight of the reader. */
export function queryOf(filters: SessionsSearch, now: Date) {
  const { search, state, site, charger, tag } = filters;
  return {
    ...(search === undefined ? {} : { search }),
    ...(state === undefined ? {} : { state }),
    ...timesOf(filters, now),
    ...(site === undefined ? {} : { siteIds: [site] }),
    ...(charger === undefined ? {} : { chargerIds: [charger] }),
    ...(tag === undefined ? {} : { rfidTags: [tag] }),
  };
}

function timesOf({ period, from, to }: SessionsSearch, now: Date) {
  const begin = from === undefined ? period && beginOf(period, now) : new Date(`${from}T00:00`);
  return {
    ...(begin === undefined ? {} : { startTime: begin.toISOString() }),
    ...(to === undefined ? {} : { startTimeSearchEnd: new Date(`${to}T23:59:59.999`).toISOString() }),
  };
}

/** Whether a session that starts may be in the list, as far as its event says. */
export function startsIn(
  { search, state, site, charger, tag }: SessionsSearch,
  {
    chargerId,
    siteId,
    data,
  }: Pick<Schemas['SessionStartedEvent'], 'chargerId' | 'siteId'> & { readonly data: StartedData },
): boolean {
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  const { rfidTag, transactionId } = data;
  return (
    (search === undefined || search === chargerId || search === String(transactionId) || isSame(search, rfidTag)) &&
    (state === undefined || state === 'ongoing') &&
    (site === undefined || site === siteId) &&
    (charger === undefined || charger === chargerId) &&
    (tag === undefined || isSame(tag, rfidTag))
  );
}

export function isFiltered(search: SessionsSearch): boolean {
  return Object.entries(search).some(([name, value]) => name !== 'page' && name !== 'session' && value !== undefined);
}

function beginOf(period: Period, now: Date): Date {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  return new Date(midnight.getTime() - DAYS[period] * DAY_MS);
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text.slice(0, 100) : undefined;
}

function dayOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined;
  return Number.isNaN(Date.parse(`${value}T00:00`)) ? undefined : value;
}

function integerOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
