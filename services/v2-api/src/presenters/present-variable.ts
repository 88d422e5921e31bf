import type { VariableName } from '@busbar/domain/chargers';
import type { DeviceReport, ReportedMonitors, ReportedVariable, ShownVariable } from '@busbar/domain/device-model';
import type { Monitor } from '@busbar/domain/device-state';

export function presentVariable({ updatedAt, ...variable }: ShownVariable) {
  return { ...presentReported(variable), updatedAt };
}

export function presentMonitor(monitor: Monitor) {
  const { id, type, value, severity, transaction, origin: eventNotificationType, setAt, commandId } = monitor;
  const about = { type, value, severity, transaction, eventNotificationType, setAt, commandId };
  return { id, ...presentName(monitor), ...about };
}

/** The items of a report, by the action of its parts (`DeviceReportRow`). */
export function presentReport({ requestId, kind, state, parts, hasMore, action, items }: DeviceReport) {
  return { requestId, kind, state, parts, hasMore, items: items.map(presenterOf(action)) };
}

type Item = string | Readonly<Record<string, unknown>>;

function presenterOf(action: string | null): (item: unknown) => Item {
  if (action === 'NotifyReport') return (item) => presentReported(item as ReportedVariable);
  if (action === 'NotifyMonitoringReport') return (item) => presentMonitors(item as ReportedMonitors);
  return (item) => item as Item;
}

function presentReported({
  attributes,
  characteristics,
  ...named
}: ReportedVariable | Omit<ShownVariable, 'updatedAt'>) {
  return {
    ...presentName(named),
    attributes: attributes.map((attribute) => {
      const { type, value, mutability, persistent, constant } = attribute;
      return {
        type,
        value: value ?? null,
        mutability: mutability ?? null,
        persistent: persistent ?? null,
        constant: constant ?? null,
        ...('pendingValue' in attribute && { pendingValue: attribute.pendingValue }),
      };
    }),
    dataType: characteristics?.dataType ?? null,
    unit: characteristics?.unit ?? null,
    valuesList: characteristics?.valuesList ?? null,
    minLimit: characteristics?.minLimit ?? null,
    maxLimit: characteristics?.maxLimit ?? null,
  };
}

function presentMonitors({ monitors, ...named }: ReportedMonitors) {
  return { ...presentName(named), monitors };
}

function presentName({ name, component, instance, evseId, connectorId, variable, variableInstance }: VariableName) {
  return {
    name,
    component,
    instance: instance ?? null,
    evseId: evseId ?? null,
    connectorId: connectorId ?? null,
    variable,
    variableInstance: variableInstance ?? null,
  };
}
