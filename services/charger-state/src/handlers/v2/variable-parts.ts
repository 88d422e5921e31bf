// Variables of the device model as OCPP 2.x writes them, and as they are stored.
import { omitNil } from '@busbar/domain';
import type { VariableName } from '@busbar/domain/chargers';
import type { ReportedVariable } from '@busbar/domain/device-model';
import { variableName } from '@busbar/ocpp';
import type { RequestOf } from './route';

export type NamedVariable = Parameters<typeof variableName>[0];
export type ReportData = (RequestOf<'NotifyReport'>['reportData'] & object)[number];

/** Of the attribute that counts where a message names none. */
export const ACTUAL = 'Actual';
const WRITE_ONLY = 'WriteOnly';
const READ_ONLY = 'ReadOnly';
const PASSWORD = 'securityctrlr.basicauthpassword';

export function nameOf(named: NamedVariable): VariableName {
  const { component, variable } = named;
  const parts = { instance: component.instance, evseId: component.evse?.id, connectorId: component.evse?.connectorId };
  return {
    name: variableName(named),
    component: component.name,
    variable: variable.name,
    ...omitNil({ ...parts, variableInstance: variable.instance }),
  };
}

/** The password of the charger is never stored (rule 152). */
export function isPassword(named: NamedVariable): boolean {
  return variableName(named).toLowerCase() === PASSWORD;
}

export function isActual({
  attributeType,
  type,
}: {
  readonly attributeType?: string | undefined;
  readonly type?: string;
}): boolean {
  return (attributeType ?? type ?? ACTUAL) === ACTUAL;
}

export function isReadOnly(mutability: string | undefined): boolean {
  return mutability === READ_ONLY;
}

export function isWriteOnly(mutability: string | undefined): boolean {
  return mutability === WRITE_ONLY;
}

/** A value that the charger only takes is shown as '' in its configuration (rule 147). */
export function shownValue(
  data: ReportData,
  { mutability, value = '' }: ReportData['variableAttribute'][number],
): string {
  return isWriteOnly(mutability) || isPassword(data) ? '' : value;
}

/** A reported variable, secrets masked, as it is stored. Values that the charger only takes have none. */
export function reportedVariable(data: ReportData): ReportedVariable {
  const { variableAttribute, variableCharacteristics: about } = data;
  const attributes = variableAttribute.map(({ type = ACTUAL, value, mutability, persistent, constant }) => ({
    type,
    // The default of the standard.
    mutability: mutability ?? 'ReadWrite',
    ...omitNil({ value: isWriteOnly(mutability) || isPassword(data) ? null : value, persistent, constant }),
  }));
  if (about === undefined) return { ...nameOf(data), attributes };
  const { dataType, unit, valuesList, minLimit, maxLimit } = about;
  const characteristics = { dataType, ...omitNil({ unit, valuesList, minLimit, maxLimit }) };
  return { ...nameOf(data), attributes, characteristics };
}
