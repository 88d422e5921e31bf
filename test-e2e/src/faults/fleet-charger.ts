// A charger under load that keeps account of what it was answered: one call in flight, comes back to any gateway.
import { setTimeout as last } from 'node:timers/promises';
import { connectCharger, UpgradeRejected, type ScriptedCharger } from '@busbar/testing';
import { chargerLife, heartbeat, type Load, type Message } from './charger-life';
import { chargerLife2 } from './charger-life-2';
import { createLedger, type Ledger } from './ledger';
import type { Random } from './random';

export interface FleetCharger {
  readonly chargerId: string;
  readonly ledger: Ledger;
  isOpen(): boolean;
  /** Changes whenever a socket opens or ends. */
  changes(): number;
  /** `busy`: sessions one after the other. `calm`: what it insists on, then only heartbeats. `silent`: then nothing. */
  become(mode: Mode): void;
  /** Nothing that it insists on is without an answer, and no call is in flight. */
  isAnswered(): boolean;
  /** Disconnected: does not come back when its socket ends. */
  stayDisconnected(isAbsent: boolean): void;
  /** Drops its socket without a word. */
  drop(): void;
  stop(): Promise<void>;
}

export type Mode = 'busy' | 'calm' | 'silent';

export interface FleetChargerOptions {
  readonly chargerId: string;
  readonly random: Random;
  /** Websocket addresses, each ending in a slash, of the gateways there are now. */
  readonly addresses: () => readonly string[];
  /**
   * Returns the gateway that the newest connection from this port leads to, where chargers reach several at one
   * address. Asked when it ends.
   */
  readonly gatewayOf?: ((localPort: number) => string | undefined) | undefined;
  /** Between two messages, on the average. */
  readonly paceMs: number;
  readonly load: Load;
  /** The subprotocol that it speaks. Default ocpp1.6. */
  readonly version?: string | undefined;
}

/** Longer than the service may hold a call. */
const CALL_MS = 13_000;
const HANDSHAKE_MS = 8_000;
const CALM_PACE_MS = 1_000;
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 1_500;

/** The endless messages of a charger of the version of its ledger. */
export function lifeOf(ledger: Ledger, random: Random, load: Load): Generator<Message, never> {
  return (ledger.version === 'ocpp1.6' ? chargerLife : chargerLife2)(ledger, random, load);
}

export function startFleetCharger(options: FleetChargerOptions): FleetCharger {
  const { chargerId, random, paceMs } = options;
  const { version = 'ocpp1.6' } = options;
  const ledger = createLedger(chargerId, version);
  const life = lifeOf(ledger, random, options.load);
  let socket: ScriptedCharger | undefined;
  let owed: Message | undefined;
  let inFlight = false;
  let mode: Mode = 'busy';
  let isAbsent = false;
  let stopped = false;
  let changes = 0;
  let sent = 0;
  let waitMs = FIRST_WAIT_MS;
  const isOpen = (): boolean => socket !== undefined && socket.closed() === undefined;

  async function open(): Promise<void> {
    const addresses = options.addresses();
    try {
      if (addresses.length === 0) throw new Error('no gateway runs');
      const url = `${random.pick(addresses)}${encodeURIComponent(chargerId)}`;
      const opened = await connectCharger({
        url,
        subprotocols: [version],
        callTimeoutMs: CALL_MS,
        handshakeTimeoutMs: HANDSHAKE_MS,
        logLength: 4,
      });
      const localPort = opened.localPort ?? 0;
      void opened.ended.then(({ code }) => {
        changes += 1;
        ledger.closes.push({ code, at: Date.now(), gateway: options.gatewayOf?.(localPort) });
      });
      changes += 1;
      socket = opened;
      waitMs = FIRST_WAIT_MS;
    } catch (error) {
      ledger.failedOpens.push(error instanceof Error ? error.message : String(error));
      if (error instanceof UpgradeRejected && error.status !== 503) {
        ledger.problems.push(`refused with ${String(error.status)}`);
      }
      await last(waitMs * (0.5 + random.next()));
      waitMs = Math.min(MAX_WAIT_MS, waitMs * 2);
    }
  }

  async function sendMessage(on: ScriptedCharger, message: Message): Promise<void> {
    sent += 1;
    const messageId = `${chargerId}:${String(sent)}`;
    const entry = { action: message.action, answered: false };
    ledger.messages.set(messageId, entry);
    if (message.insisted) owed = message;
    inFlight = true;
    try {
      const outcome = await on.call(message.action, message.payload, messageId);
      if (outcome.kind === 'result') {
        entry.answered = true;
        ledger.answered += 1;
        owed = undefined;
        message.onAnswer(outcome.payload);
        return;
      }
      ledger.errors.push(`${message.action}: ${outcome.code} ${outcome.description}`);
      if (outcome.code !== 'InternalError') ledger.problems.push(`${message.action} answered with ${outcome.code}`);
      await last(CALM_PACE_MS);
    } catch {
      // No answer: the connection ended, or is as good as ended.
      ledger.unanswered += 1;
      on.terminate();
      await on.ended;
    } finally {
      inFlight = false;
    }
  }

  function nextMessage(): Message | undefined {
    if (owed !== undefined) return owed;
    if (mode === 'silent') return undefined;
    return mode === 'busy' ? life.next().value : heartbeat();
  }

  async function run(): Promise<void> {
    while (!stopped) {
      if (socket === undefined || !isOpen()) {
        if (isAbsent) await last(paceMs);
        else await open();
        continue;
      }
      const message = nextMessage();
      if (message !== undefined) await sendMessage(socket, message);
      await last((mode === 'calm' && owed === undefined ? CALM_PACE_MS : paceMs) * (0.5 + random.next()));
    }
  }
  const running = run();

  return {
    chargerId,
    ledger,
    isOpen,
    changes: () => changes,
    become: (next) => void (mode = next),
    isAnswered: () => owed === undefined && !inFlight && isOpen(),
    stayDisconnected: (next) => void (isAbsent = next),
    drop: () => socket?.terminate(),
    async stop() {
      stopped = true;
      const close = async (): Promise<void> => {
        if (isOpen()) await socket?.close(1000).catch(() => socket?.terminate());
      };
      await close();
      await running;
      // It may have been connecting.
      await close();
    },
  };
}
