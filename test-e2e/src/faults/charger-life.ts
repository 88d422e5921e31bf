// The messages of a charger of the fleet: endless sessions, each message with unique content.
import type { Ledger, SessionEntry } from './ledger';
import type { Random } from './random';

type Payload = Readonly<Record<string, unknown>>;

export interface Message {
  readonly action: string;
  readonly payload: Payload;
  /** Resent under a new message id until it is answered, as OCPP 1.6 requires for transaction messages. */
  readonly insisted: boolean;
  /** It was answered with a result. */
  readonly onAnswer: (payload: Payload) => void;
}

/**
 * `reports`: only what the gateway answers by itself, so that it continues while nobody decides anything. `steady`: statuses,
 * of a fifth of the chargers within a session that does not end.
 */
export type Load = 'sessions' | 'reports' | 'steady';

const SHARE_IN_SESSION = 0.2;

/** Gives the next message; a message that is insisted on is answered before the next is asked for. */
export function* chargerLife(ledger: Ledger, random: Random, load: Load): Generator<Message, never> {
  const now = createStampClock();
  while (load === 'reports') yield statusOf(ledger, now(), random.pick(['Available', 'Preparing', 'Charging']));
  yield plain('BootNotification', { chargePointVendor: 'Example', chargePointModel: 'Fleet' });
  if (load === 'steady') {
    const inSession = random.chance(SHARE_IN_SESSION);
    if (inSession) {
      const session: SessionEntry = { startTime: now(), meterStart: 1_000 };
      ledger.sessions.push(session);
      yield start(session, tagOf(ledger.chargerId));
    }
    for (;;) yield statusOf(ledger, now(), inSession ? 'Charging' : random.pick(['Available', 'Preparing']));
  }
  for (let meter = 1_000; ;) {
    yield statusOf(ledger, now(), 'Preparing');
    const session: SessionEntry = { startTime: now(), meterStart: meter };
    ledger.sessions.push(session);
    yield start(session, tagOf(ledger.chargerId));
    yield statusOf(ledger, now(), 'Charging');
    for (let values = 1 + random.below(4); values > 0; values -= 1) {
      meter += 1 + random.below(50);
      yield meterValue(ledger, now(), { transactionId: session.transactionId ?? -1, energyWh: meter });
    }
    meter += 1 + random.below(50);
    yield stop(session, now(), meter);
    yield statusOf(ledger, now(), 'Available');
  }
}

export function heartbeat(): Message {
  return plain('Heartbeat', {});
}

/** One that is sent once. */
export function plain(action: string, payload: Payload): Message {
  return { action, payload, insisted: false, onAnswer: () => undefined };
}

function statusOf(ledger: Ledger, timestamp: string, status: string): Message {
  const entry = { status, answered: false };
  ledger.statuses.set(timestamp, entry);
  return {
    action: 'StatusNotification',
    payload: { connectorId: 1, errorCode: 'NoError', status, timestamp },
    insisted: false,
    onAnswer: () => void (entry.answered = true),
  };
}

/** Its driver's: each start is accepted, so that statistics count it. OCPP 1.6 carries 20 characters. */
export function tagOf(chargerId: string): string {
  return chargerId.slice(-20);
}

function start(session: SessionEntry, idTag: string): Message {
  const { startTime: timestamp, meterStart } = session;
  return {
    action: 'StartTransaction',
    payload: { connectorId: 1, idTag, timestamp, meterStart },
    insisted: true,
    onAnswer: ({ transactionId }) => void (session.transactionId = Number(transactionId)),
  };
}

function meterValue(
  ledger: Ledger,
  timestamp: string,
  { transactionId, energyWh }: { transactionId: number; energyWh: number },
): Message {
  const entry = { answered: false };
  ledger.meterValues.set(timestamp, entry);
  const sampledValue = [{ value: String(energyWh), measurand: 'Energy.Active.Import.Register', unit: 'Wh' }];
  return {
    action: 'MeterValues',
    payload: { connectorId: 1, transactionId, meterValue: [{ timestamp, sampledValue }] },
    insisted: true,
    onAnswer: () => void (entry.answered = true),
  };
}

function stop(session: SessionEntry, timestamp: string, meterStop: number): Message {
  const entry = { meterStop, answered: false };
  session.stop = entry;
  return {
    action: 'StopTransaction',
    payload: { transactionId: session.transactionId ?? -1, meterStop, timestamp },
    insisted: true,
    onAnswer: () => void (entry.answered = true),
  };
}

/** The time of day, but never the same twice. */
export function createStampClock(): () => string {
  let last = 0;
  return () => {
    last = Math.max(Date.now(), last + 1);
    return new Date(last).toISOString();
  };
}
