import { parseArgs } from 'node:util';
import { AppError } from '@busbar/core';
import type { ConsoleOptions } from './console/console-bench';
import { VERSIONS_2, type Version2 } from './load/messages-2';
import { ROWS } from './rows';
import type { SizeOptions } from './size/size-bench';
import { COLUMNS, type Column } from './worlds/world';

export interface Options {
  /** Keys of rows. */
  readonly only: readonly string[];
  readonly columns: readonly Column[];
  readonly rounds: number;
  /** Measured in each round, after the warm-up. */
  readonly seconds: number;
  /** Gateways and charger-states of column 3, each. */
  readonly replicas: number;
  /** Of the rows of OCPP 2.x. */
  readonly version2: Version2;
  /** Where the results go as well. */
  readonly json: string | undefined;
  readonly profile: boolean;
  readonly wantsHelp: boolean;
}

const KEYS = ROWS.map(({ key }) => key);

export const USAGE = `Usage: npm run bench -- [options]

  --only ROW        only this row; may be given more than once: ${KEYS.join(', ')}
  --columns LIST    1: one process; 2: one process on RabbitMQ; 3: four processes on RabbitMQ and a document server
                    (default 1,2,3)
  --rounds N        rounds of each cell; the best and the median are shown, 1 to 20 (default 3)
  --seconds N       measured in each round, 1 to 60 (default 5)
  --replicas N      so many gateways and so many charger-states in column 3, 1 to 8 (default 1)
  --ocpp VERSION    of the rows of OCPP 2.x: 2.0.1 or 2.1 (default 2.1)
  --json FILE       write the results there too; they are always kept under data/bench
  --profile         one more round of each cell, which does not count, with a .cpuprofile of each process under data/bench

       npm run bench -- api [options]      lists, searches and statistics when very much is stored; STORE_URL may name an
                                           empty MongoDB to fill instead of a data file
  --part N          of the whole size, 100,000 chargers and 10,000,000 rows of log: 0.001 to 1 (default 1)
  --times N         how often each question is asked, 20 to 10000 (default 300)

       npm run bench -- console [options]  the web console with 100,000 chargers, in a Chromium that is slowed down
  --part N          of 100,000 chargers: 0.001 to 1 (default 1)
  --times N         how often what is short is measured, 5 to 100 (default 10)
  --minutes N       how long a page stays open for its memory, 1 to 240 (default 60)`;

/** Throws `invalid_request` with one sentence. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parse(args);
  const only = values.only ?? KEYS;
  const unknown = only.find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw misuse(`There is no row ${unknown}: --only is one of ${KEYS.join(', ')}.`);
  return {
    only,
    columns: columnsOf(values.columns ?? '1,2,3'),
    rounds: wholeNumber('--rounds', values.rounds ?? '3', 20),
    seconds: wholeNumber('--seconds', values.seconds ?? '5', 60),
    replicas: wholeNumber('--replicas', values.replicas ?? '1', 8),
    version2: version2Of(values.ocpp ?? '2.1'),
    json: values.json,
    profile: values.profile ?? false,
    wantsHelp: values.help ?? false,
  };
}

/** Reads the options of `api`. Throws `invalid_request` with one sentence. */
export function readSizeOptions(args: readonly string[]): SizeOptions {
  const { values } = sizeValues(args);
  const part = partOf(values.part);
  const times = wholeNumber('--times', values.times ?? '300', 10_000);
  if (times < 20) throw misuse('--times is at least 20.');
  return { part, times };
}

/** Reads the options of `console`. Throws `invalid_request` with one sentence. */
export function readConsoleOptions(args: readonly string[]): ConsoleOptions {
  const { values } = sizeValues(args, { minutes: { type: 'string' } });
  const times = wholeNumber('--times', values.times ?? '10', 100);
  if (times < 5) throw misuse('--times is at least 5.');
  return { part: partOf(values.part), times, liveMinutes: wholeNumber('--minutes', values.minutes ?? '60', 240) };
}

function partOf(text = '1'): number {
  const part = Number(text);
  if (part >= 0.001 && part <= 1) return part;
  throw misuse('--part is a number from 0.001 to 1.');
}

interface SizeValues {
  readonly values: { readonly part?: string; readonly times?: string; readonly minutes?: string };
}

function sizeValues(
  args: readonly string[],
  more: Readonly<Record<string, { readonly type: 'string' }>> = {},
): SizeValues {
  try {
    return parseArgs({ args: [...args], options: { part: { type: 'string' }, times: { type: 'string' }, ...more } });
  } catch (error) {
    throw misuse(`${error instanceof Error ? error.message : String(error)} See npm run bench -- --help.`);
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string', multiple: true },
        columns: { type: 'string' },
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        replicas: { type: 'string' },
        ocpp: { type: 'string' },
        json: { type: 'string' },
        profile: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw misuse(`${error instanceof Error ? error.message : String(error)}. See --help.`);
  }
}

function columnsOf(text: string): Column[] {
  const wanted = text.split(',').map((part) => part.trim());
  const strange = wanted.find((part) => !COLUMNS.some((column) => String(column) === part));
  if (strange !== undefined) throw misuse(`--columns is a list of ${COLUMNS.join(', ')}, such as 1,3.`);
  return COLUMNS.filter((column) => wanted.includes(String(column)));
}

function version2Of(text: string): Version2 {
  const version = VERSIONS_2.find((each) => each === `ocpp${text}`);
  if (version === undefined) throw misuse('--ocpp is 2.0.1 or 2.1.');
  return version;
}

function wholeNumber(name: string, text: string, max: number): number {
  const number = Number(text);
  if (/^\d{1,4}$/.test(text) && number >= 1 && number <= max) return number;
  throw misuse(`${name} is a whole number from 1 to ${String(max)}.`);
}

function misuse(sentence: string): AppError {
  return new AppError('invalid_request', sentence);
}
