// What integrators ask of a large network, and within what time they are answered.
import { chargerIdOf, LOG_DAYS } from './network';
import type { Scale } from './scale';

const DAY_MS = 86_400_000;

export interface Question {
  readonly name: string;
  readonly p99Ms: number;
  /** A different one each time. */
  readonly ask: (random: (below: number) => number) => Asked;
}

export interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly isLegacy?: boolean;
}

const LIST_MS = 50;
const STATISTICS_MS = 200;
const PAGE = 'limit=50';

/** THE table. `nowMs`: when the network was made. */
export function questionsOf(scale: Scale, nowMs: number): readonly Question[] {
  const pages = (count: number): number => Math.max(1, Math.floor(count / 50));
  const day = (random: (below: number) => number): string => new Date(nowMs - random(LOG_DAYS) * DAY_MS).toISOString();
  const list = (name: string, path: (random: (below: number) => number) => string): Question => ({
    name,
    p99Ms: LIST_MS,
    ask: (random) => ({ method: 'GET', path: path(random) }),
  });
  return [
    list('chargers, first page', () => `/v2/chargers?${PAGE}`),
    list('chargers, any page', (random) => `/v2/chargers?${PAGE}&page=${String(random(pages(scale.chargers)) + 1)}`),
    list('chargers by name, last first', () => `/v2/chargers?${PAGE}&sortKey=name&sortDescending=true`),
    list('chargers of a site', (random) => `/v2/chargers?${PAGE}&siteId=${String(random(scale.sites) + 1)}`),
    list(
      'chargers of a site and those below',
      (random) => `/v2/chargers?${PAGE}&includeSubsites=true&siteId=${String(random(10) + 1)}`,
    ),
    list('chargers of a make', () => `/v2/chargers?${PAGE}&manufacturer=Acme`),
    list('chargers in a state', () => `/v2/chargers?${PAGE}&state=Offline`),
    list(
      'chargers by search',
      (random) => `/v2/chargers?${PAGE}&search=${chargerIdOf(random(scale.chargers)).slice(0, -2)}`,
    ),
    list('one charger', (random) => `/v2/chargers/${chargerIdOf(random(scale.chargers))}`),
    list('sites, first page', () => `/v2/sites?${PAGE}`),
    list('sites by search', (random) => `/v2/sites?${PAGE}&search=Site%20${String(random(scale.sites) + 1)}`),
    list('sessions, first page', () => `/v2/sessions?${PAGE}`),
    list('sessions of a day', (random) => `/v2/sessions?${PAGE}&startTime=${day(random)}`),
    list('sessions of a charger', (random) => `/v2/sessions?${PAGE}&chargerIds=${chargerIdOf(random(scale.chargers))}`),
    list('sessions of a tag', (random) => `/v2/sessions?${PAGE}&rfidTags=TAG${String(random(5_000))}`),
    list('one session', (random) => `/v2/sessions/${String(random(scale.sessions) + 1)}`),
    list('log of a charger', (random) => `/v2/chargers/${chargerIdOf(random(scale.chargers))}/ocpp-logs?${PAGE}`),
    list(
      'log of a charger since a day',
      (random) => `/v2/chargers/${chargerIdOf(random(scale.chargers))}/ocpp-logs?${PAGE}&startDate=${day(random)}`,
    ),
    list(
      'states of a charger',
      (random) => `/v2/chargers/state-time-series?${PAGE}&chargerIds=${chargerIdOf(random(scale.chargers))}`,
    ),
    {
      name: 'transaction search (older generation)',
      p99Ms: LIST_MS,
      ask: (random) => {
        const chargerIDs = [chargerIdOf(random(scale.chargers))];
        return {
          method: 'POST',
          path: '/api/statistics/transactions',
          isLegacy: true,
          body: { startTime: day(random), chargerIDs },
        };
      },
    },
    { name: 'statistics', p99Ms: STATISTICS_MS, ask: () => ({ method: 'GET', path: '/v2/statistics' }) },
    {
      name: 'statistics (older generation)',
      p99Ms: STATISTICS_MS,
      ask: () => ({ method: 'GET', path: '/api/statistics', isLegacy: true }),
    },
  ];
}
