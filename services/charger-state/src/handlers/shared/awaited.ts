// Remote starts and stops that a charger accepted, until it tells of the start or stop that came of them.
import type { AwaitedStart, AwaitedStop, Charger } from '@busbar/domain/chargers';
import type { Session } from '@busbar/domain/sessions';
import { withReported } from '../../pipeline/contract';

/** What a driver may take from the command to the plugged-in car, where the charger's ConnectionTimeOut is not known. */
const START_WITHIN_MS = 10 * 60_000;
/** The charger begins to count a little after it has answered. */
const TIMEOUT_SLACK_MS = 30_000;
/** How far a charger's clock may be behind the gateway's for its start to still be after the command. */
const CLOCK_SLACK_MS = 5 * 60_000;
/** After this nothing comes of a command any more, not even from a charger that was away. */
const KEPT_MS = 24 * 3_600_000;
const MAX_AWAITED = 16;

export function awaitStart(charger: Charger, start: AwaitedStart): Charger {
  return withReported(charger, { awaitedStarts: withOne(charger.reported.awaitedStarts, start) });
}

export function awaitStop(charger: Charger, stop: AwaitedStop): Charger {
  return withReported(charger, { awaitedStops: withOne(charger.reported.awaitedStops, stop) });
}

/** The command that this start came of: the newest that fits its tag, its socket and its time. */
export function commandOfStart(charger: Charger, start: Session, receivedAt: string): string | undefined {
  const withinMs = Math.max(START_WITHIN_MS, connectionTimeoutMs(charger));
  const fitting = charger.reported.awaitedStarts?.filter((each) => fits(each, start, receivedAt, withinMs)) ?? [];
  // One that names the socket is more surely this one's.
  return (fitting.findLast(({ socketId }) => socketId !== null) ?? fitting.at(-1))?.commandId;
}

/** What is asked of a remote start: whether it covers this tag, and where one is named, this session. */
export interface OrderedUse {
  readonly idTagKey: string;
  /** Absent at Authorize, which names no socket and no time. */
  readonly start?: Session;
  readonly receivedAt: string;
  /** Ordered by a CALL that is not answered yet. */
  readonly pending: Pick<AwaitedStart, 'idTagKey' | 'socketId'> | undefined;
}

/** Whether the owner ordered this use of the tag by a remote start, within the charger's connection timeout. */
export function isOrdered(charger: Charger, { idTagKey, start, receivedAt, pending }: OrderedUse): boolean {
  const use = start ?? { idTagKey, startTime: receivedAt };
  const withinMs = connectionTimeoutMs(charger);
  const ordered = charger.reported.awaitedStarts ?? [];
  const all = pending === undefined ? ordered : [...ordered, { ...pending, at: receivedAt }];
  return all.some((awaited) => fits(awaited, use, receivedAt, withinMs));
}

/** The command that this stop came of; none where the charger gives another reason for it. */
export function commandOfStop(charger: Charger, transactionId: number, reason: string | undefined): string | undefined {
  if (reason !== undefined && reason !== 'Remote') return undefined;
  return charger.reported.awaitedStops?.findLast((awaited) => awaited.transactionId === transactionId)?.commandId;
}

export function withoutAwaitedStart(charger: Charger, commandId: string | undefined): Charger {
  const awaitedStarts = charger.reported.awaitedStarts?.filter((awaited) => awaited.commandId !== commandId) ?? [];
  if (awaitedStarts.length === (charger.reported.awaitedStarts?.length ?? 0)) return charger;
  return withReported(charger, { awaitedStarts });
}

export function withoutAwaitedStops(charger: Charger, transactionId: number): Charger {
  const awaitedStops =
    charger.reported.awaitedStops?.filter((awaited) => awaited.transactionId !== transactionId) ?? [];
  if (awaitedStops.length === (charger.reported.awaitedStops?.length ?? 0)) return charger;
  return withReported(charger, { awaitedStops });
}

/** By the charger's own time for the start, so that one which is told late, after an outage, is tied all the same. */
function fits(
  awaited: Omit<AwaitedStart, 'commandId'>,
  start: Pick<Session, 'idTagKey' | 'startTime'> & Partial<Pick<Session, 'socketId'>>,
  receivedAt: string,
  withinMs: number,
): boolean {
  if (awaited.idTagKey !== start.idTagKey) return false;
  if (awaited.socketId !== null && (start.socketId ?? awaited.socketId) !== awaited.socketId) return false;
  const accepted = Date.parse(awaited.at);
  const began = Date.parse(start.startTime);
  return began >= accepted - CLOCK_SLACK_MS && Math.min(began, Date.parse(receivedAt)) <= accepted + withinMs;
}

/** For how long the charger waits for the car, as far as its configuration is known. */
function connectionTimeoutMs({ reported }: Charger): number {
  const item = reported.configuration.find(({ configName }) => configName.toLowerCase() === 'connectiontimeout');
  const seconds = Number(item?.configValue);
  return seconds > 0 ? Math.min(seconds * 1_000 + TIMEOUT_SLACK_MS, KEPT_MS) : START_WITHIN_MS;
}

function withOne<T extends { readonly commandId: string; readonly at: string }>(
  awaited: readonly T[] | undefined,
  one: T,
): readonly T[] {
  const now = Date.parse(one.at);
  const left = awaited?.filter(({ at, commandId }) => commandId !== one.commandId && Date.parse(at) + KEPT_MS > now);
  return [...(left ?? []), one].slice(-MAX_AWAITED);
}
