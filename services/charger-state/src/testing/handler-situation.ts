// One message for one handler, without a store: the charger's record, the results of the lookups, and the effects of
// the handler.
import type { CallOutcome, EventName } from '@busbar/contracts';
import { noRows, type ReportRows } from '@busbar/domain/reports';
import type { Admission, Charger, ChargerAuthentication } from '@busbar/domain/chargers';
import { deviceModelOf, type DeviceModel } from '@busbar/domain/device-model';
import { deviceStateOf, eventStreamsOf, type DeviceState, type EventStreams } from '@busbar/domain/device-state';
import type { Tag } from '@busbar/domain/tags';
import type { Session } from '@busbar/domain/sessions';
import { newCharger, newSession, newTag } from '@busbar/domain/testing';
import type { Action, Outcome, RequestOf, ResponseOf } from '../handlers/v16/route';
import type {
  Action as V2Action,
  Outcome as V2Outcome,
  RequestOf as V2Request,
  ResponseOf as V2Response,
} from '../handlers/v2/route';
import type { Handled, Handler, HandlerContext, Lookups, Report } from '../pipeline/contract';
import { NO_EVENTS, type BatchEvents } from '../feed/batch-events';
import { createNeeds, lookupsOf, startsOnDevices, type NeedsList } from '../pipeline/lookups';
import { newReport } from './report';

export const RECEIVED_AT = '2026-06-01T12:00:00.000Z';

/** The time of so many seconds before the message was received. */
export const secondsBefore = (seconds: number): string =>
  new Date(Date.parse(RECEIVED_AT) - seconds * 1000).toISOString();

export interface Situation {
  /** Parts of what the charger has reported; everything else is as of a new charger. */
  readonly reported?: Partial<Charger['reported']>;
  readonly authentication?: ChargerAuthentication;
  readonly admission?: Admission;
  readonly registered?: Partial<Charger['registered']>;
  readonly deviceState?: Partial<DeviceState>;
  readonly deviceModel?: Partial<DeviceModel>;
  readonly eventStreams?: Partial<EventStreams>;
  readonly tags?: readonly Partial<Tag>[];
  readonly openCharging?: boolean;
  readonly sessions?: readonly Session[];
  /** Sessions that an earlier message of the batch began or changed: known without a lookup. */
  readonly sessionsOfBatch?: readonly Session[];
  readonly position?: HandlerContext['position'];
  readonly maxStartsPerDay?: number;
  /** Given to each session that begins. */
  readonly transactionId?: number | 'too_many_client_starts' | 'out_of_ids';
  readonly report?: Partial<Report<unknown>>;
}

export interface Emitted {
  readonly type: EventName;
  readonly data: unknown;
}

export interface Result<Answer> extends Handled<Answer> {
  readonly rows: ReportRows;
  readonly contested: readonly Session[];
  readonly lookups: Lookups;
  /** After the message. */
  readonly deviceState: DeviceState;
  /** After the message; undefined where the message did not need it. */
  readonly deviceModel: DeviceModel | undefined;
  /** Events of the feed. */
  readonly emitted: readonly Emitted[];
  /** The record before. */
  readonly before: Charger;
}

/** Applies one handler to one payload in this situation. The lookups have what the handler's `prepare` names. */
export function handle<Payload, Answer>(
  handler: Handler<Payload, Answer>,
  payload: Payload,
  situation: Situation = {},
): Result<Answer> {
  const { reported = {}, position = [1, 5], maxStartsPerDay = 0 } = situation;
  const registeredBefore = chargerWith(reported, situation.authentication, situation.admission);
  const charger = {
    ...registeredBefore,
    registered: { ...registeredBefore.registered, ...situation.registered },
  };
  const [order, seq] = position;
  const report: Report<Payload> = {
    ...newReport({ id: 'report-1', chargerId: charger.chargerId, order, seq, raw: '[]', receivedAt: RECEIVED_AT }),
    ...situation.report,
    payload,
  };
  const needs = createNeeds({ maxStartsPerDay });
  handler.prepare?.(needs, charger, report);
  const lookups = lookupsFor(needs, charger, situation);
  const rows = noRows();
  const contested: Session[] = [];
  const emitted: Emitted[] = [];
  const events: BatchEvents = { ...NO_EVENTS, emit: (type, data) => void emitted.push({ type, data }) };
  const context = { lookups, rows, contested, events, position, heartbeatIntervalS: 300, maxStartsPerDay };
  const handled = handler.apply(charger, report, context);
  const [deviceState, deviceModel] = [lookups.deviceStates(charger), lookups.deviceModel(charger)];
  return { ...handled, rows, contested, lookups, emitted, deviceState, deviceModel, before: charger };
}

/** The end of a CALL that the charger answered. */
export function answered<A extends Action>(request: RequestOf<A> | undefined, response: ResponseOf<A>): Outcome<A> {
  return endOf(request, response);
}

/** The same of OCPP 2.x. */
export function answered2<A extends V2Action>(
  request: V2Request<A> | undefined,
  response: V2Response<A>,
): V2Outcome<A> {
  return endOf(request, response);
}

function endOf<Request, Response extends object>(request: Request, response: Response) {
  const status = 'status' in response && typeof response.status === 'string' ? response.status : '';
  return { result: { outcome: 'answered' as const, payload: { ...response } }, request, response, status };
}

/** The end of a CALL without a CALLRESULT. */
export function unanswered<A extends Action>(
  request: RequestOf<A>,
  result: Exclude<CallOutcome, { outcome: 'answered' }> = { outcome: 'timeout' },
): Outcome<A> {
  return { result, request, response: undefined, status: '' };
}

/** A charger that has reported these parts. */
export function chargerWith(
  reported: Partial<Charger['reported']>,
  authentication: ChargerAuthentication = { securityProfile: 0, passwordHash: null },
  admission: Admission = 'accept',
): Charger {
  return newCharger({ chargerId: 'CHARGER', registered: { authentication, admission }, reported });
}

function lookupsFor(needs: NeedsList, charger: Charger, situation: Situation): Lookups {
  const { tags = [], sessions = [], sessionsOfBatch = [], openCharging = false, transactionId = 77 } = situation;
  const { chargerId, clientId } = charger;
  const isRead = ({ sessionId, transactionId: id, clientId: owner, idTagKey, state, device }: Session): boolean =>
    needs.starts.has(sessionId) ||
    (device !== undefined && needs.deviceTransactions.has(device.key)) ||
    needs.transactions.has(id) ||
    (state === 'ongoing' && needs.ongoing.get(owner)?.has(idTagKey) === true);
  const starts = new Map([...needs.starts, ...startsOnDevices(needs.deviceTransactions, sessions)]);
  return lookupsOf({
    tags: tags.map(newTag).filter((tag) => needs.tags.get(tag.clientId)?.has(tag.idTagKey)),
    sessions: [...sessions.filter(isRead), ...sessionsOfBatch],
    openClients: new Set(openCharging && needs.tags.has(clientId) ? [clientId] : []),
    newIds: { get: (sessionId) => (starts.get(sessionId) === undefined ? undefined : transactionId) },
    deviceStates: needs.holders.has(chargerId)
      ? [{ ...deviceStateOf(charger, undefined), ...situation.deviceState }]
      : [],
    models: needs.models,
    deviceModels: [{ ...deviceModelOf(charger, undefined), ...situation.deviceModel }],
    eventStreams: needs.streams.has(chargerId)
      ? [{ ...eventStreamsOf(charger, undefined), ...situation.eventStreams }]
      : [],
  });
}

/** An ongoing session of that charger at socket 1. */
export function sessionWith(part: Partial<Session> = {}): Session {
  return newSession({
    sessionId: 'session-1',
    chargerId: 'CHARGER',
    startTime: secondsBefore(600),
    meterStart: 100,
    startedBy: 'local',
    verdict: 'accepted',
    authorizedBy: 'own',
    ...part,
  });
}
