// Values of variables that a charger of OCPP 2.x took or reported by itself (rule 150). Its record has them until a message that reads the
// device model moves them there: an event costs no read of the model, which may have a mebibyte.
import { isAfter, type Position } from '@busbar/contracts';
import { omitNil, type Timestamp } from '@busbar/domain';
import type { ChangedValue, Charger } from '@busbar/domain/chargers';
import { variableKey, withChangedValues as withValues } from '@busbar/domain/device-model';
import { withReported, type HandlerContext, type Needs } from '../../pipeline/contract';
import { changeDeviceModel } from '../shared/device-state';
import { nameOf, type NamedVariable } from './variable-parts';

/** With more than this the next message moves them into the model. A batch may add those of its messages. */
const MANY = 25;

/** Values for the next boot that a record keeps: more than a charger takes before it restarts. The newest count. */
const MAX_PENDING = 100;

/** The value of an attribute, as a message has it. */
export type NewValue = NamedVariable & {
  readonly attributeType?: string | undefined;
  /** Undefined: it is secret. */
  readonly value: string | undefined;
  readonly isPending?: boolean;
};

export interface ValueSource {
  readonly at: Timestamp;
  readonly context: HandlerContext;
  /** The charger was given the values. They end those that were to come; a report of the current ones does not. */
  readonly areSet?: boolean;
}

/** Names the device model, where the values with `count` more are many. */
export function needModelForMany(
  needs: Needs,
  { chargerId, reported: { changedValues = [] } }: Charger,
  count: number,
): void {
  if (changedValues.filter(isCurrent).length + count > MANY) needs.deviceModel(chargerId);
}

/** The record with these values. Values of later messages stay. */
export function withNewValues(
  charger: Charger,
  values: readonly NewValue[],
  { at, context, areSet = false }: ValueSource,
): Charger {
  const { position } = context;
  if (values.length === 0) return charger;
  const known = new Map((charger.reported.changedValues ?? []).map((each) => [keyOf(each), each]));
  for (const value of values) {
    const next = changedValue(value, { at, position });
    const key = keyOf(next);
    const same = known.get(key);
    if (same !== undefined && isAfter(same.position, position)) continue;
    known.set(key, next);
    if (areSet && isCurrent(next)) known.delete(keyOf({ ...next, isPending: true }));
  }
  const current = [...known.values()].filter(isCurrent);
  const pending = [...known.values()].filter((each) => !isCurrent(each)).slice(-MAX_PENDING);
  const changed = withReported(charger, { changedValues: [...current, ...pending] });
  return current.length > MANY ? withValuesInModel(changed, context) : changed;
}

function isCurrent({ isPending }: Pick<ChangedValue, 'isPending'>): boolean {
  return isPending !== true;
}

/** The record without the values that the device model has taken: with those that are to come. Unchanged where the model was not read. */
export function withValuesInModel(charger: Charger, context: HandlerContext): Charger {
  const { changedValues = [] } = charger.reported;
  const left = changedValues.filter((each) => !isCurrent(each));
  if (left.length === changedValues.length) return charger;
  const isTaken = changeDeviceModel(charger, context, (model) => withValues(model, changedValues));
  return isTaken ? withReported(charger, { changedValues: left }) : charger;
}

/** The values that a boot brings into force. */
export function pendingValues({ reported: { changedValues = [] } }: Charger): readonly ChangedValue[] {
  return changedValues.filter((each) => !isCurrent(each));
}

/** The record after a boot: what was to come is current. */
export function withPendingValues(charger: Charger, position: Position): Charger {
  const pending = pendingValues(charger);
  if (pending.length === 0) return charger;
  const current = new Map((charger.reported.changedValues ?? []).map((each) => [keyOf(each), each]));
  for (const each of pending) {
    current.delete(keyOf(each));
    const value = omitNil<ChangedValue>({ ...each, isPending: null, position });
    current.set(keyOf(value), value);
  }
  return withReported(charger, { changedValues: [...current.values()] });
}

function changedValue(
  { attributeType = 'Actual', value, isPending = false, ...named }: NewValue,
  { at, position }: Pick<ChangedValue, 'at' | 'position'>,
): ChangedValue {
  const changed = { ...nameOf(named), attributeType, ...omitNil({ value }), at, position };
  return isPending ? { ...changed, isPending } : changed;
}

function keyOf(value: Pick<ChangedValue, 'name' | 'attributeType' | 'isPending'>): string {
  return `${variableKey(value)}/${value.attributeType}${value.isPending === true ? '/pending' : ''}`;
}
