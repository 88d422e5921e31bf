// `npm run bench -- api`: how fast both APIs answer when very much is stored. The network is made afresh in a data
// directory of its own, or in the database that STORE_URL names, which must be empty.
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createId } from '@busbar/core';
import { connectHttps } from '../load/https-client';
import type { Resources } from '../processes/resources';
import { BENCH_DIRECTORY } from '../repository';
import { askOften, exchange, timed, type Caller, type Latencies } from './ask';
import { environmentOf, fill, whileRunning } from './filled-store';
import { questionsOf } from './questions';
import { scaled, type Scale } from './scale';

export interface SizeOptions {
  /** The part of the whole size: 1 is a hundred thousand chargers and ten million rows of log. */
  readonly part: number;
  /** The number of times that each question is asked. */
  readonly times: number;
}

export interface SizeDeps {
  readonly resources: Resources;
  readonly print: (line: string) => void;
  /** `mongodb://…`; a data file of its own where absent. */
  readonly storeUrl: string | undefined;
}

export interface SizeRow extends Latencies {
  readonly question: string;
  readonly goalMs: number;
  readonly isMet: boolean;
}

export interface SizeResults {
  readonly startedAt: string;
  readonly scale: Scale;
  readonly store: string;
  readonly fileMb: number | undefined;
  readonly rows: readonly SizeRow[];
}

const WRITER_MS = 50;
/** The service begins to delete a minute after its start. */
const DELETING_MS = 100_000;
const WRITE_EVERY_MS = 5;

export async function runSizeBench(options: SizeOptions, deps: SizeDeps): Promise<SizeResults> {
  const startedAt = new Date().toISOString();
  const scale = scaled(options.part);
  mkdirSync(BENCH_DIRECTORY, { recursive: true });
  const directory = mkdtempSync(join(BENCH_DIRECTORY, 'size-'));
  deps.resources.hold(directory, (path) => Promise.resolve(rmSync(path, { recursive: true, force: true })));
  const storeUrl = deps.storeUrl ?? `file:${directory}`;
  const clientId = `size-${createId().toLowerCase()}`;
  await fill(storeUrl, clientId, scale, deps.print);
  const env = await environmentOf(directory, storeUrl, clientId);
  const rows: SizeRow[] = [];
  await whileRunning(deps.resources, directory, env, async (caller) => {
    for (const question of questionsOf(scale, Date.now())) {
      await askOften(caller, question, Math.min(20, options.times));
      rows.push(rowOf(question.name, question.p99Ms, await askOften(caller, question, options.times)));
      deps.print(lineOf(rows.at(-1)));
    }
  });
  await whileRunning(
    deps.resources,
    directory,
    { ...env, LOG_RETENTION_DAYS: '14', HISTORY_RETENTION_DAYS: '14' },
    async (caller) => {
      deps.print('Half of the log is too old now; writes are timed while it is deleted …');
      rows.push(rowOf('a write while old rows are deleted', WRITER_MS, await writes(caller)));
    },
  );
  const file = join(directory, 'busbar.db');
  const fileMb = existsSync(file) ? Math.round(statSync(file).size / 1_048_576) : undefined;
  return { startedAt, scale, store: deps.storeUrl === undefined ? 'SQLite' : 'MongoDB', fileMb, rows };
}

export function sizeText({ scale, store, fileMb, rows }: SizeResults): string {
  const counts = Object.entries(scale).map(([what, count]) => `${(count as number).toLocaleString('en')} ${what}`);
  return [
    `${store}: ${counts.join(', ')}${fileMb === undefined ? '' : `; ${fileMb.toLocaleString('en')} MB`}`,
    '',
    '| question | p50 | p99 | longest | goal |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(
      (row) =>
        `| ${row.question} | ${ms(row.p50Ms)} | ${ms(row.p99Ms)} | ${ms(row.maxMs)} | ${row.isMet ? 'pass' : 'miss'} (p99 < ${String(row.goalMs)} ms) |`,
    ),
    ...rows.flatMap(({ question, failures }) => failures.map((failure) => `${question}: ${failure}`)),
  ].join('\n');
}

async function writes(caller: Caller): Promise<Latencies> {
  const connection = await connectHttps(caller.target);
  try {
    const write = (n: number) =>
      exchange(connection, caller, { method: 'POST', path: '/v2/tags', body: { idTag: `WRITE${String(n)}` } });
    return await timed(DELETING_MS / WRITE_EVERY_MS, write, WRITE_EVERY_MS);
  } finally {
    connection.destroy();
  }
}

function rowOf(question: string, goalMs: number, latencies: Latencies): SizeRow {
  return { question, goalMs, ...latencies, isMet: latencies.failures.length === 0 && latencies.p99Ms < goalMs };
}

function lineOf(row: SizeRow | undefined): string {
  return row === undefined
    ? ''
    : `${row.question}: p50 ${ms(row.p50Ms)}, p99 ${ms(row.p99Ms)}${row.isMet ? '' : ' (miss)'}`;
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
}
