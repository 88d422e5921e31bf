import { parseArgs } from 'node:util';
import { AppError } from '@busbar/core';
import { ROWS } from './rows';
import { COLUMNS, type Column } from './worlds/world';

export interface Options {
  /** Keys of rows. */
  readonly only: readonly string[];
  readonly columns: readonly Column[];
  readonly rounds: number;
  /** Measured in each round, after the warm-up. */
  readonly seconds: number;
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
  --rounds N        rounds of each cell, the best of which is shown, 1 to 20 (default 3)
  --seconds N       measured in each round, 1 to 60 (default 5)
  --json FILE       write the results there too; they are always kept under data/bench
  --profile         one more round of each cell, which does not count, with a .cpuprofile of each process under data/bench`;

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
    json: values.json,
    profile: values.profile ?? false,
    wantsHelp: values.help ?? false,
  };
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

function wholeNumber(name: string, text: string, max: number): number {
  const number = Number(text);
  if (/^\d{1,4}$/.test(text) && number >= 1 && number <= max) return number;
  throw misuse(`${name} is a whole number from 1 to ${String(max)}.`);
}

function misuse(sentence: string): AppError {
  return new AppError('invalid_request', sentence);
}
