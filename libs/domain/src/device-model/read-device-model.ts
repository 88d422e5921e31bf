import type { Charger, ChargerReader } from '../chargers/charger';
import { readOwnedCharger } from '../chargers/owned-charger';
import type { ChangedValue } from '../chargers/reported-variables';
import {
  isWhole,
  variableKey,
  withChangedValues,
  withVariables,
  type DeviceModel,
  type DeviceModelReader,
  type DeviceVariable,
  type VariableAttribute,
} from './device-model';

export interface ReadDeviceModelDeps {
  readonly chargers: Pick<ChargerReader, 'findOwned'>;
  readonly deviceModels: DeviceModelReader;
}

export interface ShownAttribute extends VariableAttribute {
  /** The value from the next boot on. */
  readonly pendingValue?: string;
}

export interface ShownVariable extends Omit<DeviceVariable, 'attributes'> {
  readonly attributes: readonly ShownAttribute[];
}

export interface ShownDeviceModel {
  readonly charger: Charger;
  readonly variables: readonly ShownVariable[];
  /** Whether the charger has reported its model, and all of it is kept. */
  readonly isComplete: boolean;
}

/** The charger's variables with their newest values. Throws `not_found` when the charger is unknown or another client's. */
export async function readDeviceModel(
  { chargers, deviceModels }: ReadDeviceModelDeps,
  owner: { readonly clientId: string; readonly chargerId: string },
): Promise<ShownDeviceModel> {
  const charger = await readOwnedCharger({ chargers }, owner);
  const { changedValues = [] } = charger.reported;
  // The model is read after the record: values that have gone from one into the other meanwhile are in both.
  const stored = withChangedValues(await deviceModels.read(charger), changedValues);
  const model = withPendingAttributes(stored, changedValues);
  const pending = new Map(
    changedValues.flatMap(({ isPending, value, ...each }) =>
      isPending === true && value !== undefined ? [[keyOf(each, each.attributeType), value]] : [],
    ),
  );
  const variables = model.variables.map((variable) => ({
    ...variable,
    attributes: variable.attributes.map((attribute) => {
      const pendingValue = pending.get(keyOf(variable, attribute.type));
      return pendingValue === undefined || attribute.mutability === 'WriteOnly'
        ? attribute
        : { ...attribute, pendingValue };
    }),
  }));
  return { charger, variables, isComplete: isWhole(model) };
}

/** An attribute that the charger has only for its next boot is shown without a value. */
function withPendingAttributes(model: DeviceModel, values: readonly ChangedValue[]): DeviceModel {
  const known = new Set(model.variables.flatMap((each) => each.attributes.map(({ type }) => keyOf(each, type))));
  const missing = values.filter((each) => each.isPending === true && !known.has(keyOf(each, each.attributeType)));
  return missing.reduce(
    (all, each) => withVariables(all, [{ ...each, attributes: [{ type: each.attributeType }] }], each),
    model,
  );
}

function keyOf(variable: Pick<DeviceVariable, 'name'>, attributeType: string): string {
  return `${variableKey(variable)}/${attributeType}`;
}
