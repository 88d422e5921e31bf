// Problems of a connector, an EVSE or the station, which a charger of OCPP 2.x reports by events of its device model (rule 135). They
// give the error code of a socket beside its status, which says nothing of it.
import type { ReportEnvelope } from '@busbar/contracts';
import type { Charger, ReportedProblem, ReportedStatus } from '@busbar/domain/chargers';
import { placeOfSocket, socketIdOf } from '@busbar/ocpp';
import type { HandlerContext } from '../../pipeline/contract';
import { checkTime } from '../shared/clock-check';
import { currentStatus, emitStatus, storeStatus, withStatus } from '../shared/report-status';
import { contentRowId } from '../shared/row-id';
import type { RequestOf } from './route';

type EventData = RequestOf<'NotifyEvent'>['eventData'][number];

const VARIABLES: ReadonlySet<string> = new Set(['problem', 'fault']);
/** In the order in which their codes are shown. A socket has at most one problem of each. */
const COMPONENTS = ['connector', 'connectorplugretentionlock', 'evse', 'chargingstation'] as const;
type Component = (typeof COMPONENTS)[number];

interface Problem {
  readonly component: Component;
  readonly code: string;
  readonly timestamp: string;
  /** Undefined: the station. */
  readonly evse: EventData['component']['evse'];
}

/** The problem that an event sets or clears; undefined where it is about something else. */
export function problemIn({ component, variable, actualValue, timestamp, ...data }: EventData): Problem | undefined {
  if (!VARIABLES.has(variable.name.toLowerCase())) return undefined;
  const name = COMPONENTS.find((each) => each === component.name.toLowerCase());
  if (name === undefined) return undefined;
  const isSet = actualValue.toLowerCase() === 'true' && data.cleared !== true;
  const { techCode = '' } = data;
  const code = isSet ? (techCode === '' ? component.name : techCode) : '';
  return { component: name, code, timestamp, evse: component.evse };
}

/** The error code of a status whose sockets have these problems. '' for none. */
export function errorCodeOf(problems: ReportedStatus['problems']): string {
  return COMPONENTS.map((component) => problems?.[component]?.code ?? '').find((code) => code !== '') ?? '';
}

/** The record with the problem at each socket that it concerns and that has a status. The state stays (TC_G_20). */
export function withProblem(
  charger: Charger,
  report: Omit<ReportEnvelope, 'payload'>,
  problem: Problem,
  context: HandlerContext,
): Charger {
  return socketsOf(charger, problem).reduce(
    (current, socketId) => withProblemAt(current, report, { ...problem, socketId }, context),
    charger,
  );
}

function socketsOf(charger: Charger, { evse }: Problem): readonly number[] {
  if (evse === undefined || evse.id === 0) return [0];
  if (evse.connectorId !== undefined && evse.connectorId !== 0) {
    const socketId = socketIdOf({ evseId: evse.id, connectorId: evse.connectorId });
    return socketId === undefined ? [] : [socketId];
  }
  const ids = Object.keys(charger.reported.sockets).map(Number);
  return ids.filter((id) => placeOfSocket(id)?.evseId === evse.id);
}

function withProblemAt(
  charger: Charger,
  report: Omit<ReportEnvelope, 'payload'>,
  { socketId, component, code, timestamp }: Problem & { readonly socketId: number },
  context: HandlerContext,
): Charger {
  const current = currentStatus(charger, socketId);
  if (current === null || current === undefined) return charger;
  const { at, statedMs } = checkTime(timestamp, report.receivedAt);
  const before = current.problems?.[component];
  // Events of one problem may come in any order.
  if (before !== undefined && before.at > at) return charger;
  const problems: Readonly<Record<string, ReportedProblem>> = { ...current.problems, [component]: { code, at } };
  const errorCode = errorCodeOf(problems);
  const status = { ...current, problems, errorCode };
  if (errorCode !== current.errorCode) {
    const rowId = contentRowId(report, { socketId, component, code }, statedMs);
    storeStatus(charger, { rowId, socketId, status, at, receivedAt: report.receivedAt }, context);
    emitStatus(context, 'socket.state_changed', { socketId, status, current, statedMs });
  }
  return withStatus(charger, socketId, status);
}
