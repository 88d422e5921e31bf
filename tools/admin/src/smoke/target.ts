// The target of a smoke test: the options of the command, or the running one-process mode.
import { readFileSync } from 'node:fs';
import { AppError } from '@busbar/core';
import { misuse, type ToolCommand } from '@busbar/operations';

/** The internal address of a service. */
export interface Internal {
  readonly name: string;
  readonly url: string;
}

export interface Target {
  readonly internals: readonly Internal[];
  /** The origin of the v2 API. */
  readonly v2: URL;
  /** The websocket address, to which a charger appends its id. */
  readonly ocpp: URL;
  /** PEM; undefined: the authorities that Node knows. */
  readonly ca: string | undefined;
  /** The name that the certificate must have and that requests are for; undefined: the host of each address. */
  readonly host: string | undefined;
}

/** Runs an administration command in the running process; undefined without one. */
export type AskProcess = (line: readonly string[]) => Promise<{ readonly data: unknown } | undefined>;

const NAMED_URL = /^([a-z0-9][a-z0-9-]{0,62})=(https?:\/\/\S+)$/;

/** Throws `invalid_request` for wrong options, and `not_found` where nothing runs and no address is given. */
export async function targetOf({ options }: ToolCommand['given'], ask: AskProcess): Promise<Target> {
  const { ready, v2, ocpp, ca, host } = options;
  const authority = ca === undefined ? undefined : readText('--ca', ca);
  if (ready === undefined && v2 === undefined && ocpp === undefined) {
    const running = await runningTarget(ask);
    return { ...running, ca: authority ?? running.ca, host };
  }
  if (ready === undefined || v2 === undefined || ocpp === undefined)
    throw misuse('Give --ready, --v2 and --ocpp together, or none of them for the running one-process mode.');
  return {
    internals: ready.split(',').map(internalOf),
    v2: urlOf('--v2', v2, ['https:', 'http:']),
    ocpp: urlOf('--ocpp', ocpp, ['wss:', 'ws:']),
    ca: authority,
    host,
  };
}

/** Without the line break at its end. `-` is standard input. */
export function readText(option: string, file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').trim();
  } catch (cause) {
    throw new AppError('invalid_request', `${option} ${file} cannot be read: ${(cause as Error).message}.`, { cause });
  }
}

async function runningTarget(ask: AskProcess): Promise<Target> {
  const answered = await ask(['address']);
  if (answered === undefined) {
    const message =
      'No one-process mode runs here: start it with "npm start", or name the addresses with --ready, --v2 and --ocpp.';
    throw new AppError('not_found', message);
  }
  const { http, ocpp, internal, certificate } = answered.data as Readonly<Record<string, string | null>>;
  return {
    internals: [{ name: 'busbar', url: internal ?? '' }],
    v2: new URL(http ?? ''),
    ocpp: new URL(ocpp ?? ''),
    ca: typeof certificate === 'string' ? readText('The certificate', certificate) : undefined,
    host: undefined,
  };
}

function internalOf(text: string): Internal {
  const [, name, url] = NAMED_URL.exec(text.trim()) ?? [];
  if (name !== undefined && url !== undefined && URL.canParse(url)) return { name, url: url.replace(/\/$/, '') };
  throw misuse(
    `--ready is a list such as gateway=http://gateway:9090,v2-api=http://v2-api:9090; ${text} does not fit.`,
  );
}

function urlOf(option: string, text: string, schemes: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && schemes.includes(url.protocol)) return url;
  throw misuse(`${option} is an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}.`);
}
