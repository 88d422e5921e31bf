// What the list of sessions keeps in its address. Pure.
import type { Schemas } from '../../api/client';
import { MAX_TAG } from '../../api/limits';
import { positiveOf } from '../../parts/search-values';

export const SESSION_STATES = ['ongoing', 'ended', 'superseded', 'refused'] as const;
export type SessionState = (typeof SESSION_STATES)[number];
export const PERIODS = ['today', 'yesterday', 'week', 'month'] as const;
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

type StartedData = Pick<Schemas['SessionStartedEvent']['data'], 'rfidTag' | 'transactionId' | 'startTime'>;

/** How many days ago the first day of a period is. */
const DAYS: Record<Period, number> = { today: 0, yesterday: 1, week: 7, month: 30 };
export const PAGE_SIZE = 50;

export function parseSessionsSearch(raw: Readonly<Record<string, unknown>>): SessionsSearch {
  const parsed: SessionsSearch = {
    search: textOf(raw['search']),
    state: SESSION_STATES.find((state) => state === raw['state']),
    period: PERIODS.find((period) => period === raw['period']),
    from: dayOf(raw['from']),
    to: dayOf(raw['to']),
    site: positiveOf(raw['site']),
    charger: textOf(raw['charger']),
    tag: textOf(raw['tag']),
    page: positiveOf(raw['page']),
    session: positiveOf(raw['session']),
  };
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined));
}

/** The parameters of `GET /v2/sessions` but for the page. A period begins at a midnight of the reader; yesterday ends at one too. */
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
  const begin = from === undefined ? period && midnightOf(now, DAYS[period]) : new Date(`${from}T00:00`);
  const end = to === undefined ? period && endOf(period, now) : new Date(`${to}T23:59:59.999`);
  return {
    ...(begin === undefined ? {} : { startTime: begin.toISOString() }),
    ...(end === undefined ? {} : { startTimeSearchEnd: end.toISOString() }),
  };
}

/** Whether a session that starts may be in the list, as far as its event says. */
export function startsIn(
  filters: SessionsSearch,
  {
    chargerId,
    siteId,
    data,
  }: Pick<Schemas['SessionStartedEvent'], 'chargerId' | 'siteId'> & { readonly data: StartedData },
  now: Date,
): boolean {
  const { search, state, site, charger, tag } = filters;
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  const { rfidTag, transactionId } = data;
  return (
    (search === undefined || [chargerId, String(transactionId)].includes(search) || isSame(search, rfidTag)) &&
    (state === undefined || state === 'ongoing') &&
    (site === undefined || site === siteId) &&
    (charger === undefined || charger === chargerId) &&
    (tag === undefined || isSame(tag, rfidTag)) &&
    isWithin(timesOf(filters, now), Date.parse(data.startTime))
  );
}

function isWithin({ startTime, startTimeSearchEnd }: ReturnType<typeof timesOf>, atMs: number): boolean {
  return (
    (startTime === undefined || atMs >= Date.parse(startTime)) &&
    (startTimeSearchEnd === undefined || atMs <= Date.parse(startTimeSearchEnd))
  );
}

/** Whether the list is of a span of time. */
export function hasTimes({ period, from, to }: SessionsSearch): boolean {
  return [period, from, to].some((value) => value !== undefined);
}

export function isFiltered(search: SessionsSearch): boolean {
  return Object.entries(search).some(([name, value]) => name !== 'page' && name !== 'session' && value !== undefined);
}

/** The other periods last until now. */
function endOf(period: Period, now: Date): Date | undefined {
  return period === 'yesterday' ? new Date(midnightOf(now, 0).getTime() - 1) : undefined;
}

/** By the calendar: a day has not always 24 hours. */
function midnightOf(now: Date, daysAgo: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text.slice(0, MAX_TAG) : undefined;
}

function dayOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined;
  return Number.isNaN(Date.parse(`${value}T00:00`)) ? undefined : value;
}
