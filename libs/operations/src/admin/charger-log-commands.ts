// Commands for what happened between a charger and the service: its log and its connections.
import { parseJson } from '@busbar/core';
import type { ConnectionRecord } from '@busbar/domain/chargers';
import { createLogFollower, formatLogCursor, LOG_PAGE, parseLogCursor, type LogRow } from '@busbar/domain/history';
import { findCharger } from './charger-commands';
import { misuse, type AdminCommand, type AdminContext, type Arguments } from './command';
import { joined, printable, table } from './table';

const MAX_LISTED = 1000;
const DEFAULT_LISTED = 50;
/** Columns before the payloads. The longest action of OCPP 1.6 has 29 characters. */
const WIDTHS = [24, 10, 29];
/** Characters of a payload without --full. */
const SHORT = 70;

/** The flag that the tool itself takes: it repeats the command with `--after`. */
export const FOLLOW = 'follow';

export const chargerLogCommands: readonly AdminCommand[] = [
  {
    name: ['charger', 'log'],
    positionals: ['CHARGER_ID'],
    options: { limit: 'NUMBER', after: 'CURSOR' },
    flags: [FOLLOW, 'full'],
    about:
      `show the newest messages of a charger, ${String(DEFAULT_LISTED)} by default, the oldest of them first. --follow shows new ones until ` +
      'Ctrl-C; --full shows whole payloads; --after continues behind a cursor of --json',
    async run(context, given) {
      const charger = await findCharger(context, given);
      const { rows, cursor } = await readLog(context, charger.incarnationId, given);
      const isFull = given.flags.has('full');
      const header = joined(['TIME', 'DIRECTION', 'ACTION', 'REQUEST / RESPONSE'], WIDTHS);
      const isContinued = given.options['after'] !== undefined;
      const none = rows.length === 0 && !isContinued ? ['none'] : [];
      const shown = rows.map((row) => lineOf(row, isFull));
      return { lines: [...(isContinued ? [] : [header]), ...none, ...shown], data: { rows, cursor } };
    },
  },
  {
    name: ['charger', 'connections'],
    positionals: ['CHARGER_ID'],
    options: { limit: 'NUMBER' },
    about: `show when the connections of a charger began and ended, and why: the newest first, ${String(DEFAULT_LISTED)} by default`,
    async run(context, given) {
      const { incarnationId } = await findCharger(context, given);
      const page = { page: 1, limit: limitOf(given), sortKey: 'connectedAt', sortDescending: true } as const;
      const { items, total } = await context.records.connectionHistory.list(incarnationId, {}, page);
      const summary = items.length === 0 ? NEVER : [`${String(items.length)} of ${String(total)}, the newest first`];
      return { lines: [...table(CONNECTION_COLUMNS, items), ...summary], data: items.map(dataOf) };
    },
  },
];

const NEVER = ['Rejected attempts to connect: "connections rejected --charger CHARGER_ID".'];

const CONNECTION_COLUMNS = [
  { header: 'CONNECTED', value: ({ connectedAt }: ConnectionRecord) => connectedAt },
  { header: 'DISCONNECTED', value: ({ disconnectedAt }: ConnectionRecord) => disconnectedAt ?? 'open' },
  { header: 'ADDRESS', value: ({ remoteAddress }: ConnectionRecord) => remoteAddress ?? 'unknown' },
  { header: 'VERSION', value: ({ ocppVersion }: ConnectionRecord) => ocppVersion },
  { header: 'PROFILE', value: ({ securityProfile }: ConnectionRecord) => String(securityProfile ?? '') },
  { header: 'CODE', value: ({ closeCode }: ConnectionRecord) => String(closeCode ?? '') },
  { header: 'REASON', value: ({ closeReason }: ConnectionRecord) => closeReason ?? '' },
];

function dataOf(record: ConnectionRecord) {
  const { connectionId, connectedAt, disconnectedAt, gatewayId, remoteAddress, ocppVersion, securityProfile } = record;
  const { closeCode, closeReason } = record;
  const opening = { connectionId, connectedAt, gatewayId, remoteAddress, ocppVersion, securityProfile };
  return { ...opening, disconnectedAt, closeCode, closeReason };
}

async function readLog({ records }: AdminContext, incarnationId: string, given: Arguments) {
  const follower = createLogFollower(records.history, incarnationId);
  const rows: LogRow[] = [];
  const { after } = given.options;
  if (after === undefined) {
    await follower.begin();
    rows.push(...(await records.history.log(incarnationId, limitOf(given))).reverse());
    rows.forEach(follower.take);
  } else {
    const cursor = parseLogCursor(after);
    if (cursor === undefined) throw misuse('--after is a cursor that --json showed.');
    await follower.resume(cursor);
    for (;;) {
      const more = await follower.read();
      rows.push(...more.filter(follower.take));
      if (more.length < LOG_PAGE || rows.length >= MAX_LISTED) break;
    }
  }
  return { rows, cursor: formatLogCursor(follower.cursor()) };
}

function limitOf({ options: { limit } }: Arguments): number {
  if (limit === undefined) return DEFAULT_LISTED;
  if (/^[1-9]\d{0,3}$/.test(limit) && Number(limit) <= MAX_LISTED) return Number(limit);
  throw misuse(`--limit is a whole number from 1 to ${String(MAX_LISTED)}.`);
}

/** The arrow points to the receiver of the CALL. */
function lineOf({ at, source, action, request, response }: LogRow, isFull: boolean): string {
  const direction = source === 'charger' ? 'charger →' : '→ charger';
  const show = (frame: string, place: number): string => shortened(payloadOf(frame, place), isFull);
  const answer = response === '' ? '(no response)' : show(response, 2);
  return joined(
    [at, direction, printable(action === '' ? '(not OCPP)' : action), `${show(request, 3)}  ⇒  ${answer}`],
    WIDTHS,
  );
}

/** The payload of a CALL or CALLRESULT; the rest of a CALLERROR behind its id; any other text as it is. */
function payloadOf(text: string, place: number): string {
  const frame = parseJson(text);
  if (!Array.isArray(frame)) return text;
  return frame[0] === 4 ? `error ${JSON.stringify(frame.slice(2))}` : JSON.stringify(frame[place] ?? {});
}

function shortened(text: string, isFull: boolean): string {
  const line = printable(text);
  return isFull || line.length <= SHORT ? line : `${line.slice(0, SHORT)}…`;
}
