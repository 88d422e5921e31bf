// Sessions at the sockets of one charger, and what it sends for them.
import type { Clock, Timer } from '@busbar/core';
import { authorize, localStanding, type AuthorizationDeps } from './authorization';
import {
  socketOf,
  type ChargerState,
  type Reservation,
  type Session,
  type Socket,
  type StopReason,
} from './charger-state';
import { withProfile, type Profile } from './charging-profiles';
import { isOn } from './configuration';
import { cacheTag, type TagInfo } from './local-list';
import { meterUntil, readingOf, type Reading } from './metering';
import type { Outbox } from './outbox';
import { reservationFor, startIssue } from './reservations';

export interface SessionsDeps extends Pick<AuthorizationDeps, 'ask' | 'isOnline'> {
  readonly state: ChargerState;
  readonly clock: Clock;
  readonly outbox: Outbox;
  /** Sends what has changed. */
  readonly reportStatuses: () => void;
  readonly onStarted: () => void;
  readonly onEnergy: (wattHours: number) => void;
}

export interface StartRequest {
  readonly socketId: number;
  readonly idTag: string;
  /** A remote start asks the service about the tag only with AuthorizeRemoteTxRequests. */
  readonly isRemote?: boolean;
  readonly profile?: Profile | undefined;
}

/** `issue`: why there is no session. */
export type StartOutcome =
  { readonly transactionId: number } | { readonly issue: string; readonly refusedTag?: TagInfo['status'] };

export type Sessions = ReturnType<typeof createSessions>;

type StartAnswer = { readonly transactionId: number; readonly idTagInfo: TagInfo };

/** From the end of a session until the vehicle is unplugged. */
const UNPLUG_MS = 3_000;

interface Context extends SessionsDeps {
  readonly now: () => Date;
  readonly unplugging: Map<Socket, Timer>;
}

export function createSessions(deps: SessionsDeps) {
  const { state, clock } = deps;
  const context: Context = { ...deps, now: () => clock.now(), unplugging: new Map() };
  return {
    authorize: (idTag: string) => authorize(context, idTag),
    /** From plugging in until the service has answered. */
    start: (request: StartRequest) => start(context, request),
    /** Returns why a session with this tag cannot start now. */
    issueOf: (socketId: number, idTag: string) => startIssue(state, socketId, knownTag(context, idTag), clock.now()),
    /** False without a session. */
    stop: (socket: Socket, reason: StopReason, idTag?: string) => stop(context, socket, reason, idTag),
    stopAll(reason: StopReason): void {
      for (const socket of state.sockets) {
        if (!stop(context, socket, reason) && socket.phase === 'preparing') move(context, socket, 'free');
      }
    },
    /** Sends a reading of every session. */
    sample: () => sample(context),
    /** Sends a reading of the session at this socket. */
    report(socket: Socket): void {
      sendReading(context, socket);
      flush(context);
    },
    /** A reading of one socket, with its energy up to now. */
    read: (socket: Socket, cause: 'Sample.Periodic' | 'Trigger') => read(context, socket, cause),
  };
}

async function start(context: Context, request: StartRequest): Promise<StartOutcome> {
  const { state, now } = context;
  const { socketId, idTag, isRemote = false } = request;
  const socket = socketOf(state, socketId);
  const issue = startIssue(state, socketId, knownTag(context, idTag), now());
  if (socket === undefined || issue !== undefined) return { issue: issue ?? 'there is no such socket' };
  move(context, socket, 'preparing');
  const isTrusted = isRemote && !isOn(state.configuration, 'AuthorizeRemoteTxRequests');
  const { status } = isTrusted ? ({ status: 'Accepted' } as const) : await authorize(context, idTag);
  // A reset may have come in between.
  if (socket.phase !== 'preparing') return { issue: 'the start was interrupted' };
  if (status === 'Accepted') return open(context, socket, request);
  move(context, socket, 'free');
  return { issue: `the tag ${idTag} is ${status}`, refusedTag: status };
}

function open(context: Context, socket: Socket, { idTag, profile }: StartRequest): Promise<StartOutcome> {
  const { state, now, outbox } = context;
  meter(context, socket);
  const reservation = reservationFor(state, socket.id, knownTag(context, idTag), now());
  if (reservation !== undefined) state.reservations = state.reservations.filter((each) => each !== reservation);
  const session: Session = { idTag, startedAt: now(), meterStartWh: socket.meterWh, transactionId: undefined };
  socket.session = session;
  if (profile !== undefined) {
    state.profiles = withProfile(state.profiles, { socket: socket.id, profile, installedAt: now() });
  }
  context.onStarted();
  const answered = new Promise<StartOutcome>((resolve) => {
    const payload = () => startOf(socket, session, reservation);
    const done = (answer: unknown): void =>
      resolve(applyStart(context, socket, session, answer as StartAnswer | undefined));
    outbox.push({ action: 'StartTransaction', payload, done });
  });
  if (context.isOnline()) {
    void outbox.flush();
    return answered;
  }
  move(context, socket, 'charging');
  return Promise.resolve({ issue: 'the charger is offline: it sends the start when it is connected again' });
}

/** The answer to StartTransaction. Undefined: the message was dropped, and there is no transaction. */
function applyStart(context: Context, socket: Socket, session: Session, answer: StartAnswer | undefined): StartOutcome {
  const { configuration, cache } = context.state;
  session.transactionId = answer?.transactionId;
  const isCurrent = socket.session === session;
  if (answer === undefined) {
    if (isCurrent) end(context, socket);
    return { issue: 'the service did not answer StartTransaction' };
  }
  const { transactionId, idTagInfo } = answer;
  if (isOn(configuration, 'AuthorizationCacheEnabled')) cacheTag(cache, session.idTag, idTagInfo);
  if (isCurrent && idTagInfo.status !== 'Accepted' && isOn(configuration, 'StopTransactionOnInvalidId')) {
    stop(context, socket, 'DeAuthorized');
    return { issue: `the tag ${session.idTag} is ${idTagInfo.status}`, refusedTag: idTagInfo.status };
  }
  if (isCurrent) move(context, socket, 'charging');
  return { transactionId };
}

function stop(context: Context, socket: Socket, reason: StopReason, idTag?: string): boolean {
  const { session } = socket;
  if (session === undefined) return false;
  meter(context, socket);
  const payload = { meterStop: Math.round(socket.meterWh), timestamp: context.now().toISOString(), reason };
  const tag = idTag === undefined ? {} : { idTag };
  end(context, socket);
  context.outbox.push({
    action: 'StopTransaction',
    payload: () => ofTransaction(session, (transactionId) => ({ transactionId, ...payload, ...tag })),
  });
  flush(context);
  return true;
}

/** Ends the session without a message. */
function end(context: Context, socket: Socket): void {
  const { state } = context;
  meter(context, socket);
  socket.session = undefined;
  state.profiles = state.profiles.filter(
    ({ socket: id, profile }) => id !== socket.id || profile.chargingProfilePurpose !== 'TxProfile',
  );
  socket.isOperative = socket.scheduledOperative ?? socket.isOperative;
  socket.scheduledOperative = undefined;
  move(context, socket, 'finishing');
}

function move(context: Context, socket: Socket, phase: Socket['phase']): void {
  const { unplugging, clock } = context;
  unplugging.get(socket)?.cancel();
  unplugging.delete(socket);
  meter(context, socket);
  socket.phase = phase;
  socket.override = undefined;
  if (phase === 'finishing')
    unplugging.set(
      socket,
      clock.after(UNPLUG_MS, () => move(context, socket, 'free')),
    );
  context.reportStatuses();
}

function sample(context: Context): void {
  for (const socket of context.state.sockets) if (socket.phase === 'charging') sendReading(context, socket);
  flush(context);
  // A limit of a profile may have begun or ended.
  context.reportStatuses();
}

/** Nothing without a session. */
function sendReading(context: Context, socket: Socket): void {
  const { session } = socket;
  if (session === undefined) return;
  const meterValue = [read(context, socket, 'Sample.Periodic')];
  const payload = () =>
    ofTransaction(session, (transactionId) => ({ connectorId: socket.id, transactionId, meterValue }));
  context.outbox.push({ action: 'MeterValues', payload });
}

function read(context: Context, socket: Socket, cause: 'Sample.Periodic' | 'Trigger'): Reading {
  meter(context, socket);
  return readingOf(context.state, socket, context.now(), cause);
}

function meter({ state, now, onEnergy }: Context, socket: Socket): void {
  onEnergy(meterUntil(state, socket, now()));
}

function flush({ isOnline, outbox }: Context): void {
  if (isOnline()) void outbox.flush();
}

function knownTag({ state, now }: Context, idTag: string) {
  return { idTag, parentIdTag: localStanding(state, idTag, now())?.parentIdTag };
}

function startOf(socket: Socket, { idTag, startedAt, meterStartWh }: Session, reservation: Reservation | undefined) {
  const reserved = reservation === undefined ? {} : { reservationId: reservation.reservationId };
  const meterStart = Math.round(meterStartWh);
  return { connectorId: socket.id, idTag, meterStart, timestamp: startedAt.toISOString(), ...reserved };
}

/** Undefined where the transaction never began. */
function ofTransaction<T>({ transactionId }: Session, make: (transactionId: number) => T): T | undefined {
  return transactionId === undefined ? undefined : make(transactionId);
}
