import { changeOf, differencesOf, shownOf, valuesOf, valuesOfForm, type RecordField } from './record-fields';

const field = (name: string, kind: RecordField['kind'] = 'text'): RecordField => ({ name, label: name, kind });

const FIELDS: readonly RecordField[] = [
  field('name'),
  field('location.city'),
  field('location.latitude', 'number'),
  field('relays', 'names'),
  field('own', 'json'),
  field('pushed', 'check'),
  field('siteId', 'site'),
  field('from', 'time'),
];
const RECORD = {
  name: 'Quay',
  location: { city: 'Ulm', latitude: null },
  relays: ['a', 'b'],
  own: { meter: 1 },
  pushed: true,
  siteId: 7,
  from: '2026-01-31T11:42:10.417Z',
};

describe('fields of a record', () => {
  const before = valuesOf(FIELDS, RECORD);

  it('are texts as they are typed, empty where there is none', () => {
    expect(before).toMatchObject({
      name: 'Quay',
      'location.city': 'Ulm',
      'location.latitude': '',
      relays: 'a, b',
      own: '{\n  "meter": 1\n}',
      pushed: true,
      siteId: '7',
    });
    expect(valuesOf(FIELDS, undefined)).toMatchObject({ name: '', 'location.city': '', pushed: false, own: '' });
    expect(valuesOf([field('own', 'json')], { own: {} })).toEqual({ own: '' });
  });

  it.each<[string, Readonly<Record<string, string | boolean>>, Readonly<Record<string, unknown>>]>([
    ['nothing', {}, {}],
    ['a text', { name: 'Bay' }, { name: 'Bay' }],
    ['an emptied text to null', { name: '' }, { name: null }],
    ['only the changed part of an inner record', { 'location.latitude': '59.9' }, { location: { latitude: 59.9 } }],
    ['a list', { relays: 'c,, d ' }, { relays: ['c', 'd'] }],
    ['an inner record', { own: '{"meter": 2}' }, { own: { meter: 2 } }],
    ['a check', { pushed: false }, { pushed: false }],
    ['a chosen id', { siteId: '8' }, { siteId: 8 }],
  ])('change %s', (_, change, expected) => {
    expect(changeOf(FIELDS, before, { ...before, ...change }, 'no object')).toEqual({ change: expected });
  });

  it('keep a time that was not touched, and read one in the zone of the reader', () => {
    const at = new Date(2026, 4, 1, 10, 30);
    expect(changeOf(FIELDS, before, { ...before, from: '2026-05-01T10:30' }, '')).toEqual({
      change: { from: at.toISOString() },
    });
    expect(valuesOf([field('from', 'time')], { from: at.toISOString() })).toEqual({ from: '2026-05-01T10:30' });
  });

  it.each(['{', '[1]', 'null', '3'])('name a field whose text is no JSON object: %s', (own) => {
    expect(changeOf(FIELDS, before, { ...before, own }, 'no object')).toEqual({ issues: { own: 'no object' } });
  });

  it('are read from a form without the spaces around', () => {
    const form = new FormData();
    form.set('name', ' Bay ');
    form.set('pushed', 'on');
    expect(valuesOfForm(FIELDS.slice(0, 2), form)).toEqual({ name: 'Bay', 'location.city': '' });
    expect(valuesOfForm([field('pushed', 'check')], form)).toEqual({ pushed: true });
    expect(valuesOfForm([field('pushed', 'check')], new FormData())).toEqual({ pushed: false });
  });

  it('differ where somebody else, or the form, changed them', () => {
    const stored = { ...before, name: 'Gate' };
    const own = { ...before, name: 'Bay', pushed: false };
    const found = differencesOf(FIELDS, before, stored, own);
    expect(found.map(({ field: { name }, stored: theirs, own: mine }) => [name, theirs, mine])).toEqual([
      ['name', 'Gate', 'Bay'],
      ['pushed', true, false],
    ]);
  });

  it('are named also where both made the same change', () => {
    const changed = { ...before, name: 'Bay' };
    expect(differencesOf(FIELDS, before, changed, changed).map(({ field: { name } }) => name)).toEqual(['name']);
  });

  it('are shown by the label of their option', () => {
    const choice: RecordField = { ...field('admission', 'choice'), options: [['accept', 'Accepted']] };
    expect(shownOf(choice, 'accept', ['Yes', 'No'])).toBe('Accepted');
    expect(shownOf(choice, 'other', ['Yes', 'No'])).toBe('other');
    expect(shownOf(field('pushed', 'check'), false, ['Yes', 'No'])).toBe('No');
  });
});
