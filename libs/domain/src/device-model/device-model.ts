// The device model of a charger of OCPP 2.x: its variables with their attributes, as it reported them (rule 149). A document of its own
// beside the charger's record, since it is large. Written by charger-state alone.
import { isAfter, type Position } from '@busbar/contracts';
import type { Charger } from '../chargers/charger';
import type { ChangedValue, VariableName } from '../chargers/reported-variables';
import { omitNil } from '../nullable';
import type { Timestamp } from '../timestamp';

export interface VariableAttribute {
  /** Actual, Target, MinSet or MaxSet. */
  readonly type: string;
  /** Absent: the charger gave none, or it is secret. */
  readonly value?: string;
  /** ReadOnly, WriteOnly or ReadWrite. Absent: not reported. */
  readonly mutability?: string;
  readonly persistent?: boolean;
  readonly constant?: boolean;
}

interface DeviceAttribute extends VariableAttribute {
  /** Of the last message with it. */
  readonly position: Position;
}

/** `VariableCharacteristicsType` of the standard. */
export interface VariableCharacteristics {
  readonly dataType: string;
  readonly unit?: string;
  readonly valuesList?: string;
  readonly minLimit?: number;
  readonly maxLimit?: number;
}

export interface ReportedVariable extends VariableName {
  readonly attributes: readonly VariableAttribute[];
  readonly characteristics?: VariableCharacteristics;
}

export interface DeviceVariable extends ReportedVariable {
  readonly attributes: readonly DeviceAttribute[];
  readonly updatedAt: Timestamp;
  /** Of the last message with it. */
  readonly position: Position;
}

export interface DeviceModel {
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly clientId: string;
  /** In the order of their first report. */
  readonly variables: readonly DeviceVariable[];
  /** Of all variables as JSON. */
  readonly bytes: number;
  /** A report of the whole model, or of all that can be configured, has come to its end. */
  readonly isReported: boolean;
  /** The last message with a variable that did not fit. */
  readonly leftOutAt?: Position | null;
  /** The last applied message of each connection. */
  readonly applied?: readonly Position[];
  /** Grows with every write, which compares it (compare-and-set). 0: not stored yet. */
  readonly revision: number;
  /** Not stored: the incarnation whose document the first write replaces. */
  readonly replaces?: string;
}

export interface DeviceModelReader {
  /** The charger's device model as far as known. */
  read(charger: Pick<Charger, 'chargerId' | 'incarnationId' | 'clientId'>): Promise<DeviceModel>;
}

/** A device model before and after folding. */
export interface DeviceModelChange {
  readonly from: DeviceModel;
  readonly to: DeviceModel;
}

const MAX_ATTRIBUTES = 5_000;
const MAX_BYTES = 1_048_576;
/** Such a value is never stored (rule 147). */
const WRITE_ONLY = 'WriteOnly';

const EMPTY = { variables: [], bytes: 0, isReported: false, leftOutAt: null } as const;

/** The device model of this incarnation. Another incarnation's model is discarded, and its document is replaced. */
export function deviceModelOf(
  { chargerId, incarnationId, clientId }: Pick<Charger, 'chargerId' | 'incarnationId' | 'clientId'>,
  stored: DeviceModel | undefined,
): DeviceModel {
  if (stored?.incarnationId === incarnationId) return stored;
  const { revision = 0 } = stored ?? {};
  const replaces = stored && { replaces: stored.incarnationId };
  return { chargerId, incarnationId, clientId, ...EMPTY, revision, ...replaces };
}

/** The model without its variables, such as of a charger that comes with another major version. */
export function withoutVariables(model: DeviceModel): DeviceModel {
  return { ...model, ...EMPTY };
}

/** Whether the charger has reported its model, and all of it is kept. */
export function isWhole({ isReported, leftOutAt = null }: DeviceModel): boolean {
  return isReported && leftOutAt === null;
}

/** Names that are equal without regard to case are one. */
export function variableKey({ name }: Pick<VariableName, 'name'>): string {
  return name.toLowerCase();
}

/** The message that has values. */
interface Source {
  readonly at: Timestamp;
  readonly position: Position;
}

/** How much of its limits a model uses. */
interface Use {
  readonly attributes: number;
  readonly bytes: number;
}

/**
 * The model with these variables. Attributes that a message does not name stay. Values of later messages stay, and what does not fit into
 * 5,000 attributes and a mebibyte is not kept.
 */
export function withVariables(
  model: DeviceModel,
  updates: readonly (ReportedVariable & Partial<Source>)[],
  source: Source,
): DeviceModel {
  const variables = new Map(model.variables.map((each) => [variableKey(each), each]));
  let { leftOutAt = null } = model;
  const attributes = model.variables.reduce((sum, each) => sum + each.attributes.length, 0);
  let use: Use = { attributes, bytes: model.bytes };
  for (const update of updates) {
    const { at, position } = { ...source, ...update };
    const key = variableKey(update);
    const known = variables.get(key);
    if (known !== undefined && isAfter(known.position, position)) continue;
    const next = joined(known, update, { at, position });
    const before = known === undefined ? use : less(use, useOf(known));
    const after = plus(before, useOf(next));
    if (after.attributes <= MAX_ATTRIBUTES && after.bytes <= MAX_BYTES) {
      variables.set(key, next);
      use = after;
    } else {
      // Its old value is not true any more.
      variables.delete(key);
      use = before;
      leftOutAt = position;
    }
  }
  return { ...model, variables: [...variables.values()], bytes: use.bytes, leftOutAt };
}

function useOf(variable: DeviceVariable): Use {
  return { attributes: variable.attributes.length, bytes: sizeOf(variable) };
}

function plus(one: Use, other: Use): Use {
  return { attributes: one.attributes + other.attributes, bytes: one.bytes + other.bytes };
}

function less(one: Use, other: Use): Use {
  return { attributes: one.attributes - other.attributes, bytes: one.bytes - other.bytes };
}

function joined(known: DeviceVariable | undefined, update: ReportedVariable, { at, position }: Source): DeviceVariable {
  const { attributes, characteristics = known?.characteristics, ...name } = update;
  const types = new Set(attributes.map(({ type }) => type));
  const others = known?.attributes.filter(({ type }) => !types.has(type)) ?? [];
  const own = attributes.map((attribute) => {
    // A value alone says nothing of its mutability.
    const before = attribute.mutability === undefined ? attributeOf(known, attribute.type) : undefined;
    return withoutSecret({ ...before, ...attribute, position });
  });
  return {
    ...nameOf(known ?? name),
    attributes: [...own, ...others],
    ...(characteristics && { characteristics }),
    updatedAt: at,
    position,
  };
}

function attributeOf(variable: DeviceVariable | undefined, wanted: string): DeviceAttribute | undefined {
  return variable?.attributes.find(({ type }) => type === wanted);
}

function withoutSecret(attribute: DeviceAttribute): DeviceAttribute {
  return attribute.mutability === WRITE_ONLY ? omitNil<DeviceAttribute>({ ...attribute, value: null }) : attribute;
}

/** The parts of the name alone. */
function nameOf({ name, component, variable, ...parts }: VariableName): VariableName {
  const { instance, evseId, connectorId, variableInstance } = parts;
  return { name, component, variable, ...omitNil({ instance, evseId, connectorId, variableInstance }) };
}

function sizeOf(variable: DeviceVariable): number {
  return Buffer.byteLength(JSON.stringify(variable));
}

/** The model with the values that have changed since its last report. Values that the charger uses from its next boot on are left out. */
export function withChangedValues(model: DeviceModel, values: readonly ChangedValue[]): DeviceModel {
  const current = values.filter(({ isPending }) => isPending !== true);
  const [last] = current.slice(-1);
  if (last === undefined) return model;
  const updates = current.map(({ attributeType: type, value, ...each }) => ({
    ...each,
    attributes: [{ type, ...omitNil({ value }) }],
  }));
  return withVariables(model, updates, last);
}

/**
 * The model after a report of all of it, which began with the message at `since` and has come to its end: variables and attributes that no
 * message has named since then are gone.
 */
export function withWholeReport(model: DeviceModel, since: Position): DeviceModel {
  const { leftOutAt = null } = model;
  const variables = model.variables.flatMap((variable): readonly DeviceVariable[] => {
    const attributes = variable.attributes.filter(({ position }) => !isAfter(since, position));
    return attributes.length === 0 ? [] : [{ ...variable, attributes }];
  });
  return {
    ...model,
    variables,
    bytes: variables.reduce((sum, each) => sum + sizeOf(each), 0),
    isReported: true,
    leftOutAt: leftOutAt !== null && isAfter(since, leftOutAt) ? null : leftOutAt,
  };
}
