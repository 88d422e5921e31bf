// Chargers, their counts and their end.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, createConcurrencyLimiter, systemClock } from '@busbar/core';
import { behave } from './behaviours';
import { createCharger, type Charger } from './charger/charger';
import { openConnection, type Connection } from './connection';
import { createCounts, statusLine, type Counts } from './counts';
import type { Display } from './display';
import type { Behaviour, Version } from './options';
import type { Script } from './script/format';
import { runScript } from './script/run-script';
import type { ServiceTls } from './service-tls';
import type { Trace } from './trace';

export interface SimulationOptions {
  /** With `/` at its end. */
  readonly url: string;
  readonly tls: ServiceTls;
  readonly chargerIds: readonly string[];
  readonly sockets: number;
  /** The chargers take turns. */
  readonly versions: readonly Version[];
  readonly password: string | undefined;
  readonly scenario: { readonly behaviour: Behaviour } | { readonly script: Script };
  readonly keepSessions: boolean;
  readonly stop: AbortSignal;
  readonly trace: Trace;
  readonly display: Display;
}

export interface SimulationEnd {
  readonly counts: Counts;
  /** False where a script failed. */
  readonly isSuccess: boolean;
}

const SHOW_EVERY_MS = 1_000;
/** Handshakes at the same time: more of them only make each slower, until they time out. A storm has no such limit. */
const MAX_HANDSHAKES = 50;
/** Kinds of failure that are printed. */
const MAX_REASONS = 20;
const STOP_WITHIN_MS = 8_000;

/** Runs until `stop`, or the end of the script. Resolves once all sockets are closed, at the latest after some seconds. */
export async function simulate(options: SimulationOptions): Promise<SimulationEnd> {
  const { scenario, stop, display } = options;
  const counts = createCounts(options.chargerIds.length);
  const counted: Counted = {
    counts,
    onFailure: failureCounter(counts, display),
    whenAdmitted: connectLimiter(options),
  };
  const { onFailure } = counted;
  const chargers = options.chargerIds.map((chargerId, i) =>
    createCounted({ chargerId, version: versionAt(options.versions, i) }, options, counted),
  );
  const timer = setInterval(statusShower(counts, chargers, display), SHOW_EVERY_MS);
  let isSuccess = true;
  if ('script' in scenario) {
    isSuccess = await runScript({ script: scenario.script, chargers, stop, print: (line) => display.print(line) });
  } else await behave(scenario.behaviour, { chargers, stop, onFailure });
  if (!stop.aborted && !('script' in scenario)) await aborted(stop);
  const late = new AbortController();
  await Promise.race([
    Promise.all(chargers.map((charger) => end(charger, options.keepSessions))),
    sleep(STOP_WITHIN_MS, undefined, { signal: late.signal }).catch(() => undefined),
  ]);
  late.abort();
  clearInterval(timer);
  display.end();
  return { counts, isSuccess };
}

interface Counted {
  readonly counts: Counts;
  readonly onFailure: (chargerId: string, reason: string) => void;
  readonly whenAdmitted: ConnectLimiter;
}

type ConnectLimiter = (open: () => Promise<Connection>) => Promise<Connection>;

/** Opens connections at a pace that the service and this machine can follow. */
function connectLimiter({ scenario, chargerIds, stop }: SimulationOptions): ConnectLimiter {
  if ('behaviour' in scenario && scenario.behaviour === 'storm') return (open) => open();
  // A charger has one attempt at a time.
  const limiter = createConcurrencyLimiter({ concurrency: MAX_HANDSHAKES, maxQueue: chargerIds.length });
  return async (open) => {
    const connection = await limiter.run(open, () => !stop.aborted);
    if (connection === 'busy') throw new AppError('charger_disconnected', 'the run ended before the connection');
    return connection;
  };
}

function versionAt(versions: readonly Version[], index: number): Version {
  return versions[index % versions.length] ?? 'ocpp1.6';
}

function createCounted(
  { chargerId, version }: { readonly chargerId: string; readonly version: Version },
  options: SimulationOptions,
  { counts, onFailure, whenAdmitted }: Counted,
): Charger {
  const { url, tls, sockets, password, trace } = options;
  return createCharger({
    chargerId,
    version,
    sockets,
    password,
    clock: systemClock,
    connect: (currentPassword, events) => {
      const address = url + encodeURIComponent(chargerId);
      const credentials = currentPassword === undefined ? {} : { password: currentPassword };
      return whenAdmitted(() => openConnection({ url: address, version, tls, ...credentials }, events));
    },
    events: {
      onConnected() {
        counts.connected += 1;
        counts.connections += 1;
      },
      onDisconnected: () => void (counts.connected -= 1),
      onFrame(from, text) {
        counts.messages += 1;
        trace(chargerId, from, text);
      },
      onFailure: (reason) => onFailure(chargerId, reason),
      onStarted: () => void (counts.sessions += 1),
      onEnergy: (wattHours) => void (counts.energyWh += wattHours),
    },
  });
}

/** Counts failures and prints the first one of each kind, since a terminal cuts the end of the status line. */
function failureCounter(counts: Counts, display: Display): Counted['onFailure'] {
  const printed = new Set<string>();
  return (chargerId, reason) => {
    counts.failures += 1;
    counts.lastFailure = `${chargerId}: ${reason}`;
    // Times and tags make no other kind.
    const kind = reason.replace(/\d+/g, '');
    if (printed.has(kind) || printed.size >= MAX_REASONS) return;
    printed.add(kind);
    display.print(`Failed: ${counts.lastFailure}`);
  };
}

function statusShower(counts: Counts, chargers: readonly Charger[], display: Display): () => void {
  let before = 0;
  return () => {
    counts.charging = chargers.reduce((sum, { state }) => sum + chargingOf(state.sockets), 0);
    display.status(statusLine(counts, ((counts.messages - before) * 1000) / SHOW_EVERY_MS));
    before = counts.messages;
  };
}

function chargingOf(sockets: Charger['state']['sockets']): number {
  return sockets.filter(({ phase }) => phase === 'charging').length;
}

/** Ends sessions, waits for their messages, and closes. */
async function end(charger: Charger, keepSessions: boolean): Promise<void> {
  if (charger.isOnline() && !keepSessions) {
    charger.sessions.stopAll('Local');
    await charger.drained();
  }
  await charger.disconnect();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
