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

/** The value of an attribute, as a message has it. */
export type NewValue = NamedVariable & {
  readonly attributeType?: string;
  readonly value: string;
  readonly isPending?: boolean;
};

/** Names the device model, where the values with `count` more are many. */
export function needModelForMany(needs: Needs, { chargerId, reported }: Charger, count: number): void {
  if ((reported.changedValues?.length ?? 0) + count > MANY) needs.deviceModel(chargerId);
}

/** The record with these values. A value that is current ends one that was to come, and values of later messages stay. */
export function withNewValues(
  charger: Charger,
  values: readonly NewValue[],
  { at, context }: { readonly at: Timestamp; readonly context: HandlerContext },
): Charger {
  const { position } = context;
  const { changedValues: before = [] } = charger.reported;
  const known = new Map(before.map((each) => [keyOf(each), each]));
  for (const value of values) {
    const next = changedValue(value, { at, position });
    const key = keyOf(next);
    const same = known.get(key);
    if (same !== undefined && isAfter(same.position, position)) continue;
    if (same?.value !== next.value) known.set(key, next);
    if (next.isPending !== true) known.delete(keyOf({ ...next, isPending: true }));
  }
  const changedValues = [...known.values()];
  if (isSameList(before, changedValues)) return charger;
  const changed = withReported(charger, { changedValues });
  return changedValues.length > MANY ? withValuesInModel(changed, context) : changed;
}

/** The record without the values that the device model has taken: with those that are to come. Unchanged where the model was not read. */
export function withValuesInModel(charger: Charger, context: HandlerContext): Charger {
  const { changedValues = [] } = charger.reported;
  const left = changedValues.filter(({ isPending }) => isPending === true);
  if (left.length === changedValues.length) return charger;
  const isTaken = changeDeviceModel(charger, context, (model) => withValues(model, changedValues));
  return isTaken ? withReported(charger, { changedValues: left }) : charger;
}

/** The values that a boot brings into force. */
export function pendingValues({ reported: { changedValues = [] } }: Charger): readonly ChangedValue[] {
  return changedValues.filter(({ isPending }) => isPending === true);
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
  return { ...nameOf(named), attributeType, value, at, position, ...(isPending && { isPending }) };
}

function keyOf(value: Pick<ChangedValue, 'name' | 'attributeType' | 'isPending'>): string {
  return `${variableKey(value)}/${value.attributeType}${value.isPending === true ? '/pending' : ''}`;
}

function isSameList(before: readonly ChangedValue[], after: readonly ChangedValue[]): boolean {
  return before.length === after.length && after.every((each, n) => each === before[n]);
}
