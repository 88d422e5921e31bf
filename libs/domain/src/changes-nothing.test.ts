import { changesNothing } from './changes-nothing';

const RECORD = { name: 'a', parent: null, list: [{ id: 1, name: 'x' }], own: { one: 1, two: null } };

describe('changesNothing', () => {
  it.each([
    {},
    { name: 'a' },
    { parent: null },
    { list: [{ name: 'x', id: 1 }] },
    { own: { two: null, one: 1 }, name: 'a' },
  ])('is true for %j', (fields) => {
    expect(changesNothing<object>(RECORD, fields)).toBe(true);
  });

  it.each([
    { name: 'b' },
    { parent: 1 },
    { list: [] },
    { list: [{ id: 1 }] },
    { list: [{ id: 1, name: 'x' }, 2] },
    { list: { 0: { id: 1, name: 'x' } } },
    { own: { one: 1, three: null } },
    { own: { one: 1, two: 2 } },
    { own: null },
    { unknown: null },
  ])('is false for %j', (fields) => {
    expect(changesNothing<object>(RECORD, fields)).toBe(false);
  });
});
