import type { Position } from '@busbar/contracts';
import { newCharger } from '../testing';
import {
  deviceModelOf,
  isWhole,
  withChangedValues,
  withVariables,
  withWholeReport,
  type ReportedVariable,
} from './device-model';

const EMPTY = deviceModelOf(newCharger(), undefined);
const from = (seq: number, order = 1) => ({ at: '2026-01-01T00:00:00.000Z', position: [order, seq] as Position });

function variable(name: string, ...attributes: ReportedVariable['attributes']): ReportedVariable {
  const own = attributes.length > 0 ? attributes : [{ type: 'Actual', value: '1' }];
  return { name: `C.${name}`, component: 'C', variable: name, attributes: own };
}

const names = ({ variables }: typeof EMPTY) => variables.map(({ variable: name }) => name);

it('149. joins the attributes that several messages report of one variable', () => {
  const actual = { type: 'Actual', value: '1', mutability: 'ReadWrite', persistent: true };
  const first = withVariables(EMPTY, [{ ...variable('V', actual), characteristics: { dataType: 'integer' } }], from(1));
  const second = withVariables(first, [variable('v', { type: 'MaxSet', value: '9' })], from(2));
  const third = withVariables(second, [variable('V', { type: 'Actual', value: '2' })], from(3));
  expect(third.variables).toMatchObject([
    {
      name: 'C.V',
      characteristics: { dataType: 'integer' },
      attributes: [
        { type: 'Actual', value: '2', mutability: 'ReadWrite', persistent: true },
        { type: 'MaxSet', value: '9' },
      ],
      position: [1, 3],
    },
  ]);
});

it('149. keeps the value of a later message', () => {
  const later = withVariables(EMPTY, [variable('V', { type: 'Actual', value: 'new' })], from(1, 2));
  const late = withVariables(later, [variable('V', { type: 'Actual', value: 'old' })], from(9, 1));
  expect(late.variables).toEqual(later.variables);
});

it('149. keeps 5,000 attributes at most, and is not whole then', () => {
  const many = Array.from({ length: 2_501 }, (_, n) => {
    return variable(String(n), { type: 'Actual' }, { type: 'Target' });
  });
  const model = withWholeReport(withVariables(EMPTY, many.slice(0, 2_500), from(2)), [1, 1]);
  expect([model.variables.length, isWhole(model)]).toEqual([2_500, true]);
  const full = withVariables(model, many, from(3));
  expect([full.variables.length, isWhole(full)]).toEqual([2_500, false]);
});

it('149. keeps a mebibyte at most, and no old value of what does not fit', () => {
  const long = (n: number, length = 2_400) => variable(String(n), { type: 'Actual', value: 'x'.repeat(length) });
  const many = withVariables(
    EMPTY,
    Array.from({ length: 500 }, (_, n) => long(n)),
    from(1),
  );
  expect(many.bytes).toBeLessThanOrEqual(1_048_576);
  expect(JSON.stringify(many.variables).length).toBeLessThan(1_048_576 + 1_000);
  const kept = many.variables.length;
  expect([kept < 500, isWhole({ ...many, isReported: true })]).toEqual([true, false]);
  const longer = withVariables(many, [long(0, 2_500 * 3)], from(2));
  expect(names(longer)).not.toContain('0');
  // There is room again.
  expect(names(withVariables(longer, [long(999)], from(3)))).toContain('999');
});

it('151. a whole report removes what it does not name, and is whole again', () => {
  const before = withVariables({ ...EMPTY, leftOutAt: [1, 1] }, [variable('Gone'), variable('Kept')], from(1));
  const during = withVariables(before, [variable('Kept'), variable('New')], from(6));
  const after = withWholeReport(during, [1, 5]);
  expect([names(after), isWhole(after)]).toEqual([['Kept', 'New'], true]);
  expect(after.bytes).toBe(after.variables.reduce((sum, each) => sum + JSON.stringify(each).length, 0));
  expect(isWhole(withWholeReport({ ...during, leftOutAt: [1, 6] }, [1, 5]))).toBe(false);
});

it('151. a whole report removes attributes that it does not name', () => {
  const before = withVariables(EMPTY, [variable('V', { type: 'Actual' }, { type: 'Target' })], from(1));
  const after = withWholeReport(withVariables(before, [variable('V', { type: 'Actual' })], from(6)), [1, 5]);
  expect(after.variables[0]?.attributes.map(({ type }) => type)).toEqual(['Actual']);
});

it('147. keeps no value of an attribute that the charger only takes', () => {
  const secret = variable('V', { type: 'Actual', value: 'planted', mutability: 'WriteOnly' });
  const model = withVariables(EMPTY, [secret], from(1));
  const changed = withVariables(model, [variable('V', { type: 'Actual', value: 'planted' })], from(2));
  expect(JSON.stringify([model, changed])).not.toContain('planted');
});

it('150. shows the values that changed since, and none that is to come', () => {
  const value = { ...variable('V'), attributeType: 'Actual', value: '2', ...from(2) };
  const model = withVariables(EMPTY, [variable('V')], from(1));
  const changed = withChangedValues(model, [value, { ...value, value: '3', isPending: true }]);
  expect(changed.variables).toMatchObject([{ attributes: [{ type: 'Actual', value: '2' }] }]);
  expect(withChangedValues(model, [{ ...value, isPending: true }])).toBe(model);
});
