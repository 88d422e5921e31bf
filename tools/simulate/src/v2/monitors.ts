// The monitors of a simulated charger: it has and reports them, but no value of its variables triggers one.
import type { V2Requests, V2Responses } from '@busbar/ocpp';
import type { ChargerState, Monitor } from '../charger/charger-state';
import type { Version } from '../options';
import type { ActionHandlers2 } from './action-handler';
import { closeStreams, openStreams } from './streams';
import { notifyInParts } from './parts';
import { readVariable } from './variables';

type Wanted = V2Requests['SetVariableMonitoring']['setMonitoringData'][number];
type Result = V2Responses['SetVariableMonitoring']['setMonitoringResult'][number];
type Criteria = V2Requests['GetMonitoringReport'];
type Reported = NonNullable<V2Requests['NotifyMonitoringReport']['monitor']>[number];

const MAX_MONITORS = 100;
const TYPES: ReadonlySet<string> = new Set([
  ...['UpperThreshold', 'LowerThreshold', 'Delta', 'Periodic', 'PeriodicClockAligned'],
]);
const CRITERIA: Readonly<Record<string, RegExp>> = {
  ThresholdMonitoring: /Threshold$/,
  DeltaMonitoring: /^Delta$/,
  PeriodicMonitoring: /^Periodic/,
};

export const monitorActions: ActionHandlers2 = {
  /** OCPP 2.0.1, N04. */
  SetVariableMonitoring(control, { setMonitoringData }) {
    const { state } = control;
    const setMonitoringResult = setMonitoringData.map((wanted) => set(state, wanted));
    const isSet = ({ id }: Monitor): boolean => setMonitoringResult.some((result) => result.id === id);
    return { answer: { setMonitoringResult }, then: () => openStreams(control, state.monitors.filter(isSet)) };
  },

  /** N06. */
  ClearVariableMonitoring(control, { id: ids }) {
    const { state } = control;
    const clearMonitoringResult = ids.map((id) => {
      const left = state.monitors.filter((monitor) => monitor.id !== id);
      const isKnown = left.length < state.monitors.length;
      state.monitors = left;
      return { id, status: isKnown ? 'Accepted' : 'NotFound' };
    });
    return { answer: { clearMonitoringResult }, then: () => closeStreams(control) };
  },

  /** N02. */
  GetMonitoringReport({ state, translation, clock }, request) {
    const found = state.monitors.filter((monitor) => isAsked(monitor, request));
    if (found.length === 0) return { answer: { status: 'EmptyResultSet' } };
    const { requestId } = request;
    const generatedAt = clock.now().toISOString();
    const monitors = found.map((each) => reportedOf(each, translation.version));
    const then = () =>
      notifyInParts(monitors, (monitor, at) =>
        translation.notify('NotifyMonitoringReport', { requestId, generatedAt, monitor, ...at }),
      );
    return { answer: { status: 'Accepted' }, then };
  },

  /** N03. It has none but those that were set. */
  SetMonitoringBase(control, { monitoringBase }) {
    if (monitoringBase !== 'All') control.state.monitors = [];
    return { answer: { status: 'Accepted' }, then: () => closeStreams(control) };
  },

  /** N05. */
  SetMonitoringLevel: () => ({ answer: { status: 'Accepted' } }),
};

/** OCPP 2.1 requires the origin of a monitor, 2.0.1 does not have it. */
function reportedOf({ component, variable, ...monitor }: Monitor, version: Version): Reported {
  const { id, transaction = false, value, type, severity } = monitor;
  const origin = version === 'ocpp2.1' ? { eventNotificationType: 'CustomMonitor' } : {};
  const monitoring = { id, transaction, value, type, severity, ...origin };
  return { component, variable, variableMonitoring: [monitoring as Reported['variableMonitoring'][number]] };
}

function set(state: ChargerState, wanted: Wanted): Result {
  const { component, variable, type, severity } = wanted;
  const status = verdictOn(state, wanted);
  const result = { component, variable, type, severity, status };
  if (status !== 'Accepted') return result;
  const { id = Math.max(0, ...state.monitors.map((each) => each.id)) + 1 } = wanted;
  state.monitors = [...state.monitors.filter((each) => each.id !== id), { ...wanted, id }];
  return { ...result, id };
}

function verdictOn({ configuration, monitors }: ChargerState, wanted: Wanted): Result['status'] {
  const { component, variable, type, id } = wanted;
  const { attributeStatus } = readVariable(configuration, { component, variable });
  if (attributeStatus === 'UnknownComponent' || attributeStatus === 'UnknownVariable') return attributeStatus;
  if (!TYPES.has(type)) return 'UnsupportedMonitorType';
  const others = monitors.filter((each) => each.id !== id);
  if (id !== undefined && others.length === monitors.length) return 'Rejected';
  if (others.some((each) => isSame(each, wanted))) return 'Duplicate';
  return others.length < MAX_MONITORS ? 'Accepted' : 'Rejected';
}

/** N04.FR.12: one of a type and severity for each variable. */
function isSame(monitor: Wanted, { type, severity, ...of }: Wanted): boolean {
  return monitor.type === type && monitor.severity === severity && nameOf(monitor) === nameOf(of);
}

function isAsked(monitor: Monitor, { monitoringCriteria, componentVariable }: Criteria): boolean {
  if (monitoringCriteria?.some((each) => CRITERIA[each]?.test(monitor.type) === true) === false) return false;
  return componentVariable?.some((asked) => isOf(monitor, asked)) ?? true;
}

function isOf(monitor: Wanted, { component, variable }: NonNullable<Criteria['componentVariable']>[number]): boolean {
  return variable === undefined
    ? component.name.toLowerCase() === monitor.component.name.toLowerCase()
    : nameOf({ component, variable }) === nameOf(monitor);
}

function nameOf({ component, variable }: Pick<Wanted, 'component' | 'variable'>): string {
  return JSON.stringify([component.name, variable.name, variable.instance ?? null]).toLowerCase();
}
