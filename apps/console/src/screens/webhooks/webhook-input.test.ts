import { inputOf, isRefusing, momentOf, replayFrom, replayOfWaiting } from './webhook-input';

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

it.each([
  ['active', null, false],
  ['active', '2026-01-31T12:00:00.000Z', true],
  ['failing', '2026-01-31T12:00:00.000Z', false],
  ['disabled', null, false],
] as const)(
  'a webhook that is %s, with its next attempt at %s, refuses single events: %s',
  (status, nextAttemptAt, is) => {
    expect(isRefusing({ status, nextAttemptAt })).toBe(is);
  },
);

describe('a replay begins', () => {
  const oldest = new Date(2026, 0, 31, 12, 5, 59).toISOString();
  const success = new Date(2026, 0, 31, 13, 0, 0).toISOString();

  it.each([
    ['at the oldest event that waits', { waiting: 3, oldestWaitingAt: oldest }, oldest],
    ['at the last success where nothing waits', { waiting: 0, oldestWaitingAt: null }, success],
    ['where the reader says where too many wait', { waiting: 10_000, oldestWaitingAt: null }, null],
  ])('%s', (_, webhook, from) => {
    expect(replayFrom({ ...webhook, lastSuccessAt: success })).toBe(from);
  });

  it.each([
    ['as it was filled in', '2026-01-31T12:05', oldest, oldest],
    ['as the reader changed it', '2026-01-31T12:04', oldest, new Date(2026, 0, 31, 12, 4).toISOString()],
    ['as the reader filled it in', '2026-01-31T12:05', null, new Date(2026, 0, 31, 12, 5).toISOString()],
  ])('where the field says, %s', (_, field, from, moment) => {
    expect(momentOf(field, from)).toBe(moment);
  });

  it.each([
    ['of what waits alone', { waiting: 3, oldestWaitingAt: '2026-01-31T12:05:59.999Z' }, '2026-01-31T12:06:00.000Z'],
    ['not where nothing waits', { waiting: 0, oldestWaitingAt: null }, undefined],
    ['not where too many wait', { waiting: 10_000, oldestWaitingAt: null }, undefined],
  ])('%s', (_, webhook, to) => {
    expect(replayOfWaiting(webhook)).toEqual(to === undefined ? undefined : { after: webhook.oldestWaitingAt, to });
  });
});
