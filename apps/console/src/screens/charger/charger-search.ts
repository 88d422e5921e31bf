// What the screen of a charger keeps in its address. Pure.
import { positiveOf } from '../../parts/search-values';

export const TABS = ['frames', 'sessions', 'configuration', 'held', 'states', 'registration'] as const;
export type TabKey = (typeof TABS)[number];
export const PERIODS = ['day', 'week', 'month'] as const;
export type Period = (typeof PERIODS)[number];

/** But for the tab, each is of one tab: another tab begins without them. */
export interface ChargerSearch {
  readonly tab?: TabKey | undefined;
  /** The session that is open. */
  readonly session?: number | undefined;
  /** The page of sessions. */
  readonly page?: number | undefined;
  /** What the frames or the keys of the configuration are filtered by. */
  readonly filter?: string | undefined;
  readonly heartbeats?: true | undefined;
  /** Only frames that failed. */
  readonly failed?: true | undefined;
  /** The time of the last frame, RFC 3339: the log is shown as it was then. */
  readonly until?: string | undefined;
  /** The command whose frames are marked. */
  readonly command?: string | undefined;
  /** Of the bands of states. */
  readonly period?: Period | undefined;
  /** Pages of what the charger holds. */
  readonly reservations?: number | undefined;
  readonly profiles?: number | undefined;
  readonly tags?: number | undefined;
}

const MAX_TEXT = 100;

export function parseChargerSearch(raw: Readonly<Record<string, unknown>>): ChargerSearch {
  const parsed: ChargerSearch = {
    tab: TABS.find((key) => key === raw['tab']),
    session: positiveOf(raw['session']),
    page: positiveOf(raw['page']),
    filter: textOf(raw['filter']),
    heartbeats: raw['heartbeats'] === true ? true : undefined,
    failed: raw['failed'] === true ? true : undefined,
    until: timeOf(raw['until']),
    command: textOf(raw['command']),
    period: PERIODS.find((period) => period === raw['period']),
    reservations: positiveOf(raw['reservations']),
    profiles: positiveOf(raw['profiles']),
    tags: positiveOf(raw['tags']),
  };
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined));
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text.slice(0, MAX_TEXT) : undefined;
}

function timeOf(value: unknown): string | undefined {
  const at = typeof value === 'string' ? new Date(value) : undefined;
  return at === undefined || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
