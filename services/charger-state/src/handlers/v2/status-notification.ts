// The status of a connector of OCPP 2.x: StatusNotification, or 2.1's preferred way, an event of its variable AvailabilityState.
import type { ReportEnvelope } from '@busbar/contracts';
import type { Charger } from '@busbar/domain/chargers';
import { socketIdOf } from '@busbar/ocpp';
import { withReported, type Handled, type HandlerContext, type Report } from '../../pipeline/contract';
import { checkTime } from '../shared/clock-check';
import { reportStatus } from '../shared/report-status';
import { storeEvent } from '../shared/store-event';
import { stateOfStatus } from './connector-state';
import {
  errorCodeOf,
  MAX_EVSE_ID,
  problemIn,
  problemsOf,
  withoutOvertaken,
  withoutProblemsAhead,
  withProblem,
} from './problems';
import { needModelForMany } from './changed-values';
import type { CallHandler, RequestOf } from './route';
import { socketStateOf } from './socket-state';
import { withReportedValues } from './variables';

type EventData = RequestOf<'NotifyEvent'>['eventData'][number];

/** OCPP 2.0.1, G01. One of a place beyond 99 has no socket: it is in the log, and counted (rule 132). */
export const statusNotification: CallHandler<'StatusNotification'> = {
  apply(charger, report, context) {
    const { evseId, connectorId, connectorStatus, timestamp } = report.payload;
    const socketId = placeOf(evseId, connectorId);
    if (socketId === undefined) return { charger, deviations: ['surplus_connector'] };
    return reportConnector(charger, report, context, { socketId, status: connectorStatus, timestamp });
  },
};

/**
 * OCPP 2.0.1, N07. Each event is a row of its own. AvailabilityState is a status (rule 134), Problem and Fault give an error code (rule 135), and
 * the value of any variable is stored (rule 150).
 */
export const notifyEvent: CallHandler<'NotifyEvent'> = {
  prepare: (needs, charger, { payload }) => needModelForMany(needs, charger, payload.eventData.length),
  apply(charger, report, context) {
    storeEvents(charger, report, context);
    let handled: Pick<Handled, 'charger' | 'deviations'> = {
      charger: withReportedValues(charger, report, context),
    };
    for (const data of withoutOvertaken(report.payload.eventData)) {
      const { deviations = [] } = handled;
      const next = applyEvent(handled.charger, report, data, context);
      handled = { charger: next.charger, deviations: [...new Set([...deviations, ...(next.deviations ?? [])])] };
    }
    return handled;
  },
};

/** A row for each, so that a reader finds them by component and severity. */
function storeEvents(charger: Charger, report: Report<RequestOf<'NotifyEvent'>>, context: HandlerContext): void {
  for (const [at, data] of report.payload.eventData.entries()) {
    const { component, severity } = data;
    storeEvent(charger, { ...report, payload: data }, context, { at, component: component.name, severity });
  }
}

function applyEvent(
  charger: Charger,
  report: Omit<ReportEnvelope, 'payload'>,
  data: EventData,
  context: HandlerContext,
): Pick<Handled, 'charger' | 'deviations'> {
  const problem = problemIn(data);
  if (problem !== undefined) return { charger: withProblem(charger, report, problem, context) };
  const status = statusIn(data);
  if (status === 'surplus') return { charger, deviations: ['surplus_connector'] };
  if (status !== undefined) return reportConnector(charger, report, context, status);
  return { charger: withEvseState(charger, report, data) };
}

interface ConnectorStatus {
  readonly socketId: number;
  readonly status: string;
  readonly timestamp: string;
}

/** EVSE 0 and connector 0 are the charging station itself (rule 133). */
function placeOf(evseId: number, connectorId: number): number | undefined {
  return evseId === 0 || connectorId === 0 ? 0 : socketIdOf({ evseId, connectorId });
}

/** `surplus`: of a place beyond 99, which has no socket. */
function statusIn({ component, variable, actualValue, timestamp }: EventData): ConnectorStatus | 'surplus' | undefined {
  if (variable.name.toLowerCase() !== 'availabilitystate') return undefined;
  const name = component.name.toLowerCase();
  const { evse } = component;
  if (name === 'chargingstation') return { socketId: 0, status: actualValue, timestamp };
  if (name !== 'connector' || evse?.connectorId === undefined) return undefined;
  const socketId = placeOf(evse.id, evse.connectorId);
  return socketId === undefined ? 'surplus' : { socketId, status: actualValue, timestamp };
}

/** The state of an EVSE itself. That of its connectors is theirs to report. */
function withEvseState(
  charger: Charger,
  { receivedAt }: Omit<ReportEnvelope, 'payload'>,
  { component: { name, evse }, variable, actualValue, timestamp }: EventData,
): Charger {
  const isState = variable.name.toLowerCase() === 'availabilitystate' && name.toLowerCase() === 'evse';
  if (!isState || evse === undefined || evse.id < 1 || evse.id > MAX_EVSE_ID) return charger;
  const state = socketStateOf({ status: actualValue, transaction: undefined, endedSince: false });
  const { at } = checkTime(timestamp, receivedAt);
  const { evses = {} } = charger.reported;
  const before = evses[String(evse.id)];
  if (state === undefined || (before !== undefined && before.at > at)) return charger;
  return withReported(charger, { evses: { ...evses, [String(evse.id)]: { state, at } } });
}

/** Both ways to tell one change have one row: it is named by connector, status and time. */
function reportConnector(
  charger: Charger,
  report: Omit<ReportEnvelope, 'payload'>,
  context: HandlerContext,
  { socketId, status, timestamp }: ConnectorStatus,
): Pick<Handled, 'charger' | 'deviations'> {
  const { at } = checkTime(timestamp, report.receivedAt);
  const { state = 'Info', parts } = stateOfStatus(charger, socketId, { status, at });
  const problems = problemsOf(charger, socketId);
  const same = { ...report, action: 'StatusNotification' };
  return reportStatus(withoutProblemsAhead(charger, socketId), same, context, {
    socketId,
    state,
    errorCode: errorCodeOf(problems),
    info: '',
    vendorErrorCode: '',
    timestamp,
    content: { socketId, status },
    parts: problems === undefined ? parts : { ...parts, problems },
  });
}
