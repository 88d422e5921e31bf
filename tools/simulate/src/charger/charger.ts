// A simulated charger: its state, sessions and connection, joined. What it does for the service's CALLs is in actions/.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, createId, type Clock } from '@busbar/core';
import { replyTo } from '../actions/reply';
import type { Connect, Payload, Reply } from '../connection';
import type { Version } from '../options';
import { replyTo2 } from '../v2/reply';
import { createTranslation } from '../v2/translation';
import { createChargerState, socketOf, type ChargerState, type Socket, type Status } from './charger-state';
import { numberOf } from './configuration';
import type { ChargerControl, ChargerEvents } from './control';
import { createLifecycle, type Lifecycle } from './lifecycle';
import { statusOf } from './metering';
import { createOutbox, type Outbox } from './outbox';
import { createSessions, type Sessions } from './sessions';

export interface ChargerOptions {
  readonly chargerId: string;
  readonly version: Version;
  readonly sockets: number;
  readonly clock: Clock;
  readonly connect: Connect;
  readonly password?: string | Buffer | undefined;
  readonly events: ChargerEvents;
}

export interface Charger extends Pick<
  Lifecycle,
  'isConnected' | 'isOnline' | 'connect' | 'boot' | 'start' | 'disconnect' | 'restart'
> {
  readonly chargerId: string;
  readonly state: ChargerState;
  readonly sessions: Sessions;
  /** Returns whether a CALL of the service with this action has come since the last one that was taken. */
  takeReceived(action: string): boolean;
  /** Reports a status in place of the socket's own, until its session begins or ends. `Available` ends it too. */
  setStatus(socketId: number, status: Status, errorCode: string): void;
  /** Sends a reading of one socket now. */
  sendReading(socketId: number): void;
  /** Resolves when every transaction message is answered, or after some seconds. */
  drained(): Promise<void>;
}

const MAX_RECEIVED = 200;
const REBOOT_MS = 1_000;
const DRAIN_WITHIN_MS = 5_000;

export function createCharger(options: ChargerOptions): Charger {
  const { chargerId, clock, events } = options;
  const state = createChargerState(options.sockets, clock.now());
  const received: string[] = [];
  const bootListeners: (() => void)[] = [];
  const translation =
    options.version === 'ocpp1.6'
      ? undefined
      : createTranslation({
          version: options.version,
          newId: () => createId(),
          onChargingState: (socketId) => sessions.report(knownSocket(state, socketId)),
          onFailure: events.onFailure,
          now: () => clock.now(),
        });
  const reportStatuses = statusReporter(state, clock, () => lifecycle);

  const outbox = createOutbox({
    send: (action, payload) => lifecycle.call(action, payload as never),
    maxAttempts: () => numberOf(state.configuration, 'TransactionMessageAttempts'),
    pause: (attempt) => sleep(attempt * numberOf(state.configuration, 'TransactionMessageRetryInterval') * 1000),
  });
  const sessions = createSessions({
    ...events,
    state,
    clock,
    outbox,
    reportStatuses: () => reportStatuses(),
    isOnline: () => lifecycle.isOnline(),
    ask: (idTag) => lifecycle.call('Authorize', { idTag }),
  });
  const lifecycle: Lifecycle = createLifecycle({
    ...options,
    connect: translation === undefined ? options.connect : translation.speak(options.connect),
    state,
    password: options.password,
    every: (ms, run) => clock.every(ms, run),
    onSample: () => sessions.sample(),
    onCall(action, payload) {
      received.push(action);
      if (received.length > MAX_RECEIVED) received.shift();
      return reply(action, payload);
    },
    onBooted() {
      // A boot ends the event streams for the service too.
      state.eventStreams = [];
      reportStatuses(everything(state));
      for (const run of bootListeners.splice(0)) run();
      void outbox.flush();
    },
  });
  const control: ChargerControl = {
    chargerId,
    state,
    sessions,
    clock,
    notify: lifecycle.notify,
    reportStatuses,
    sendReading(socketId) {
      const socket = knownSocket(state, socketId);
      // OCPP 2.x: MeterValues are of no transaction, whose readings are in its events.
      const transactionId = translation === undefined ? socket.session?.transactionId : undefined;
      const ofSession = transactionId === undefined ? {} : { transactionId };
      const meterValue = [sessions.read(socket, 'Trigger')];
      void lifecycle.notify('MeterValues', { connectorId: socketId, ...ofSession, meterValue });
    },
    async reset(reason) {
      sessions.stopAll(reason);
      await drained(outbox, lifecycle);
      await lifecycle.restart({ waitMs: REBOOT_MS });
    },
    async changePassword(password) {
      lifecycle.setPassword(password);
      await lifecycle.restart({ waitMs: 0 });
    },
    onceBooted: (run) => void bootListeners.push(run),
    boot: lifecycle.boot,
    armTimers: lifecycle.armTimers,
  };

  const reply = (action: string, payload: Payload): Reply =>
    translation === undefined
      ? replyTo(control, action, payload)
      : replyTo2({ ...control, translation, hasQueued: () => outbox.size > 0 }, action, payload);

  return {
    ...lifecycle,
    chargerId,
    state,
    sessions,
    takeReceived(action) {
      const at = received.indexOf(action);
      received.splice(0, at + 1);
      return at >= 0;
    },
    setStatus(socketId, status, errorCode) {
      const socket = knownSocket(state, socketId);
      socket.override = status === 'Available' ? undefined : { status, errorCode };
      reportStatuses();
    },
    sendReading: control.sendReading,
    drained: () => drained(outbox, lifecycle),
  };
}

/** Reports statuses that differ from what was reported last. */
function statusReporter(
  state: ChargerState,
  clock: Clock,
  lifecycle: () => Lifecycle,
): ChargerControl['reportStatuses'] {
  const reported = new Map<number, string>();
  return (again = []) => {
    if (!lifecycle().isOnline()) return;
    for (const connectorId of everything(state)) {
      const socket = socketOf(state, connectorId);
      const status = statusOf(state, socket, clock.now());
      const errorCode = socket?.override?.errorCode ?? 'NoError';
      const report = `${status} ${errorCode}`;
      if (reported.get(connectorId) === report && !again.includes(connectorId)) continue;
      reported.set(connectorId, report);
      void lifecycle().notify('StatusNotification', {
        connectorId,
        status,
        errorCode,
        timestamp: clock.now().toISOString(),
      });
    }
  };
}

function knownSocket(state: ChargerState, socketId: number): Socket {
  const socket = socketOf(state, socketId);
  if (socket === undefined) throw new AppError('not_found', `there is no socket ${String(socketId)}`);
  return socket;
}

/** The charger itself, and its sockets. */
function everything(state: ChargerState): number[] {
  return [0, ...state.sockets.map(({ id }) => id)];
}

async function drained(outbox: Outbox, lifecycle: Lifecycle): Promise<void> {
  if (!lifecycle.isOnline()) return;
  const done = new AbortController();
  const late = sleep(DRAIN_WITHIN_MS, undefined, { signal: done.signal }).catch(() => undefined);
  await Promise.race([outbox.flush(), late]);
  done.abort();
}
