// The frames in view: bounded, in order, each once, with marks where the stream left some out. Pure.
import type { components } from '../../../api/generated/v2';
import type { StreamState } from '../../../live/server-events';
import { agrees } from '../../../model/command-outcome';

export type Exchange = components['schemas']['OcppExchange'];
export type Entry =
  | { readonly kind: 'exchange'; readonly key: string; readonly exchange: Exchange }
  | { readonly kind: 'skipped'; readonly key: string; readonly count: number };

export const MAX_ENTRIES = 2_000;

/** The clocks of the processes that store frames may differ by this, and the reader's estimate of them by half a second. */
const OVERLAP_MS = 2_000;

/**
 * Until when the stored frames are read, RFC 3339: to where the stream begins, and a little beyond, as each frame is shown once. A stream
 * with a position brings what it missed. Without one it begins when it opens, so the stored ones are read anew then. Where the stream does
 * not open, they are read alone. `now`: by the service's clock, in milliseconds. Undefined: not known yet.
 */
export function storedUntil(
  before: string | undefined,
  {
    state,
    position,
    now,
  }: { readonly state: StreamState; readonly position: string | undefined; readonly now: number },
): string | undefined {
  const isReadAnew = state === 'open' ? position === undefined : state !== 'connecting' && before === undefined;
  return isReadAnew ? new Date(now + OVERLAP_MS).toISOString() : before;
}

export interface Filter {
  readonly text: string;
  readonly heartbeats: boolean;
  /** Only those that failed. */
  readonly failed: boolean;
}

export function entryOf(exchange: Exchange): Entry {
  const { source, messageId, requestTimestamp } = exchange;
  return { kind: 'exchange', key: `${source} ${messageId} ${requestTimestamp}`, exchange };
}

/** Appends what came after; the oldest fall out beyond the limit. An exchange that is there already is left out, also within `added`. */
export function append(entries: readonly Entry[], added: readonly Entry[]): readonly Entry[] {
  const present = new Set(entries.map(({ key }) => key));
  const fresh = added.filter(({ key }) => {
    const isNew = !present.has(key);
    present.add(key);
    return isNew;
  });
  return fresh.length === 0 ? entries : [...entries, ...fresh].slice(-MAX_ENTRIES);
}

interface Page {
  readonly items: readonly Exchange[];
  readonly hasNextPage: boolean;
}

/**
 * Whether older pages of the log are read until the frames of this command are there. The charger may have sent more than a page between
 * the command and its end, most of all where it did not answer. They end where older frames would fall out of view.
 */
export function seeksOlder(command: string | undefined, pages: readonly Page[]): boolean {
  if (command === undefined || pages.at(-1)?.hasNextPage !== true) return false;
  const read = pages.flatMap(({ items }) => items);
  return read.length < MAX_ENTRIES && !read.some(({ commandId }) => commandId === command);
}

/** As the filters of `GET …/ocpp-logs`, which has none of failures: a part of either frame, without case. */
export function matchesFilter({ text, heartbeats, failed }: Filter, exchange: Exchange): boolean {
  if (!heartbeats && exchange.messageType === 'Heartbeat') return false;
  if (failed && !isFailed(exchange)) return false;
  if (text === '') return true;
  const frame = `${exchange.messageId} ${exchange.messageType} ${JSON.stringify([exchange.request, exchange.response])}`;
  return frame.toLowerCase().includes(text.toLowerCase());
}

/** Whether the response is an error of OCPP. */
export function isError({ response }: Exchange): boolean {
  return typeof response === 'object' && response !== null && 'errorCode' in response && 'errorDescription' in response;
}

/** What the response says in a word: the code of an error, or the status by which a charger answers a command. */
export function statusOf(exchange: Exchange): string | undefined {
  if (isError(exchange)) return textOf(exchange.response, 'errorCode');
  if (exchange.source !== 'service') return undefined;
  const statuses = statusesOf(exchange.response);
  return statuses.find((status) => !agrees(status, exchange.messageType)) ?? statuses[0];
}

/** An error of OCPP, or a command that the charger refused or did not answer. */
export function isFailed(exchange: Exchange): boolean {
  if (isError(exchange)) return true;
  if (exchange.source !== 'service') return false;
  const status = statusOf(exchange);
  return exchange.responseTimestamp === null || (status !== undefined && !agrees(status, exchange.messageType));
}

/** Lists of OCPP 2.x with a status for each variable or monitor, and the field that has it. */
const RESULTS = [
  ['setVariableResult', 'attributeStatus'],
  ['setMonitoringResult', 'status'],
  ['clearMonitoringResult', 'status'],
] as const;

function statusesOf(response: unknown): readonly string[] {
  const lists = Object(response) as Readonly<Record<string, unknown>>;
  const statuses = RESULTS.flatMap(([list, field]) => {
    const each = lists[list];
    return Array.isArray(each) ? each.map((result) => textOf(result, field)) : [];
  });
  return [textOf(response, 'status'), ...statuses].filter((status) => status !== undefined);
}

function textOf(value: unknown, key: string): string | undefined {
  const found = (Object(value) as Readonly<Record<string, unknown>>)[key];
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** How long the response took; undefined without one. */
export function tookMs({ requestTimestamp, responseTimestamp }: Exchange): number | undefined {
  return responseTimestamp === null ? undefined : Date.parse(responseTimestamp) - Date.parse(requestTimestamp);
}

/** A JSON line for each exchange. */
export function jsonLines(entries: readonly Entry[]): string {
  return entries
    .flatMap((entry) => (entry.kind === 'exchange' ? [`${JSON.stringify(entry.exchange)}\n`] : []))
    .join('');
}
