// Monitors that a charger accepted, cleared or reported (rule 160).
import type { Charger } from '@busbar/domain/chargers';
import type { ReportedMonitors } from '@busbar/domain/device-model';
import {
  NO_ITEMS,
  withMonitors,
  withoutCustomMonitors,
  withoutItems,
  type DeviceState,
  type Monitor,
} from '@busbar/domain/device-state';
import type { HandlerContext, Report } from '../../pipeline/contract';
import { changeDeviceState } from '../shared/device-state';
import { partHandler } from './reports';
import type { OutcomeHandler, RequestOf, ResponseOf } from './route';
import { nameOf } from './variable-parts';

type Data = RequestOf<'SetVariableMonitoring'>['setMonitoringData'][number];
type Result = ResponseOf<'SetVariableMonitoring'>['setMonitoringResult'][number];
type Monitors = DeviceState['monitors'] & object;
/** What a message says of a monitor. */
type MonitorFields = Omit<Monitor, 'setAt' | 'commandId' | 'position'>;

/** The result of a SetVariableMonitoring (OCPP 2.0.1, N04). The charger accepts each by itself, and gives it its number. */
export const setVariableMonitoringOutcome: OutcomeHandler<'SetVariableMonitoring'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, report, context) {
    const { request, response } = report.payload;
    if (request === undefined || response === undefined) return { charger };
    const accepted = acceptedOf(request.setMonitoringData, response.setMonitoringResult);
    storeMonitors(charger, report, context, accepted);
    return { charger };
  },
};

/** The charger cleared it, or has none such. */
const GONE: ReadonlySet<string> = new Set(['Accepted', 'NotFound']);

/** The result of a ClearVariableMonitoring (OCPP 2.0.1, N06). */
export const clearVariableMonitoringOutcome: OutcomeHandler<'ClearVariableMonitoring'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, { payload: { response } }, context) {
    const results = response?.clearMonitoringResult ?? [];
    const ids = results.filter(({ status }) => GONE.has(status)).map(({ id }) => id);
    if (ids.length > 0) {
      const removal = { ids, position: context.position };
      changeMonitors(charger, context, (monitors) => withoutItems(monitors, removal));
    }
    return { charger };
  },
};

/** These clear custom monitors. */
const CLEARING_BASES: ReadonlySet<string> = new Set(['FactoryDefault', 'HardWiredOnly']);

/** The result of a SetMonitoringBase (OCPP 2.0.1, N03). Which others become active the next report says. */
export const setMonitoringBaseOutcome: OutcomeHandler<'SetMonitoringBase'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, { payload: { request, status } }, context) {
    if (request !== undefined && status === 'Accepted' && CLEARING_BASES.has(request.monitoringBase)) {
      changeMonitors(charger, context, (monitors) => withoutCustomMonitors(monitors, context.position));
    }
    return { charger };
  },
};

/** A part of the monitors that the charger has (OCPP 2.0.1, N02). */
export const notifyMonitoringReport = partHandler<'NotifyMonitoringReport'>(
  'monitoring',
  ({ monitor = [] }) =>
    monitor.map((each): ReportedMonitors => ({
      ...nameOf(each),
      monitors: each.variableMonitoring.map((one) => ({ ...one })),
    })),
  (charger, report, context) => {
    const { monitor = [] } = report.payload;
    const reported = monitor.flatMap((each) =>
      each.variableMonitoring.map((one) => {
        // OCPP 2.0.1 has no origin.
        const { id, type, value, severity, transaction, eventNotificationType: origin = null } = one as Reported;
        return { id, ...nameOf(each), type, value, severity, transaction, origin };
      }),
    );
    storeMonitors(charger, report, context, reported);
  },
);

type ReportedMonitor = (RequestOf<'NotifyMonitoringReport'>['monitor'] & object)[number]['variableMonitoring'][number];
type Reported = Omit<ReportedMonitor, 'eventNotificationType'> & { readonly eventNotificationType?: string };

function storeMonitors(
  charger: Charger,
  { commandId, receivedAt: setAt }: Report<unknown>,
  context: HandlerContext,
  fields: readonly MonitorFields[],
): void {
  if (fields.length === 0) return;
  const { position } = context;
  const stored = fields.map((each): Monitor => ({ ...each, setAt, commandId: commandId ?? null, position }));
  changeMonitors(charger, context, (monitors) => withMonitors(monitors, stored));
}

function changeMonitors(charger: Charger, context: HandlerContext, change: (monitors: Monitors) => Monitors): void {
  changeDeviceState(charger, context, ({ monitors }) => ({ monitors: change(monitors ?? NO_ITEMS) }));
}

/** Results have no value, and any order: each is of the first monitor like it that has none yet. */
function acceptedOf(data: readonly Data[], results: readonly Result[]): readonly MonitorFields[] {
  const open = [...data];
  return results.flatMap((result): readonly MonitorFields[] => {
    const at = open.findIndex((each) => isOf(result, each));
    const [set] = at === -1 ? [] : open.splice(at, 1);
    if (set === undefined || result.id === undefined || result.status !== 'Accepted') return [];
    const { type, value, severity, transaction = false } = set;
    return [{ id: result.id, ...nameOf(set), type, value, severity, transaction, origin: null }];
  });
}

function isOf(result: Result, data: Data): boolean {
  const [one, other] = [nameOf(result), nameOf(data)];
  const isSame = one.name.toLowerCase() === other.name.toLowerCase();
  return isSame && result.type === data.type && result.severity === data.severity;
}
