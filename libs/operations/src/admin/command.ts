// The type of an administration command, and the parser of command lines. Commands know neither socket nor terminal: they get
// arguments and return lines to print.
import { parseArgs } from 'node:util';
import { AppError, isAppError, type Clock } from '@busbar/core';
import { distance } from 'fastest-levenshtein';
import type { Records } from '@busbar/domain';
import type { DeadLetterStore, StoredDeadLetter } from '@busbar/domain/reports';
import type { ConnectionCloser } from '@busbar/domain/chargers';

/** The flag that confirms a command. */
const YES = 'yes';

export interface AdminContext {
  readonly records: Records;
  readonly clock: Clock;
  /** Only in a process with a data file. */
  readonly backup?: (file: string, options: { readonly replace: boolean }) => Promise<void>;
  /** Only in a process with a data file, or without a store. */
  readonly restore?: (file: string) => Promise<RestoreReport>;
  /** Resolves with the number of chargers. */
  readonly raiseCounters?: () => Promise<number>;
  /** Only where no other process runs on the store. */
  readonly setPartitions?: (partitions: number) => Promise<void>;
  /** The addresses of the running one-process mode. */
  readonly addresses?: () => Addresses;
  /** The client of the one-process mode itself, for commands that name none. */
  readonly ownClientId?: () => string;
  /** Closes open sockets; only with a broker. */
  readonly connections?: ConnectionCloser;
  readonly deadLetters?: DeadLetterStore;
  /** Publishes a charger's message to its queue again; only with a broker. */
  readonly replay?: (letter: StoredDeadLetter) => Promise<void>;
}

export interface RestoreReport {
  /** The backup had a checksum file, which matched. */
  readonly isVerified: boolean;
}

export interface Addresses {
  /** `https://host:port`, without a path. */
  readonly http: string;
  /** `wss://host:port/ocpp/`, to which a charger appends its id. */
  readonly ocpp: string;
  /** The same without TLS, where it is on. */
  readonly plainOcpp: string | null;
  /** `http://host:port` of health and metrics. */
  readonly internal: string;
  /** The certificate that the process signed itself; null for a configured one, and without TLS. */
  readonly certificate: string | null;
}

export interface AdminResult {
  /** For people. */
  readonly lines: readonly string[];
  /** The same for programs. */
  readonly data: unknown;
}

export interface Arguments {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string>>;
  /** Flags that were given. */
  readonly flags: ReadonlySet<string>;
}

export interface AdminCommand {
  readonly name: readonly string[];
  /** Names of the mandatory arguments, if there are any. `FILE` is made absolute by the caller's process. */
  readonly positionals?: readonly string[];
  /** Option names with their values, as the usage shows them. */
  readonly options?: Readonly<Record<string, string>>;
  /** Options without a value. */
  readonly flags?: readonly string[];
  /** Needs a confirmation or `--yes`. */
  readonly question?: string | ((given: Arguments) => string);
  readonly about: string;
  run(context: AdminContext, given: Arguments): Promise<AdminResult>;
}

export interface ParsedCommand {
  readonly command: AdminCommand;
  readonly given: Arguments;
}

/** Finds the command and checks its arguments. Throws `invalid_request` with the usage. */
export function parseCommandLine(commands: readonly AdminCommand[], line: readonly string[]): ParsedCommand {
  const command = commands.find(({ name }) => name.every((word, i) => line[i] === word));
  if (command === undefined) throw unknownCommand(commands, line);
  const given = splitArguments(command, line.slice(command.name.length));
  if (given.positionals.length !== (command.positionals ?? []).length) throw misuse(`Usage: ${usageOf(command)}`);
  return { command, given };
}

/** The question to confirm before the command runs; undefined without one or with `--yes`. */
export function questionOf({ command, given }: ParsedCommand): string | undefined {
  const { question } = command;
  if (given.flags.has(YES)) return undefined;
  return typeof question === 'function' ? question(given) : question;
}

/** The command line with its options. */
export function usageOf(command: AdminCommand): string {
  const { name, positionals = [], options = {} } = command;
  const valued = Object.entries(options).map(([name, value]) => `[--${name} ${value}]`);
  const optional = [...valued, ...flagsOf(command).map((flag) => `[--${flag}]`)];
  return [...name, ...positionals, ...optional].join(' ');
}

function flagsOf({ flags = [], question }: AdminCommand): readonly string[] {
  return question === undefined ? flags : [...flags, YES];
}

function splitArguments(command: AdminCommand, rest: readonly string[]): Arguments {
  const usage = `Usage: ${usageOf(command)}`;
  const known = flagsOf(command);
  const { options: valued = {} } = command;
  const types = Object.fromEntries<{ type: 'string' | 'boolean' }>([
    ...Object.keys(valued).map((name) => [name, { type: 'string' }] as const),
    ...known.map((flag) => [flag, { type: 'boolean' }] as const),
  ]);
  // Not strict: a password may begin with two hyphens, and errors show the usage of the command.
  const { tokens } = parseArgs({ args: [...rest], options: types, strict: false, tokens: true });
  const positionals: string[] = [];
  const options: Record<string, string> = {};
  const flags = new Set<string>();
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (known.includes(name)) {
      if (value !== undefined) throw misuse(`${rawName} takes no value. ${usage}`);
      flags.add(name);
      continue;
    }
    if (!Object.hasOwn(valued, name)) throw misuse(`Unknown option ${rawName}. ${usage}`);
    if (value === undefined || value === '') throw misuse(`${rawName} needs a value. ${usage}`);
    options[name] = value;
  }
  return { positionals, options, flags };
}

/** The positional argument at an index; `parseCommandLine` checked that it exists. */
export function positional({ positionals }: Arguments, index: number): string {
  const value = positionals[index];
  if (value === undefined) throw misuse('An argument is missing.');
  return value;
}

/**
 * The client that `--client` names, else the one-process mode's own, else the only one there is. Throws `not_found` or
 * `invalid_request`.
 */
export async function clientOf({ records, ownClientId }: AdminContext, { options }: Arguments): Promise<string> {
  const wanted = options['client'] ?? ownClientId?.();
  if (wanted !== undefined) {
    if ((await records.clients.find(wanted)) === undefined)
      throw new AppError('not_found', `There is no client ${wanted}.`);
    return wanted;
  }
  const [only, ...others] = await records.clients.list();
  if (only === undefined)
    throw new AppError('not_found', 'There is no client yet: create one with "client create NAME".');
  if (others.length > 0)
    throw misuse('There are several clients: name one with --client ID ("client list" shows them).');
  return only.clientId;
}

/** The command line is at fault. */
export function misuse(message: string): AppError {
  return new AppError('invalid_request', message, { details: { isMisuse: true } });
}

export function isMisuse(error: unknown): boolean {
  return isAppError(error, 'invalid_request') && error.details['isMisuse'] === true;
}

/** Edits between a mistyped command and the suggested one. */
const MAX_EDITS = 3;

function unknownCommand(commands: readonly AdminCommand[], line: readonly string[]): AppError {
  if (line.length === 0) return misuse('No command was given: "help" lists them.');
  const group = commands.filter(({ name }) => line.every((word, i) => name[i] === word));
  const names = group.map(({ name }) => name.join(' '));
  if (names.length > 0) return misuse(`${line.join(' ')} is incomplete. There are: ${names.join(', ')}.`);
  const nearest = nearestName(commands, line);
  const hint = nearest === undefined ? alternatives(commands, line) : `Did you mean "${nearest}"?`;
  return misuse(`Unknown command: ${line.join(' ').slice(0, MAX_SHOWN)}. ${hint}`);
}

/** The commands with the same first word, else where all are listed. */
function alternatives(commands: readonly AdminCommand[], [first]: readonly string[]): string {
  const group = commands.filter(({ name }) => name[0] === first).map(({ name }) => name.join(' '));
  return group.length === 0 ? '"help" lists the commands.' : `There are: ${group.join(', ')}.`;
}

const MAX_SHOWN = 100;

/** Compares as many words as each command has: the rest are arguments. */
function nearestName(commands: readonly AdminCommand[], line: readonly string[]): string | undefined {
  const candidates = commands.map(({ name }) => {
    const typed = line.slice(0, name.length).join(' ').slice(0, MAX_SHOWN);
    return { name: name.join(' '), edits: distance(typed.toLowerCase(), name.join(' ')) };
  });
  const [nearest] = candidates.sort((a, b) => a.edits - b.edits);
  return nearest !== undefined && nearest.edits <= MAX_EDITS ? nearest.name : undefined;
}
