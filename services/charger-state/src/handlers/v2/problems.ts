// Problems of a connector, an EVSE or the station, which a charger of OCPP 2.x reports by events of its device model (rule 135). They
// give the error code of a socket beside its status, which says nothing of it.
import type { ReportEnvelope } from '@busbar/contracts';
import type { Timestamp } from '@busbar/domain';
import type { Charger, ReportedProblem, ReportedStatus } from '@busbar/domain/chargers';
import { placeOfSocket, socketIdOf } from '@busbar/ocpp';
import { withReported, type HandlerContext } from '../../pipeline/contract';
import { checkTime } from '../shared/clock-check';
import { currentStatus, emitStatus, storeStatus, withStatus } from '../shared/report-status';
import { contentRowId } from '../shared/row-id';
import { isWithinLimit } from '../shared/row-limit';
import type { RequestOf } from './route';

type EventData = RequestOf<'NotifyEvent'>['eventData'][number];

/** Of a place that has a socket (rule 132). */
export const MAX_EVSE_ID = 99;
const VARIABLES = ['problem', 'fault'] as const;
const COMPONENTS = ['connector', 'connectorplugretentionlock', 'evse', 'chargingstation'] as const;
type Component = (typeof COMPONENTS)[number];
type Source = `${Component}:${(typeof VARIABLES)[number]}`;
/** In the order in which their codes are shown. A socket has at most one problem of each: a cleared Fault leaves a Problem as it is. */
const SOURCES = COMPONENTS.flatMap((component) => VARIABLES.map((variable): Source => `${component}:${variable}`));

interface Problem {
  readonly component: Component;
  readonly source: Source;
  readonly code: string;
  readonly timestamp: string;
  /** Undefined: the station. */
  readonly evse: EventData['component']['evse'];
}

/** The problem that an event sets or clears; undefined where it is about something else. */
export function problemIn({ component, variable, actualValue, timestamp, ...data }: EventData): Problem | undefined {
  const about = VARIABLES.find((each) => each === variable.name.toLowerCase());
  const name = COMPONENTS.find((each) => each === component.name.toLowerCase());
  if (about === undefined || name === undefined) return undefined;
  const isSet = actualValue.toLowerCase() === 'true' && data.cleared !== true;
  const { techCode = '' } = data;
  const code = isSet ? (techCode === '' ? component.name : techCode) : '';
  return { component: name, source: `${name}:${about}`, code, timestamp, evse: component.evse };
}

/**
 * Without problems of a whole EVSE that a later event of the message overtakes. Each changes every socket of the EVSE, and a message has a
 * thousand events.
 */
export function withoutOvertaken(events: readonly EventData[]): readonly EventData[] {
  const last = new Map<string, EventData>();
  for (const data of events) {
    const key = keyOfEvse(data);
    const before = key === undefined ? undefined : last.get(key);
    const isOlder = before !== undefined && Date.parse(before.timestamp) > Date.parse(data.timestamp);
    if (key !== undefined && !isOlder) last.set(key, data);
  }
  return events.filter((data) => [undefined, data].includes(last.get(keyOfEvse(data) ?? '')));
}

/** Of a problem of a whole EVSE. */
function keyOfEvse(data: EventData): string | undefined {
  const problem = problemIn(data);
  const evse = problem?.evse;
  if (evse === undefined || namesConnector(evse)) return undefined;
  return `${problem?.source ?? ''} ${String(evse.id)}`;
}

/** The error code of a status whose sockets have these problems. '' for none. */
export function errorCodeOf(problems: ReportedStatus['problems']): string {
  return SOURCES.map((source) => problems?.[source]?.code ?? '').find((code) => code !== '') ?? '';
}

/** Problems of a socket: those of its status, else those that came before its first one, and those of its EVSE. */
export function problemsOf({ reported }: Charger, socketId: number): ReportedStatus['problems'] {
  const { problems: ahead = {}, sockets, status } = reported;
  const current = socketId === 0 ? status : sockets[String(socketId)];
  const ofEvse = ahead[evseKeyOf(placeOfSocket(socketId)?.evseId ?? 0)];
  const found = { ...ofEvse, ...ahead[String(socketId)], ...current?.problems };
  return Object.keys(found).length === 0 ? undefined : found;
}

/** The record after a status of the socket has taken over its problems. */
export function withoutProblemsAhead(charger: Charger, socketId: number): Charger {
  const { problems: ahead = {} } = charger.reported;
  if (ahead[String(socketId)] === undefined) return charger;
  const left = Object.entries(ahead).filter(([key]) => key !== String(socketId));
  return withReported(charger, { problems: Object.fromEntries(left) });
}

/** The record after a socket has gone that nobody had reported: its problems wait for its first status. */
export function withProblemsAhead(charger: Charger, socketId: number, problems: ReportedStatus['problems']): Charger {
  if (problems === undefined) return charger;
  return withReported(charger, { problems: { ...charger.reported.problems, [String(socketId)]: problems } });
}

/** The record with the problem at each socket that it concerns. The state stays (TC_G_20). Those without a status take it over with one. */
export function withProblem(
  charger: Charger,
  report: Omit<ReportEnvelope, 'payload'>,
  problem: Problem,
  context: HandlerContext,
): Charger {
  const { receivedAt } = report;
  const { evse } = problem;
  const isOfEvse = evse !== undefined && evse.id >= 1 && evse.id <= MAX_EVSE_ID && !namesConnector(evse);
  const before = isOfEvse ? withProblemAhead(charger, evseKeyOf(evse.id), problem, receivedAt) : charger;
  return socketsOf(charger, problem).reduce(
    (current, socketId) => withProblemAt(current, report, { ...problem, socketId }, context),
    before,
  );
}

function evseKeyOf(evseId: number): string {
  return `evse:${String(evseId)}`;
}

function namesConnector({ connectorId }: NonNullable<Problem['evse']>): boolean {
  return connectorId !== undefined && connectorId !== 0;
}

function withProblemAhead(
  charger: Charger,
  key: string,
  { source, code, timestamp }: Problem,
  receivedAt: Timestamp,
): Charger {
  const { problems: ahead = {} } = charger.reported;
  const { at } = checkTime(timestamp, receivedAt);
  const before = ahead[key]?.[source];
  if (before !== undefined && before.at > at) return charger;
  return withReported(charger, { problems: { ...ahead, [key]: { ...ahead[key], [source]: { code, at } } } });
}

/** A component of a connector or an EVSE that names none is of no socket. */
function socketsOf(charger: Charger, { component, evse }: Problem): readonly number[] {
  if (evse === undefined) return component === 'chargingstation' ? [0] : [];
  if (evse.id === 0) return [0];
  if (namesConnector(evse)) {
    const socketId = socketIdOf({ evseId: evse.id, connectorId: evse.connectorId ?? 1 });
    return socketId === undefined ? [] : [socketId];
  }
  const ids = Object.keys(charger.reported.sockets).map(Number);
  return ids.filter((id) => placeOfSocket(id)?.evseId === evse.id);
}

function withProblemAt(
  charger: Charger,
  report: Omit<ReportEnvelope, 'payload'>,
  { socketId, ...problem }: Problem & { readonly socketId: number },
  context: HandlerContext,
): Charger {
  const current = currentStatus(charger, socketId);
  if (current === null || current === undefined) {
    const isWithin = isWithinLimit(charger.reported.problems ?? {}, socketId, 0);
    return isWithin ? withProblemAhead(charger, String(socketId), problem, report.receivedAt) : charger;
  }
  const { source, code, timestamp } = problem;
  const { at, statedMs } = checkTime(timestamp, report.receivedAt);
  const before = current.problems?.[source];
  // Events of one problem may come in any order.
  if (before !== undefined && before.at > at) return charger;
  const problems: Readonly<Record<string, ReportedProblem>> = { ...current.problems, [source]: { code, at } };
  const errorCode = errorCodeOf(problems);
  const status = { ...current, problems, errorCode };
  if (errorCode !== current.errorCode) {
    const rowId = contentRowId(report, { socketId, source, code }, statedMs);
    storeStatus(charger, { rowId, socketId, status, at, receivedAt: report.receivedAt }, context);
    emitStatus(context, 'socket.state_changed', { socketId, status, current, statedMs });
  }
  return withStatus(charger, socketId, status);
}
