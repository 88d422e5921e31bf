import { parseArgs } from 'node:util';
import { AppError, messageOf } from '@busbar/core';
import type { ReceiverOptions } from './receiver';
import { TRACE_ALL } from './trace';

export const BEHAVIOURS = ['idle', 'day', 'storm'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** Versions by their names on the command line; with `mixed` the chargers take turns. */
export const VERSIONS = { '1.6': 'ocpp1.6', '2.0.1': 'ocpp2.0.1', '2.1': 'ocpp2.1' } as const;
export type Version = (typeof VERSIONS)[keyof typeof VERSIONS];
const MIXED = 'mixed';

export interface Options {
  /** The charger n speaks the version n, beginning again after the last one. */
  readonly versions: readonly Version[];
  /** Undefined: as many as the script wants, else 10. */
  readonly chargers: number | undefined;
  readonly sockets: number;
  /** A websocket address to which a charger's id is appended; undefined: the running one-process mode's. */
  readonly url: string | undefined;
  /** The origin of the HTTP API, for `--register`; undefined: derived from the websocket address. */
  readonly api: string | undefined;
  readonly register: boolean;
  /** An API key of the service; undefined: a temporary one is created. */
  readonly key: string | undefined;
  readonly client: string | undefined;
  /** The password of every charger, for Basic authentication. */
  readonly password: string | undefined;
  readonly caFile: string | undefined;
  readonly isInsecure: boolean;
  readonly scenario: { readonly behaviour: Behaviour } | { readonly file: string };
  readonly prefix: string;
  /** 0: until Ctrl-C. */
  readonly durationS: number;
  /** A charger's id, or `TRACE_ALL`. */
  readonly trace: string | undefined;
  readonly keepSessions: boolean;
  /** A receiver of webhooks in place of chargers. */
  readonly receiver: ReceiverOptions | undefined;
  readonly wants: 'run' | 'help' | 'version';
}

export const USAGE = `Usage: npm run simulate -- [options]

Simulated chargers of OCPP 1.6, 2.0.1 and 2.1 that obey the commands of the service.

Chargers
  --chargers N        number of chargers, 1 to 10000 (default: 10; with a script what the script says)
  --sockets N         sockets of each charger, 1 to 16 (default: 2)
  --ocpp VERSION      OCPP version: 1.6 (default), 2.0.1, 2.1, or mixed: the chargers take turns
  --prefix TEXT       chargers are named TEXT_1, TEXT_2 … (default: SIM)
  --password TEXT     password of every charger for Basic authentication, 8 to 40 characters; --register sets it too

Service
  --url URL           websocket address, such as wss://host:8443/ocpp/ (default: the running one-process mode)
  --register          create the chargers, their site and tags first; those of an earlier run are kept
  --key KEY           API key for --register (default: the variable API_KEY with --url; else a temporary key, revoked afterwards)
  --api URL           address of the HTTP API for --register (default: that of --url with https)
  --client ID         client of the temporary key (default: BOOTSTRAP_CLIENT_ID, else the one-process mode's own)
  --ca FILE           certificate authority of the service, PEM
  --insecure          do not verify the certificate of the service; on this machine it is not verified anyway

What happens
  --scenario NAME     day: sessions come and go (default); idle: only commands of the service make sessions;
                      storm: all chargers reconnect together every 15 s
  --scenario FILE     run a script (.yaml, .yml, .json), then end: exit code 1 if an expectation fails
  --duration SECONDS  end after this time (default: at Ctrl-C)
  --keep-sessions     leave sessions open at the end (default: they are stopped first)
  --trace [ID]        print the frames of all chargers, or of one

A receiver of webhooks, in place of chargers
  --receiver          print the requests of a webhook to http://localhost:PORT/
  --port N            its port, 0 for a free one (default: 8080)
  --secret SECRET     the secret of the webhook, whsec_…: verify signatures

  --help, --version

Examples
  npm run simulate -- --chargers 3 --register
  npm run simulate -- --chargers 1 --register --scenario idle --trace
  npm run simulate -- --chargers 3 --register --ocpp mixed
  npm run simulate -- --register --scenario tools/simulate/examples/remote-start.yaml
  npm run simulate -- --url wss://csms.example:8443/ocpp/ --key "$API_KEY" --register --password 'a long secret'
  npm run simulate -- --receiver --secret "$WEBHOOK_SECRET"

Scripts and what a charger does for each command: tools/simulate/README.md`;

const MAX_DURATION_S = 31_536_000;
const DEFAULT_PORT = '8080';
const MAX_PORT = 65_535;
const SCRIPT = /\.(ya?ml|json)$/i;

/** Throws `invalid_request` with one sentence. */
export function readOptions(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Options {
  const { values } = parse(args);
  const { chargers, sockets = '2', duration = '0', scenario = 'day', prefix = 'SIM' } = values;
  const { help = false, version = false } = values;
  return {
    ...serviceOptions(values, env),
    versions: versionsOf(values.ocpp ?? '1.6'),
    chargers: optional(chargers, (text) => wholeNumber('--chargers', text, 1, 10_000)),
    sockets: wholeNumber('--sockets', sockets, 1, 16),
    password: optional(values.password, passwordOf),
    scenario: scenarioOf(scenario),
    prefix: prefixOf(prefix),
    durationS: wholeNumber('--duration', duration, 0, MAX_DURATION_S),
    trace: values.trace,
    keepSessions: values['keep-sessions'] ?? false,
    receiver: receiverOf(values),
    wants: help ? 'help' : version ? 'version' : 'run',
  };
}

type Values = ReturnType<typeof parse>['values'];
type ServiceOption = 'url' | 'api' | 'register' | 'key' | 'client' | 'caFile' | 'isInsecure';

function serviceOptions(
  values: Values,
  env: Readonly<Record<string, string | undefined>>,
): Pick<Options, ServiceOption> {
  const { register = false, insecure = false, ca } = values;
  const url = optional(values.url, websocketUrl);
  return {
    url,
    api: optional(values.api, httpOrigin),
    register,
    key: values.key ?? (url === undefined ? undefined : nonEmpty(env['API_KEY'])),
    client: values.client ?? nonEmpty(env['BOOTSTRAP_CLIENT_ID']),
    caFile: ca,
    isInsecure: insecure,
  };
}

function receiverOf({ receiver = false, port, secret }: Values): ReceiverOptions | undefined {
  if (receiver) return { port: wholeNumber('--port', port ?? DEFAULT_PORT, 0, MAX_PORT), secret };
  if (port === undefined && secret === undefined) return undefined;
  throw misuse('--port and --secret are options of --receiver.');
}

function optional<T>(text: string | undefined, read: (text: string) => T): T | undefined {
  return text === undefined ? undefined : read(text);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: withTraceValue(args),
      options: {
        chargers: { type: 'string' },
        sockets: { type: 'string' },
        ocpp: { type: 'string' },
        url: { type: 'string' },
        api: { type: 'string' },
        register: { type: 'boolean' },
        key: { type: 'string' },
        client: { type: 'string' },
        password: { type: 'string' },
        ca: { type: 'string' },
        insecure: { type: 'boolean' },
        scenario: { type: 'string' },
        prefix: { type: 'string' },
        duration: { type: 'string' },
        trace: { type: 'string' },
        'keep-sessions': { type: 'boolean' },
        receiver: { type: 'boolean' },
        port: { type: 'string' },
        secret: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw misuse(`${messageOf(error)}. See --help.`);
  }
}

/** `--trace` may stand alone, which `parseArgs` does not know. */
function withTraceValue(args: readonly string[]): string[] {
  return args.map((arg, i) => {
    const next = args[i + 1];
    return arg === '--trace' && (next === undefined || next.startsWith('-')) ? `--trace=${TRACE_ALL}` : arg;
  });
}

function scenarioOf(text: string): Options['scenario'] {
  if (SCRIPT.test(text)) return { file: text };
  const behaviour = BEHAVIOURS.find((name) => name === text);
  if (behaviour !== undefined) return { behaviour };
  throw misuse(`--scenario is one of ${BEHAVIOURS.join(', ')}, or a file that ends in .yaml, .yml or .json.`);
}

function versionsOf(text: string): readonly Version[] {
  if (text === MIXED) return Object.values(VERSIONS);
  if (Object.hasOwn(VERSIONS, text)) return [VERSIONS[text as keyof typeof VERSIONS]];
  throw misuse(`--ocpp is one of ${[...Object.keys(VERSIONS), MIXED].join(', ')}.`);
}

function prefixOf(text: string): string {
  if (/^[A-Za-z0-9_-]{1,32}$/.test(text)) return text;
  throw misuse('--prefix has 1 to 32 letters, digits, "_" or "-".');
}

function passwordOf(text: string): string {
  if (text.length >= 8 && text.length <= 40) return text;
  throw misuse('--password has 8 to 40 characters.');
}

function websocketUrl(text: string): string {
  if (!/^wss?:\/\/[^/?#]+/.test(text) || !URL.canParse(text)) {
    throw misuse('--url is a websocket address such as wss://localhost:8443/ocpp/.');
  }
  return text.endsWith('/') ? text : `${text}/`;
}

function httpOrigin(text: string): string {
  if (/^https?:\/\/[^/?#]+/.test(text) && URL.canParse(text)) return new URL(text).origin;
  throw misuse('--api is an address such as https://localhost:8443.');
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
