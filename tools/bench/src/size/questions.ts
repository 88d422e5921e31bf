// The questions of integrators about a large network, and the time limit of each response.
import { chargerIdOf, LOG_DAYS, TAGS } from './network';
import type { Scale } from './scale';

const DAY_MS = 86_400_000;

/** A whole number from 0, below the bound. */
export type Random = (below: number) => number;

export interface Question {
  readonly name: string;
  readonly p99Ms: number;
  /** A different one each time. */
  readonly ask: (random: Random) => Asked;
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
/** As many as one question may name. */
const MANY = 100;

/** The records that the questions are made from. */
interface Known {
  readonly scale: Scale;
  /** A page of a list of that length. */
  readonly page: (random: Random, length: number) => string;
  /** A timestamp as far back as the log goes. */
  readonly day: (random: Random) => string;
  readonly charger: (random: Random) => string;
  readonly chargers: (random: Random) => readonly string[];
  readonly site: (random: Random) => string;
  readonly tag: (random: Random) => string;
}

/** THE table. `nowMs`: when the network was made. */
export function questionsOf(scale: Scale, nowMs: number): readonly Question[] {
  const charger = (random: Random): string => chargerIdOf(random(scale.chargers));
  const known: Known = {
    scale,
    page: (random, length) => `page=${String(random(Math.max(1, Math.floor(length / 50))) + 1)}`,
    day: (random) => new Date(nowMs - random(LOG_DAYS) * DAY_MS).toISOString(),
    charger,
    chargers: (random) => Array.from({ length: MANY }, () => charger(random)),
    site: (random) => String(random(scale.sites) + 1),
    tag: (random) => `TAG${String(random(TAGS) + 1)}`,
  };
  return [
    ...chargerQuestions(known),
    ...siteAndTagQuestions(known),
    ...sessionQuestions(known),
    ...historyQuestions(known),
    ...legacyQuestions(known),
    { name: 'statistics', p99Ms: STATISTICS_MS, ask: () => ({ method: 'GET', path: '/v2/statistics' }) },
    {
      name: 'statistics (v1 API)',
      p99Ms: STATISTICS_MS,
      ask: () => ({ method: 'GET', path: '/api/statistics', isLegacy: true }),
    },
  ];
}

function chargerQuestions({ scale, page, charger, site }: Known): readonly Question[] {
  const of = (query: string): string => `/v2/chargers?${PAGE}${query}`;
  return [
    list('chargers, first page', () => of('')),
    list('chargers, any page', (random) => of(`&${page(random, scale.chargers)}`)),
    list('chargers by name, last first', () => of('&sortKey=name&sortDescending=true')),
    list('chargers of a site', (random) => of(`&siteId=${site(random)}`)),
    list('chargers of a site and those below', (random) =>
      of(`&includeSubsites=true&siteId=${String(random(10) + 1)}`),
    ),
    list('chargers of a make', () => of('&manufacturer=Acme')),
    list('chargers in a state', () => of('&state=Offline')),
    list('chargers by search', (random) => of(`&search=${charger(random).slice(0, -2)}`)),
    list('chargers by the beginning of their names', (random) => of(`&search=Charger%20${String(random(9) + 1)}`)),
    list('chargers by names and a state, by name', (random) =>
      of(`&search=Charger%20${String(random(9) + 1)}&state=Offline&sortKey=name`),
    ),
    list('chargers of a make and a model at a site', (random) =>
      of(`&manufacturer=Acme&model=M${String(random(7))}&siteId=${site(random)}`),
    ),
    list('chargers of a make in a state, by creation', () =>
      of('&manufacturer=Acme&state=Offline&sortKey=createdAt&sortDescending=true'),
    ),
    list('one charger', (random) => `/v2/chargers/${charger(random)}`),
  ];
}

function siteAndTagQuestions({ page, site, tag }: Known): readonly Question[] {
  return [
    list('sites, first page', () => `/v2/sites?${PAGE}`),
    list('sites by search', (random) => `/v2/sites?${PAGE}&search=Site%20${site(random)}`),
    list('tags, any page', (random) => `/v2/tags?${PAGE}&${page(random, TAGS)}`),
    list('tags by name', () => `/v2/tags?${PAGE}&sortKey=tokenName`),
    list('tags by search', (random) => `/v2/tags?${PAGE}&search=${tag(random).slice(0, -1)}`),
  ];
}

function sessionQuestions({ scale, day, charger, chargers, site, tag }: Known): readonly Question[] {
  const of = (query: string): string => `/v2/sessions?${PAGE}${query}`;
  return [
    list('sessions, first page', () => of('')),
    list('sessions of a day', (random) => of(`&startTime=${day(random)}`)),
    list('sessions of a charger', (random) => of(`&chargerIds=${charger(random)}`)),
    list('sessions of a tag', (random) => of(`&rfidTags=${tag(random)}`)),
    list('sessions by their end', () => of('&sortKey=endTime')),
    list('sessions of many chargers by their end', (random) =>
      of(`&sortKey=endTime&chargerIds=${chargers(random).join(',')}`),
    ),
    list('sessions of a site by their end', (random) => of(`&sortKey=endTime&siteIds=${site(random)}`)),
    list('sessions in a state', () => of('&state=ongoing')),
    list('sessions in a state that none has', () => of('&state=superseded')),
    list('one session', (random) => `/v2/sessions/${String(random(scale.sessions) + 1)}`),
  ];
}

function historyQuestions({ day, charger }: Known): readonly Question[] {
  const log = (random: Random, query: string): string => `/v2/chargers/${charger(random)}/ocpp-logs?${PAGE}${query}`;
  return [
    list('log of a charger', (random) => log(random, '')),
    list('log of a charger since a day', (random) => log(random, `&startDate=${day(random)}`)),
    list('log of a charger by search', (random) => log(random, '&search=Available')),
    list('states of a charger', (random) => `/v2/chargers/state-time-series?${PAGE}&chargerIds=${charger(random)}`),
    list('states of all chargers in seven days', () => `/v2/chargers/state-time-series?${PAGE}`),
  ];
}

function legacyQuestions({ scale, day, charger, chargers, site }: Known): readonly Question[] {
  const search = (name: string, body: (random: Random) => unknown): Question => ({
    name: `${name} (v1 API)`,
    p99Ms: LIST_MS,
    ask: (random) => ({ method: 'POST', path: '/api/statistics/transactions', isLegacy: true, body: body(random) }),
  });
  const read = (name: string, path: (random: Random) => string): Question => ({
    name: `${name} (v1 API)`,
    p99Ms: LIST_MS,
    ask: (random) => ({ method: 'GET', path: path(random), isLegacy: true }),
  });
  return [
    search('transaction search', (random) => ({ startTime: day(random), chargerIDs: [charger(random)] })),
    search('transactions of many chargers by their end', (random) => ({
      stopTime: day(random),
      chargerIDs: chargers(random),
    })),
    search('transactions by start and end', (random) => {
      const from = day(random);
      return { startTime: from, stopTimeSearchBegin: from, stopTime: new Date(Date.parse(from) + DAY_MS) };
    }),
    read('tree of a group', (random) => `/api/group/${String(random(10) + 1)}?excludeDetails=true`),
    // Not one of the ten at the top: more chargers stand below those than one answer may hold.
    read('tree of a group with its chargers', (random) => `/api/group/${String(random(scale.sites - 10) + 11)}`),
    read('chargers of a group', (random) => `/api/charger?groupId=${site(random)}`),
  ];
}

function list(name: string, path: (random: Random) => string): Question {
  return { name, p99Ms: LIST_MS, ask: (random) => ({ method: 'GET', path: path(random) }) };
}
