import { inputOf } from './webhook-input';

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  const all = {
    url: ' https://example.com/events ',
    format: 'standard',
    ordering: 'charger',
    maxInFlight: '8',
    ...fields,
  };
  for (const [name, value] of Object.entries(all)) form.set(name, value);
  return form;
}

describe('what the form of a webhook becomes', () => {
  it.each<[string, Readonly<Record<string, string>>, object]>([
    [
      'nothing but the address',
      {},
      { url: 'https://example.com/events', types: null, chargerIds: null, authorization: null },
    ],
    [
      'types and chargers',
      { types: 'session.*, a', chargerIds: 'A,B' },
      { types: ['session.*', 'a'], chargerIds: ['A', 'B'] },
    ],
    ['sites', { siteIds: '3,4', includeSubsites: 'on' }, { siteIds: [3, 4], includeSubsites: true }],
    ['no site', { siteIds: '' }, { siteIds: null, includeSubsites: false }],
    ['a header in a push format', { format: 'push-v2', authorization: 'Bearer x ' }, { authorization: 'Bearer x' }],
    [
      'a header that is removed',
      { format: 'push-v1', authorization: '', noAuthorization: 'on' },
      { authorization: null },
    ],
    ['a header without the push format', { authorization: 'Bearer x' }, { authorization: null }],
    ['where it begins', { startAt: 'oldest', startDisabled: 'on' }, { startAt: 'oldest', enabled: false }],
  ])('is right for %s', (_, fields, input) => {
    expect(inputOf(formOf(fields))).toMatchObject(input);
  });

  it('leaves as it is what it does not have', () => {
    const absent = ['siteIds', 'includeSubsites', 'authorization', 'startAt', 'enabled'];
    const input = inputOf(formOf({ format: 'push-v1', authorization: '', startAt: '' }));
    expect(absent.filter((name) => name in input)).toEqual([]);
  });
});
