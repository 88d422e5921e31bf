import fc from 'fast-check';
import { parseVariableName, variableKey, variableName, type ComponentVariable } from './variable-name';

const TABLE: readonly [string, ComponentVariable][] = [
  [
    'OCPPCommCtrlr.HeartbeatInterval',
    { component: { name: 'OCPPCommCtrlr' }, variable: { name: 'HeartbeatInterval' } },
  ],
  ['EVSE@1.Power', { component: { name: 'EVSE', evse: { id: 1 } }, variable: { name: 'Power' } }],
  [
    'Connector@1.2.Enabled',
    { component: { name: 'Connector', evse: { id: 1, connectorId: 2 } }, variable: { name: 'Enabled' } },
  ],
  [
    'DeviceDataCtrlr.ItemsPerMessage[GetReport]',
    { component: { name: 'DeviceDataCtrlr' }, variable: { name: 'ItemsPerMessage', instance: 'GetReport' } },
  ],
  [
    'Fan[left]@3.Speed[max]',
    { component: { name: 'Fan', instance: 'left', evse: { id: 3 } }, variable: { name: 'Speed', instance: 'max' } },
  ],
  ['A%2EB%5B1%5D.V%40%25', { component: { name: 'A.B[1]' }, variable: { name: 'V@%' } }],
];

it.each(TABLE)('147. writes and reads %s', (name, parts) => {
  expect(variableName(parts)).toBe(name);
  expect(parseVariableName(name)).toEqual(parts);
});

it('147. reads every name that it writes', () => {
  const part = fc.string({ minLength: 1, maxLength: 50 });
  const instance = fc.option(part, { nil: undefined });
  const id = fc.integer({ min: 0, max: 999_999_999 });
  const names = fc.record({
    component: part,
    own: instance,
    variable: part,
    other: instance,
    evse: fc.option(fc.tuple(id, fc.option(id))),
  });
  fc.assert(
    fc.property(names, ({ component, own, variable, other, evse }) => {
      const place =
        evse === null ? {} : { evse: { id: evse[0], ...(evse[1] === null ? {} : { connectorId: evse[1] }) } };
      const parts = {
        component: { name: component, ...(own === undefined ? {} : { instance: own }), ...place },
        variable: { name: variable, ...(other === undefined ? {} : { instance: other }) },
      };
      expect(parseVariableName(variableName(parts))).toEqual(parts);
    }),
  );
});

it.each([
  '',
  'HeartbeatInterval',
  '.',
  'A.',
  '.B',
  'A.B.C',
  'A@.B',
  'A@x.B',
  'A[.B',
  'A[].B',
  'A@1.2.3.B',
  `${'A'.repeat(1_000)}.B`,
])('147. reads no variable in %j', (name) => {
  expect(parseVariableName(name)).toBeUndefined();
});

it('147. compares names without case', () => {
  expect(variableKey('EVSE@1.Power')).toBe(variableKey('evse@1.POWER'));
});
