// The messages of a charger of the fleet that speaks OCPP 2.x: endless transactions, each message with unique content.
import { createId } from '@busbar/core';
import { createStampClock, plain, tagOf, type Load, type Message } from './charger-life';
import type { Ledger, SessionEntry } from './ledger';
import type { Random } from './random';

type Payload = Readonly<Record<string, unknown>>;

interface Transaction {
  readonly id: string;
  readonly session: SessionEntry;
  seqNo: number;
}

/**
 * Gives the next message; a message that is insisted on is answered before the next is asked for. A `steady` load is sessions
 * one after the other here.
 */
export function* chargerLife2(ledger: Ledger, random: Random, load: Load): Generator<Message, never> {
  const now = createStampClock();
  while (load === 'reports') yield statusOf(ledger, now(), random.pick(['Available', 'Occupied', 'Unavailable']));
  const chargingStation = { vendorName: 'Example', model: 'Fleet' };
  yield plain('BootNotification', { reason: 'PowerUp', chargingStation });
  for (let meter = 1_000; ;) {
    yield statusOf(ledger, now(), 'Occupied');
    const session: SessionEntry = { startTime: now(), meterStart: meter };
    const transaction: Transaction = { id: createId(), session, seqNo: 0 };
    ledger.sessions.push(session);
    yield start(ledger, transaction);
    for (let values = 1 + random.below(4); values > 0; values -= 1) {
      meter += 1 + random.below(50);
      yield update(ledger, transaction, now(), meter);
    }
    meter += 1 + random.below(50);
    yield stop(ledger, transaction, now(), meter);
    yield statusOf(ledger, now(), 'Available');
  }
}

function statusOf(ledger: Ledger, timestamp: string, connectorStatus: string): Message {
  const entry = { status: connectorStatus, answered: false };
  ledger.statuses.set(timestamp, entry);
  return {
    ...plain('StatusNotification', { evseId: 1, connectorId: 1, connectorStatus, timestamp }),
    onAnswer: () => void (entry.answered = true),
  };
}

function start(ledger: Ledger, transaction: Transaction): Message {
  const { startTime, meterStart } = transaction.session;
  const fields = {
    eventType: 'Started',
    triggerReason: 'Authorized',
    idToken: { idToken: tagOf(ledger.chargerId), type: 'ISO14443' },
    evse: { id: 1, connectorId: 1 },
  };
  return event(
    ledger,
    transaction,
    { fields, at: startTime, energyWh: meterStart, context: 'Transaction.Begin' },
    () => {
      transaction.session.isStarted = true;
    },
  );
}

function update(ledger: Ledger, transaction: Transaction, at: string, energyWh: number): Message {
  const fields = { eventType: 'Updated', triggerReason: 'MeterValuePeriodic' };
  return event(ledger, transaction, { fields, at, energyWh, context: 'Sample.Periodic' });
}

function stop(ledger: Ledger, transaction: Transaction, at: string, meterStop: number): Message {
  const entry = { meterStop, answered: false };
  transaction.session.stop = entry;
  const fields = { eventType: 'Ended', triggerReason: 'StopAuthorized' };
  return event(ledger, transaction, { fields, at, energyWh: meterStop, context: 'Transaction.End' }, () => {
    entry.answered = true;
  });
}

interface EventContent {
  readonly fields: Payload;
  readonly at: string;
  readonly energyWh: number;
  readonly context: string;
}

function event(
  ledger: Ledger,
  transaction: Transaction,
  { fields, at, energyWh, context }: EventContent,
  onAnswer: () => void = () => undefined,
): Message {
  const entry = { answered: false };
  ledger.meterValues.set(at, entry);
  const { id: transactionId, seqNo } = transaction;
  transaction.seqNo += 1;
  const sampledValue = [{ value: energyWh, measurand: 'Energy.Active.Import.Register', context }];
  const transactionInfo = { transactionId, chargingState: fields['eventType'] === 'Ended' ? 'Idle' : 'Charging' };
  return {
    action: 'TransactionEvent',
    payload: { ...fields, timestamp: at, seqNo, transactionInfo, meterValue: [{ timestamp: at, sampledValue }] },
    insisted: true,
    onAnswer() {
      entry.answered = true;
      onAnswer();
    },
  };
}
