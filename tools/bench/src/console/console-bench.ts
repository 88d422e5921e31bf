// `npm run bench -- console`: the speed of the console with 100,000 chargers in the store, in a Chromium that is slowed down.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createId } from '@busbar/core';
import { CHARGER_SORT_KEYS } from '@busbar/domain/chargers';
import type { Resources } from '../processes/resources';
import { BENCH_DIRECTORY } from '../repository';
import { askOften, type Caller } from '../size/ask';
import { environmentOf, fill, whileRunning } from '../size/filled-store';
import { chargerIdOf } from '../size/network';
import type { Question } from '../size/questions';
import { scaled, type Scale } from '../size/scale';
import { boundAt } from '../worlds/service-program';
import { consoleLine, type ConsoleResults, type ConsoleRow } from './console-report';
import { curve, firstVisits, memory, scrolling, searches, stateChanges, type PageWorld } from './page-measures';
import { openVisitor } from './visitor';

export interface ConsoleOptions {
  /** The part of 100,000 chargers. */
  readonly part: number;
  /** How often what is short is repeated. */
  readonly times: number;
  /** How long the page stays open for its memory. */
  readonly liveMinutes: number;
}

export interface ConsoleDeps {
  readonly resources: Resources;
  readonly print: (line: string) => void;
}

/** Of the whole size: what the console shows of a fleet. */
const SESSIONS = 20_000;
const ROWS = 1_000;
const CURVE_POINTS = 10_000;
const LIST_GOAL_MS = 150;

const MEASURES: readonly ((world: PageWorld) => Promise<readonly ConsoleRow[]>)[] = [
  firstVisits,
  searches,
  stateChanges,
  scrolling,
  curve,
  memory,
];

export async function runConsoleBench(options: ConsoleOptions, deps: ConsoleDeps): Promise<ConsoleResults> {
  const startedAt = new Date().toISOString();
  const { resources, print } = deps;
  const scale: Scale = {
    ...scaled(options.part),
    sessions: SESSIONS,
    logRows: ROWS,
    stateChanges: ROWS,
    curvePoints: CURVE_POINTS,
  };
  mkdirSync(BENCH_DIRECTORY, { recursive: true });
  const directory = mkdtempSync(join(BENCH_DIRECTORY, 'console-'));
  resources.hold(directory, (path) => Promise.resolve(rmSync(path, { recursive: true, force: true })));
  const clientId = `console-${createId().toLowerCase()}`;
  await fill(`file:${directory}`, clientId, scale, print);
  const env = await environmentOf(directory, `file:${directory}`, clientId);
  const rows: ConsoleRow[] = [];
  let browser = '';
  const add = (more: readonly ConsoleRow[]): void => {
    for (const row of more) print(consoleLine(row));
    rows.push(...more);
  };
  await whileRunning(resources, directory, env, async (caller, program) => {
    add([await lists(caller, scale, options.times)]);
    const visitor = await openVisitor(caller, env['TLS_CERT_FILE'] ?? '', resources);
    browser = visitor.version;
    const world = { ...options, visitor, scale, chargers: await boundAt(program, 'plain') };
    for (const measure of MEASURES) add(await measure(world));
  });
  return { startedAt, scale, browser, rows };
}

/** A page of the list in any order by any filter. */
async function lists(caller: Caller, scale: Scale, times: number): Promise<ConsoleRow> {
  const filters = [
    ...['', '&state=Offline', '&activeConnection=false', '&siteId=3&includeSubsites=true', '&manufacturer=Acme'],
    ...['&model=M3', '&ocppVersion=ocpp1.6', `&search=${chargerIdOf(scale.chargers / 2).slice(0, -2)}`],
  ];
  const paths = CHARGER_SORT_KEYS.flatMap((sortKey) =>
    [false, true].flatMap((isDescending) =>
      filters.map((f) => `/v2/chargers?limit=100&sortKey=${sortKey}&sortDescending=${String(isDescending)}${f}`),
    ),
  );
  const question: Pick<Question, 'ask'> = {
    ask: (random) => ({ method: 'GET', path: paths[random(paths.length)] ?? '' }),
  };
  await askOften(caller, question, paths.length);
  const { p50Ms, p95Ms, p99Ms, failures } = await askOften(caller, question, paths.length * times);
  if (failures.length > 0) throw new Error(failures[0]);
  return {
    what: 'GET /v2/chargers?limit=100 in any order by any filter, p95',
    figure: p95Ms,
    unit: 'ms',
    goal: LIST_GOAL_MS,
    detail: `p50 ${p50Ms.toFixed(0)}, p99 ${p99Ms.toFixed(0)} ms`,
  };
}
