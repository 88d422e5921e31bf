import { parseArgs } from 'node:util';
import { AppError } from '@busbar/core';

export const SCENARIOS = ['idle', 'day', 'storm'] as const;
export type Scenario = (typeof SCENARIOS)[number];

export interface Options {
  readonly chargers: number;
  /** A websocket address to which a charger's id is appended; undefined: the running one-process mode's. */
  readonly url: string | undefined;
  readonly register: boolean;
  readonly client: string | undefined;
  readonly scenario: Scenario;
  readonly prefix: string;
  /** 0: until Ctrl-C. */
  readonly durationS: number;
  readonly wantsHelp: boolean;
}

export const USAGE = `Usage: npm run simulate -- [options]

  --chargers N        how many chargers, 1 to 10000 (default 10)
  --url URL           websocket address, such as wss://host:8443/ocpp/ (default: the running one-process mode's)
  --register          make the chargers first, with a temporary API key
  --client ID         whose chargers they are (default: BOOTSTRAP_CLIENT_ID, else the one-process mode's own)
  --scenario NAME     idle: heartbeats; day: charging sessions with meter values; storm: all reconnect at once, again and
                      again (default day)
  --prefix TEXT       chargers are called TEXT_1, TEXT_2 … (default SIM)
  --duration SECONDS  end by itself (default: at Ctrl-C)`;

/** Throws \`invalid_request\` with one sentence. */
export function readOptions(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Options {
  const { values } = parse(args);
  const scenario = SCENARIOS.find((name) => name === (values.scenario ?? 'day'));
  if (scenario === undefined) throw misuse(`--scenario is one of ${SCENARIOS.join(', ')}.`);
  const prefix = values.prefix ?? 'SIM';
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(prefix)) throw misuse('--prefix has 1 to 32 letters, digits, "_" or "-".');
  return {
    chargers: wholeNumber('--chargers', values.chargers ?? '10', 1, 10_000),
    url: values.url === undefined ? undefined : websocketUrl(values.url),
    register: values.register ?? false,
    client: values.client ?? nonEmpty(env['BOOTSTRAP_CLIENT_ID']),
    scenario,
    prefix,
    durationS: wholeNumber('--duration', values.duration ?? '0', 0, 31_536_000),
    wantsHelp: values.help ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        chargers: { type: 'string' },
        url: { type: 'string' },
        register: { type: 'boolean' },
        client: { type: 'string' },
        scenario: { type: 'string' },
        prefix: { type: 'string' },
        duration: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw misuse(`${error instanceof Error ? error.message : String(error)}. See --help.`);
  }
}

function websocketUrl(text: string): string {
  if (!/^wss?:\/\/[^/?#]+/.test(text) || !URL.canParse(text)) {
    throw misuse('--url is a websocket address such as wss://localhost:8443/ocpp/.');
  }
  return text.endsWith('/') ? text : `${text}/`;
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const number = Number(text);
  if (/^\d{1,9}$/.test(text) && number >= min && number <= max) return number;
  throw misuse(`${name} is a whole number from ${String(min)} to ${String(max)}.`);
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function misuse(sentence: string): AppError {
  return new AppError('invalid_request', sentence);
}
