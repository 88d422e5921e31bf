// The events of a transaction of OCPP 2.x at one charger, and its sessions as a store would have them after each.
import type { Session } from '@busbar/domain/sessions';
import { statusNotification } from '../handlers/v2/status-notification';
import { transactionEvent } from '../handlers/v2/transaction-event';
import type { RequestOf, ResponseOf } from '../handlers/v2/route';
import { handle, secondsBefore, type Result, type Situation } from './handler-situation';

export type Payload = RequestOf<'TransactionEvent'>;
type Answer = ResponseOf<'TransactionEvent'>;

export const TAGS = [{ clientId: 'client', idTag: 'TAG' }];
export const TOKEN = { idToken: 'TAG', type: 'Central' };
export const EVSE = { id: 1, connectorId: 1 };

export const register = (seconds: number, value: number) => [
  { timestamp: secondsBefore(seconds), sampledValue: [{ value }] },
];

export function event(
  eventType: 'Started' | 'Updated' | 'Ended',
  seqNo: number,
  { transactionInfo, ...parts }: Partial<Omit<Payload, 'transactionInfo'>> & { transactionInfo?: object } = {},
): Payload {
  return {
    eventType,
    seqNo,
    timestamp: secondsBefore(600 - 60 * seqNo),
    triggerReason: 'Authorized',
    transactionInfo: { transactionId: 'T-1', ...transactionInfo },
    ...parts,
  };
}

export const STARTED: Payload = event('Started', 0, { evse: EVSE, idToken: TOKEN, meterValue: register(600, 1_000) });
export const CHARGING: Payload = event('Updated', 1, {
  transactionInfo: { chargingState: 'Charging' },
  meterValue: register(540, 2_000),
});
export const IDLE: Payload = event('Updated', 2, { transactionInfo: { chargingState: 'EVConnected' } });
export const ENDED: Payload = event('Ended', 3, {
  transactionInfo: { stoppedReason: 'EVDisconnected' },
  meterValue: register(420, 9_000),
});
export const ALL: readonly Payload[] = [STARTED, CHARGING, IDLE, ENDED];

/** A charger and its stored sessions, to which messages are applied one by one. */
export function createStored(situation: Situation = {}) {
  let reported = situation.reported ?? {};
  let seq = 4;
  let nextId = 77;
  const sessions = new Map((situation.sessions ?? []).map((session) => [session.sessionId, session]));
  const change = (id: string, parts: Partial<Session>): void => {
    const session = sessions.get(id);
    if (session !== undefined) sessions.set(id, { ...session, ...parts });
  };
  const apply = (run: (now: Situation) => Result<unknown>): Result<unknown> => {
    seq += 1;
    const stored = [...sessions.values()];
    const now = {
      tags: TAGS,
      ...situation,
      reported,
      sessions: stored,
      position: [1, seq] as const,
      transactionId: nextId,
    };
    const result = run(now);
    ({ reported } = result.charger);
    for (const session of result.rows.sessions) {
      sessions.set(session.sessionId, session);
      nextId += 1;
    }
    for (const id of result.rows.superseded) change(id, { state: 'superseded' });
    for (const { session } of result.rows.transactions) sessions.set(session.sessionId, session);
    return result;
  };
  return {
    send: (payload: Payload, report: Situation['report'] = {}): Result<Answer> =>
      apply((now) => handle(transactionEvent, payload, { ...now, report })) as Result<Answer>,
    status: (connectorStatus: string, seconds: number, evse = EVSE) =>
      apply((now) =>
        handle(
          statusNotification,
          {
            evseId: evse.id,
            connectorId: evse.connectorId,
            connectorStatus,
            timestamp: secondsBefore(seconds),
          },
          now,
        ),
      ),
    sessions: () => [...sessions.values()],
    only: (): Session => {
      const [session] = sessions.values();
      if (session === undefined) throw new Error('no session');
      return session;
    },
    reported: () => reported,
    stateOf: (socketId: number) => reported.sockets?.[String(socketId)]?.state,
  };
}

export function without<Value extends object, Name extends keyof Value>(value: Value, name: Name): Omit<Value, Name> {
  return Object.fromEntries(Object.entries(value).filter(([each]) => each !== name)) as Omit<Value, Name>;
}

export function sendAll(payloads: readonly Payload[], situation?: Situation) {
  const stored = createStored(situation);
  for (const payload of payloads) stored.send(payload);
  return stored;
}
