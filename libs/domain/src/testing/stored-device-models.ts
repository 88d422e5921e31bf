import {
  deviceModelOf,
  withVariables,
  type DeviceModelReader,
  type VariableCharacteristics,
} from '../device-model/device-model';

interface Given {
  readonly value?: string;
  readonly characteristics?: VariableCharacteristics;
}

/** The device model of every charger of a test, with these variables by their names. */
export function storedDeviceModels(given: Readonly<Record<string, Given>> = {}): DeviceModelReader {
  const variables = Object.entries(given).map(([name, { value = '', ...about }]) => {
    const [component = '', variable = ''] = name.split('.');
    return { name, component, variable, attributes: [{ type: 'Actual', value }], ...about };
  });
  const source = { at: '2026-01-01T00:00:00.000Z', position: [1, 1] as const };
  return { read: (charger) => Promise.resolve(withVariables(deviceModelOf(charger, undefined), variables, source)) };
}
