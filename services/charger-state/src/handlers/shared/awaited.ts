// Remote starts and stops that a charger accepted, until it reports the start or stop that follows.
import type { AwaitedStart, AwaitedStop, Charger } from '@busbar/domain/chargers';
import type { Session } from '@busbar/domain/sessions';
import type { TagVerdict } from '@busbar/domain/tags';
import { isSameEvse } from '@busbar/ocpp';
import { withReported } from '../../pipeline/contract';

/** Time from the command to the plugged-in car, where the charger's ConnectionTimeOut is unknown. */
const START_WITHIN_MS = 10 * 60_000;
/** The charger's timer starts a little after its CALLRESULT. */
const TIMEOUT_SLACK_MS = 30_000;
/** The time that a charger's clock may be behind the gateway's. */
const CLOCK_SLACK_MS = 5 * 60_000;
/** After this time a command has no effect any more, also for a charger that was offline. */
const MAX_AWAITED_MS = 24 * 3_600_000;
const MAX_AWAITED = 16;

export function awaitStart(charger: Charger, start: AwaitedStart): Charger {
  return withReported(charger, { awaitedStarts: withOne(charger.reported.awaitedStarts, start) });
}

export function awaitStop(charger: Charger, stop: AwaitedStop): Charger {
  return withReported(charger, { awaitedStops: withOne(charger.reported.awaitedStops, stop) });
}

/** The command that caused this start of OCPP 1.6, which names none: the newest that matches its tag, its socket and its time. */
export function commandOfStart(charger: Charger, start: Session, receivedAt: string): string | undefined {
  const withinMs = Math.max(START_WITHIN_MS, connectionTimeoutMs(charger));
  const fitting = charger.reported.awaitedStarts?.filter((each) => fits(each, start, receivedAt, withinMs)) ?? [];
  // A command that names the socket matches better.
  return (fitting.findLast(({ socketId }) => socketId !== null) ?? fitting.at(-1))?.commandId;
}

/** The command that a transaction of OCPP 2.x names as its cause, or whose response named the transaction (F01, F02). */
export function commandOfTransaction(
  { reported: { awaitedStarts } }: Charger,
  remoteStartId: number | undefined,
  deviceTransactionId: string,
): string | undefined {
  return awaitedStarts?.findLast(
    (each) =>
      (remoteStartId !== undefined && each.remoteStartId === remoteStartId) ||
      each.deviceTransactionId === deviceTransactionId,
  )?.commandId;
}

/** A use of a tag: at Authorize, or by a start at a socket. */
export interface OrderedUse {
  readonly idTagKey: string;
  /** Absent at Authorize, which names no socket, no time and no remote start. */
  readonly start?: Pick<Session, 'idTagKey' | 'startTime' | 'socketId' | 'commandId'>;
  /** The remote start that a transaction of OCPP 2.x names. */
  readonly remoteStartId?: number | undefined;
  readonly receivedAt: string;
  /** A remote start to which the charger has not responded yet. */
  readonly pending: Pick<AwaitedStart, 'idTagKey' | 'socketId' | 'remoteStartId'> | undefined;
}

/**
 * Returns whether the owner ordered this use of the tag by a remote start: one that the start names or that named the start, whenever it
 * was, else one that it fits within the charger's connection timeout.
 */
export function isOrdered(
  charger: Charger,
  { idTagKey, start, remoteStartId, receivedAt, pending }: OrderedUse,
): boolean {
  const ordered = charger.reported.awaitedStarts ?? [];
  const all = pending === undefined ? ordered : [...ordered, { ...pending, at: receivedAt }];
  // Of most starts there is none.
  if (all.length === 0) return false;
  const use = start ?? { idTagKey, startTime: receivedAt };
  const withinMs = connectionTimeoutMs(charger);
  const isCause = (each: Partial<AwaitedStart>): boolean =>
    each.idTagKey === idTagKey &&
    ((remoteStartId !== undefined && each.remoteStartId === remoteStartId) ||
      (start?.commandId !== undefined && each.commandId === start.commandId));
  return all.some((awaited) => isCause(awaited) || fits(awaited, use, receivedAt, withinMs));
}

/** Returns whether an order counts more than this verdict. Tags that are blocked or expired stay refused. */
export function isOverridden(verdict: TagVerdict): boolean {
  return verdict !== 'blocked' && verdict !== 'expired';
}

/** The command that caused this stop; none where the charger gives another reason. */
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

/** Uses the charger's time of the start, so that a start that is reported late is correlated too. */
function fits(
  awaited: Omit<AwaitedStart, 'commandId'>,
  start: Pick<Session, 'idTagKey' | 'startTime'> & Partial<Pick<Session, 'socketId'>>,
  receivedAt: string,
  withinMs: number,
): boolean {
  if (awaited.idTagKey !== start.idTagKey) return false;
  if (start.socketId !== undefined && !isSamePlace(awaited, start.socketId)) return false;
  const accepted = Date.parse(awaited.at);
  const began = Date.parse(start.startTime);
  return began >= accepted - CLOCK_SLACK_MS && Math.min(began, Date.parse(receivedAt)) <= accepted + withinMs;
}

/** A remote start of OCPP 2.x names an EVSE, and its transaction may not have named its own yet (socket 0). */
function isSamePlace({ socketId, remoteStartId }: Omit<AwaitedStart, 'commandId'>, startedAt: number): boolean {
  if (socketId === null || socketId === startedAt) return true;
  if (remoteStartId === undefined) return false;
  return startedAt === 0 || isSameEvse(socketId, startedAt);
}

/** In OCPP 1.6 and 2.x. */
const CONNECTION_TIMEOUTS: ReadonlySet<string> = new Set(['connectiontimeout', 'txctrlr.evconnectiontimeout']);

/** The time that the charger waits for the car, if its configuration is known. */
function connectionTimeoutMs({ reported }: Charger): number {
  const item = reported.configuration.find(({ configName }) => CONNECTION_TIMEOUTS.has(configName.toLowerCase()));
  const seconds = Number(item?.configValue);
  return seconds > 0 ? Math.min(seconds * 1_000 + TIMEOUT_SLACK_MS, MAX_AWAITED_MS) : START_WITHIN_MS;
}

function withOne<T extends { readonly commandId: string; readonly at: string }>(
  awaited: readonly T[] | undefined,
  one: T,
): readonly T[] {
  const now = Date.parse(one.at);
  const left = awaited?.filter(
    ({ at, commandId }) => commandId !== one.commandId && Date.parse(at) + MAX_AWAITED_MS > now,
  );
  return [...(left ?? []), one].slice(-MAX_AWAITED);
}
