import type { ChargerEvent } from '@busbar/domain/history';

type Fields = Readonly<Record<string, unknown>>;

/** An event of a charger. What only an event of a NotifyEvent has is null in the others. */
export function presentChargerEvent({ rowId, action, receivedAt, severity, payload }: ChargerEvent) {
  const component = fieldsOf(payload['component']);
  const evse = fieldsOf(component['evse']);
  const variable = fieldsOf(payload['variable']);
  return {
    eventId: rowId,
    receivedAt,
    deviceTime: textOf(payload['timestamp']),
    type: action,
    component: textOf(component['name']),
    instance: textOf(component['instance']),
    evseId: numberOf(evse['id']),
    connectorId: numberOf(evse['connectorId']),
    variable: textOf(variable['name']),
    variableInstance: textOf(variable['instance']),
    severity: severity ?? null,
    payload,
  };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
