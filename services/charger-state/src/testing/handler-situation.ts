// One message for one handler, without a store: the charger's record, the results of the lookups, and the effects of
// the handler.
import { noRows, type ReportRows } from '@busbar/domain/reports';
import type { Charger } from '@busbar/domain/chargers';
import { tagKey, type Tag } from '@busbar/domain/tags';
import type { Session } from '@busbar/domain/sessions';
import type { Handled, Handler, HandlerContext, Lookups, Report } from '../pipeline/contract';
import { lookupsOf } from '../pipeline/lookups';
import { newCharger } from './memory-stores';

export const RECEIVED_AT = '2026-06-01T12:00:00.000Z';

/** The time of so many seconds before the message was received. */
export const secondsBefore = (seconds: number): string =>
  new Date(Date.parse(RECEIVED_AT) - seconds * 1000).toISOString();

export interface Situation {
  /** Parts of what the charger has reported; everything else is as of a new charger. */
  readonly reported?: Partial<Charger['reported']>;
  readonly tags?: readonly Partial<Tag>[];
  readonly openCharging?: boolean;
  readonly sessions?: readonly Session[];
  readonly position?: HandlerContext['position'];
  readonly maxStartsPerDay?: number;
  /** Given to each session that begins. */
  readonly transactionId?: number | 'too_many_client_starts' | 'out_of_ids';
  readonly report?: Partial<Report<unknown>>;
}

export interface Result<Answer> extends Handled<Answer> {
  readonly rows: ReportRows;
  readonly contested: readonly Session[];
  readonly lookups: Lookups;
  /** The record before. */
  readonly before: Charger;
}

/** Applies one handler to one payload in this situation. */
export function handle<Payload, Answer>(
  handler: Handler<Payload, Answer>,
  payload: Payload,
  situation: Situation = {},
): Result<Answer> {
  const { reported = {}, position = [1, 5], openCharging = false, maxStartsPerDay = 0 } = situation;
  const charger = chargerWith(reported);
  const [order, seq] = position;
  const report: Report<Payload> = {
    v: 1,
    id: 'report-1',
    kind: 'decision',
    chargerId: charger.chargerId,
    incarnationId: charger.incarnationId,
    connectionId: 'connection-1',
    gatewayId: 'gateway-1',
    order,
    seq,
    ocppVersion: 'ocpp1.6',
    action: '',
    messageId: 'message-1',
    raw: '[]',
    receivedAt: RECEIVED_AT,
    ...situation.report,
    payload,
  };
  const lookups = lookupsOf({
    tags: (situation.tags ?? []).map(tagOf),
    sessions: situation.sessions ?? [],
    openClients: new Set(openCharging ? [charger.clientId] : []),
    newIds: { get: () => situation.transactionId ?? 77 },
    deviceStates: [],
  });
  const rows = noRows();
  const contested: Session[] = [];
  const context = { lookups, rows, contested, position, heartbeatIntervalS: 300, maxStartsPerDay };
  const handled = handler.apply(charger, report, context);
  return { ...handled, rows, contested, lookups, before: charger };
}

/** A charger that has reported these parts. */
export function chargerWith(reported: Partial<Charger['reported']>): Charger {
  const charger = newCharger('CHARGER');
  return { ...charger, reported: { ...charger.reported, ...reported } };
}

function tagOf(part: Partial<Tag>): Tag {
  const idTag = part.idTag ?? 'Tag';
  return {
    clientId: 'client',
    idTag,
    idTagKey: tagKey(idTag),
    tokenName: null,
    parentIdTag: null,
    blocked: false,
    startDate: null,
    expiringDate: null,
    externalId: null,
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...part,
  };
}

/** An ongoing session of that charger at socket 1. */
export function sessionWith(part: Partial<Session> = {}): Session {
  return {
    sessionId: 'session-1',
    transactionId: 7,
    chargerId: 'CHARGER',
    incarnationId: 'CHARGER-1',
    clientId: 'client',
    siteId: 1,
    socketId: 1,
    idTag: 'Tag',
    idTagKey: 'tag',
    startTime: secondsBefore(600),
    recordedAt: secondsBefore(600),
    meterStart: 100,
    startedOffline: false,
    state: 'ongoing',
    endTime: null,
    meterStop: null,
    consumptionWh: null,
    stopReason: null,
    startedBy: 'local',
    verdict: 'accepted',
    authorizedBy: 'own',
    ...part,
  };
}
