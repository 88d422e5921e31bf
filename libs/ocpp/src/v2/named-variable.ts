// Variables and components as the callers of operations name them, in either way (rules 147 and 148).
import { given } from '../operations/calls';
import type { NamedComponent } from '../operations/named-variable';

import { variableOfKey } from './configuration-aliases';
import { parseVariableName, type ComponentVariable } from './variable-name';

export const UNKNOWN_NAME =
  'is neither Component.Variable nor the name of a configuration key of OCPP 1.6 that 2.x has';

/** In the place of one that nothing names, which has its issue. */
export const NO_VARIABLE: ComponentVariable = { component: { name: '' }, variable: { name: '' } };

/** Undefined for a text that names no variable. */
export function variableNamed(configName: string): ComponentVariable | undefined {
  return parseVariableName(variableOfKey(configName) ?? configName);
}

/** Both ways to name a variable; undefined for a text that names none, or neither. */
export function variableOf(named: NamedComponent): ComponentVariable | undefined {
  const { component, variable } = componentOf(named) ?? {};
  return component === undefined || variable === undefined ? undefined : { component, variable };
}

/** The same, for a component alone too. */
export function componentOf({
  name,
  ...parts
}: NamedComponent): (Pick<ComponentVariable, 'component'> & Partial<ComponentVariable>) | undefined {
  const { component, instance, evseId, connectorId, variable, variableInstance } = parts;
  if (name !== undefined) return variableNamed(name);
  if (component === undefined) return undefined;
  const evse = evseId === undefined ? undefined : { id: evseId, ...given('connectorId', connectorId) };
  return {
    component: { name: component, ...given('instance', instance), ...given('evse', evse) },
    ...(variable !== undefined && { variable: { name: variable, ...given('instance', variableInstance) } }),
  };
}
