// Names of variables of the device model of OCPP 2.x, as both APIs write them (rule 147): `Component.Variable`, instances in
// brackets, the place behind `@`: `OCPPCommCtrlr.HeartbeatInterval`, `Connector@1.2.Enabled`,
// `DeviceDataCtrlr.ItemsPerMessage[GetReport]`. Characters that separate are percent-encoded inside a name.

/** `ComponentType` and `VariableType` of the standard. */
export interface ComponentVariable {
  readonly component: {
    readonly name: string;
    readonly instance?: string;
    readonly evse?: { readonly id: number; readonly connectorId?: number };
  };
  readonly variable: { readonly name: string; readonly instance?: string };
}

const PATTERN = /^([^.[\]@]+)(?:\[([^.[\]@]+)\])?(?:@(\d{1,9})(?:\.(\d{1,9}))?)?\.([^.[\]@]+)(?:\[([^.[\]@]+)\])?$/;
/** Six parts of at most 50 characters, each of which may be encoded. */
const MAX_NAME_CHARACTERS = 1_000;
const SEPARATORS = /[.[\]@%]/g;

export function variableName({ component, variable }: ComponentVariable): string {
  const { evse } = component;
  const place =
    evse === undefined ? '' : `@${[evse.id, ...(evse.connectorId === undefined ? [] : [evse.connectorId])].join('.')}`;
  return `${named(component)}${place}.${named(variable)}`;
}

/** Undefined for a text that names no variable. */
export function parseVariableName(name: string): ComponentVariable | undefined {
  const match = name.length > MAX_NAME_CHARACTERS ? null : PATTERN.exec(name);
  if (match === null) return undefined;
  const [, component, instance, evseId, connectorId, variable, variableInstance] = match.map(decoded);
  if (component === undefined || variable === undefined) return undefined;
  const evse =
    evseId === undefined
      ? undefined
      : { id: Number(evseId), ...(connectorId === undefined ? {} : { connectorId: Number(connectorId) }) };
  return {
    component: {
      name: component,
      ...(instance === undefined ? {} : { instance }),
      ...(evse === undefined ? {} : { evse }),
    },
    variable: { name: variable, ...(variableInstance === undefined ? {} : { instance: variableInstance }) },
  };
}

/** Names that are equal without regard to case have the same key. */
export function variableKey(name: string): string {
  return name.toLowerCase();
}

function named({ name, instance }: { readonly name: string; readonly instance?: string }): string {
  return instance === undefined || instance === '' ? encoded(name) : `${encoded(name)}[${encoded(instance)}]`;
}

function encoded(part: string): string {
  return part.replace(SEPARATORS, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

function decoded(part: string | undefined): string | undefined {
  return part?.replace(/%(2E|5B|5D|40|25)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
