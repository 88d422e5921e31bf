// The connection of a simulated charger over its life: attempts with backoff, boot, heartbeats, and reconnects.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, backoff, isAppError, type Backoff, type Timer } from '@busbar/core';
import type { CallResult, V16Action, V16Requests, V16Responses } from '@busbar/ocpp';
import type { Connect, Connection, ConnectionEvents } from '../connection';
import { explainClose, explainFailure, retryAfterMs } from '../connection-failure';
import type { ChargerState } from './charger-state';
import { numberOf } from './configuration';
import type { ChargerEvents, Notify } from './control';

export type BootStatus = V16Responses['BootNotification']['status'];

export interface LifecycleOptions {
  readonly chargerId: string;
  readonly state: ChargerState;
  readonly connect: Connect;
  readonly password: string | Buffer | undefined;
  readonly events: ChargerEvents;
  readonly onCall: ConnectionEvents['onCall'];
  /** Runs after every accepted BootNotification. */
  readonly onBooted: () => void;
  /** Runs every MeterValueSampleInterval. */
  readonly onSample: () => void;
  readonly every: (ms: number, run: () => void) => Timer;
}

export type Lifecycle = ReturnType<typeof createLifecycle>;

interface Life extends LifecycleOptions {
  readonly wait: Backoff;
  password: string | Buffer | undefined;
  connection: Connection | undefined;
  isBooted: boolean;
  /** It is meant to be connected. */
  isWanted: boolean;
  isConnecting: boolean;
  /** The connection ends because the charger wants it: connect again after so long. */
  plannedWaitMs: number | undefined;
  timers: Timer[];
  /** Aborts waits between attempts. */
  stop: AbortController;
}

const BACKOFF = { firstMs: 500, maxMs: 30_000 };
/** A connection of this length was no failed attempt. */
const STABLE_MS = 10_000;
const MAX_BOOT_WAIT_S = 3_600;
const DEFAULT_BOOT_WAIT_S = 30;
const DISCONNECTED: CallResult = { outcome: 'disconnected' };

export function createLifecycle(options: LifecycleOptions) {
  const life: Life = {
    ...options,
    wait: backoff(BACKOFF),
    connection: undefined,
    isBooted: false,
    isWanted: false,
    isConnecting: false,
    plannedWaitMs: undefined,
    timers: [],
    stop: new AbortController(),
  };
  const notify: Notify = (action, payload) => call(life, action, payload);
  return {
    call: notify,
    notify,
    isConnected: () => life.connection !== undefined,
    /** Connected, and accepted by the service. */
    isOnline: () => life.connection !== undefined && life.isBooted,
    /** One attempt. From then on the charger reconnects and boots by itself. Rejects as `Connect` does. */
    async connect(): Promise<void> {
      want(life);
      await connect(life).catch((error: unknown) => {
        life.isWanted = false;
        throw error;
      });
    },
    /** One BootNotification. */
    boot: async () => (await boot(life)).status,
    /** Connects, boots and stays connected, with backoff, until `disconnect`. */
    start(): void {
      want(life);
      void stayConnected(life, 0);
    },
    async disconnect(): Promise<void> {
      life.isWanted = false;
      life.stop.abort();
      await life.connection?.close();
    },
    /** Closes the connection, or cuts it, and connects again after a wait. */
    async restart({ waitMs, isCut = false }: { readonly waitMs: number; readonly isCut?: boolean }): Promise<void> {
      const { connection } = life;
      if (connection === undefined) return;
      life.plannedWaitMs = waitMs;
      if (isCut) connection.terminate();
      else await connection.close(1001);
    },
    setPassword: (password: string | Buffer) => void (life.password = password),
    armTimers: () => armTimers(life),
  };
}

function want(life: Life): void {
  life.isWanted = true;
  if (life.stop.signal.aborted) life.stop = new AbortController();
}

async function call<A extends V16Action>(life: Life, action: A, payload: V16Requests[A]): Promise<CallResult> {
  const result = await (life.connection?.call(action, payload) ?? Promise.resolve(DISCONNECTED));
  if (result.outcome === 'error') life.events.onFailure(`${action}: ${result.code} ${result.description}`.trim());
  if (result.outcome === 'invalid_answer') life.events.onFailure(`${action}: invalid answer, ${result.description}`);
  if (result.outcome === 'timeout' || result.outcome === 'busy') life.events.onFailure(`${action}: no answer in time`);
  return result;
}

async function connect(life: Life): Promise<void> {
  if (life.connection !== undefined) throw new AppError('conflict', 'The charger is connected already.');
  const { events, onCall } = life;
  const connection = await life.connect(life.password, {
    onCall,
    onFrame: events.onFrame,
    onFailure: events.onFailure,
  });
  life.connection = connection;
  const connectedAt = performance.now();
  events.onConnected();
  void connection.ended.then((closed) => {
    life.connection = undefined;
    life.isBooted = false;
    disarm(life);
    events.onDisconnected();
    if (!life.isWanted) return;
    const planned = life.plannedWaitMs;
    life.plannedWaitMs = undefined;
    // Not at the boot: a service that ends each connection soon would be asked every half second.
    if (planned !== undefined || performance.now() - connectedAt >= STABLE_MS) life.wait.reset();
    if (planned === undefined) events.onFailure(explainClose(closed.code, closed.reason));
    void stayConnected(life, planned ?? life.wait.next());
  });
}

/** Attempts until it is connected and booted, or no longer wanted. */
async function stayConnected(life: Life, firstWaitMs: number): Promise<void> {
  if (life.isConnecting) return;
  life.isConnecting = true;
  let waitMs = firstWaitMs;
  while (isPending(life)) {
    await pause(life, waitMs);
    if (!isPending(life)) break;
    try {
      await attempt(life);
    } catch (error) {
      // The end of a connection is a failure of its own.
      if (!isAppError(error, 'charger_disconnected')) life.events.onFailure(explainFailure(error));
      // The service may name the same time to all: they come back one after another.
      waitMs = Math.max(life.wait.next(), retryAfterMs(error) * (1 + Math.random() / 4));
    }
  }
  life.isConnecting = false;
}

function isPending({ isWanted, isBooted }: Life): boolean {
  return isWanted && !isBooted;
}

async function attempt(life: Life): Promise<void> {
  if (life.connection === undefined) await connect(life);
  // disconnect() may have come while the socket opened.
  if (!life.isWanted) return life.connection?.close();
  for (;;) {
    const { status, intervalS } = await boot(life);
    if (status === 'Accepted') return;
    life.events.onFailure(`BootNotification: ${status}, again after ${String(intervalS)} s`);
    await pause(life, intervalS * 1000);
    if (life.connection === undefined)
      throw new AppError('charger_disconnected', 'the connection ended before the boot');
  }
}

async function boot(life: Life): Promise<{ readonly status: BootStatus; readonly intervalS: number }> {
  const { chargerId, state } = life;
  const result = await call(life, 'BootNotification', {
    chargePointVendor: 'Busbar',
    chargePointModel: 'Simulated charger',
    chargePointSerialNumber: chargerId.slice(0, 25),
    firmwareVersion: state.firmware.version,
  });
  if (result.outcome === 'disconnected') throw new AppError('charger_disconnected', 'the connection ended at the boot');
  if (result.outcome !== 'answered') throw new AppError('unavailable', `BootNotification: ${result.outcome}`);
  const { status, interval } = result.payload as V16Responses['BootNotification'];
  if (status !== 'Accepted') {
    return { status, intervalS: Math.min(interval > 0 ? interval : DEFAULT_BOOT_WAIT_S, MAX_BOOT_WAIT_S) };
  }
  if (interval > 0) state.configuration.set('HeartbeatInterval', String(interval));
  life.isBooted = true;
  armTimers(life);
  life.onBooted();
  return { status, intervalS: interval };
}

function armTimers(life: Life): void {
  disarm(life);
  if (!life.isBooted) return;
  const { configuration } = life.state;
  const arm = (key: string, run: () => void): void => {
    const seconds = numberOf(configuration, key);
    if (seconds > 0) life.timers.push(life.every(seconds * 1000, run));
  };
  arm('HeartbeatInterval', () => void call(life, 'Heartbeat', {}));
  arm('MeterValueSampleInterval', life.onSample);
  arm('WebSocketPingInterval', () => life.connection?.ping());
}

function disarm(life: Life): void {
  for (const timer of life.timers.splice(0)) timer.cancel();
}

async function pause(life: Life, ms: number): Promise<void> {
  await sleep(ms, undefined, { signal: life.stop.signal }).catch(() => undefined);
}
