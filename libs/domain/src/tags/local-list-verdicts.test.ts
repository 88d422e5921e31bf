import { createFakeClock } from '@busbar/testing';
import type { Client } from '../clients/client';
import type { AuthorizationEndpoint } from '../real-time-authorization/authorization-endpoint';
import { newAuthorizationEndpoint } from '../testing/authorization-endpoint';
import { storedTags } from '../testing/stored-tags';
import { newTag } from '../testing/tag';
import { judgeLocalList, type JudgedEntry, type LocalListEntry } from './local-list-verdicts';

const NOW = '2026-01-01T12:00:00.000Z';
const LATER = '2026-06-01T00:00:00.000Z';
const CLIENT: Client = { clientId: 'client', name: 'Client', openCharging: false, createdAt: NOW };

const TAGS = [
  newTag({ idTag: 'Plain' }),
  newTag({ idTag: 'Blocked', blocked: true }),
  newTag({ idTag: 'Expired', expiringDate: NOW }),
  newTag({ idTag: 'Future', startDate: LATER }),
  newTag({ idTag: 'Full', expiringDate: LATER, parentIdTag: 'Group' }),
  newTag({ idTag: 'Foreign', clientId: 'other' }),
];

function judge(
  entries: readonly LocalListEntry[],
  client: Client | undefined = CLIENT,
  endpoint?: AuthorizationEndpoint,
): Promise<JudgedEntry[]> {
  const clients = { find: () => Promise.resolve(client) };
  const clock = createFakeClock(new Date(NOW));
  const authorizationEndpoints = { find: () => Promise.resolve(endpoint) };
  const deps = { tags: storedTags(...TAGS), clients, authorizationEndpoints, clock };
  return judgeLocalList(deps, { clientId: 'client', siteId: 3 }, entries);
}

describe('an entry of a local list', () => {
  it.each<[string, LocalListEntry, JudgedEntry]>([
    ['is accepted for a valid tag', { rfidTag: 'Plain' }, { rfidTag: 'Plain', status: 'Accepted' }],
    ['keeps its case, which its record may not share', { rfidTag: 'PLAIN' }, { rfidTag: 'PLAIN', status: 'Accepted' }],
    ['is blocked for a blocked tag', { rfidTag: 'Blocked' }, { rfidTag: 'Blocked', status: 'Blocked' }],
    [
      'is expired for an expired tag, and has its date',
      { rfidTag: 'Expired' },
      { rfidTag: 'Expired', status: 'Expired', expiringDate: NOW },
    ],
    ['is invalid for a tag that is not yet valid', { rfidTag: 'Future' }, { rfidTag: 'Future', status: 'Invalid' }],
    ['is invalid for an unknown tag', { rfidTag: 'None' }, { rfidTag: 'None', status: 'Invalid' }],
    ['is invalid for the tag of another client', { rfidTag: 'Foreign' }, { rfidTag: 'Foreign', status: 'Invalid' }],
    [
      'has the expiry and parent of its record',
      { rfidTag: 'Full' },
      { rfidTag: 'Full', status: 'Accepted', expiringDate: LATER, inheritedParentRfidTag: 'Group' },
    ],
    [
      'has the given expiry and parent instead of those of its record',
      { rfidTag: 'Full', expiringDate: NOW, parentRfidTag: 'Own' },
      { rfidTag: 'Full', status: 'Accepted', expiringDate: NOW, parentRfidTag: 'Own' },
    ],
    [
      'has the given status, and nothing of its record',
      { rfidTag: 'Full', status: 'Blocked' },
      { rfidTag: 'Full', status: 'Blocked' },
    ],
    ['has no status where it removes the tag', { rfidTag: 'Full', status: null }, { rfidTag: 'Full' }],
  ])('%s', async (_title, entry, expected) => {
    expect(await judge([entry])).toEqual([expected]);
    // Beside an entry whose record is read it is the same.
    expect(await judge([{ rfidTag: 'Plain' }, entry])).toEqual([{ rfidTag: 'Plain', status: 'Accepted' }, expected]);
  });

  it.each([
    ['is accepted for an unknown tag with open charging', { ...CLIENT, openCharging: true }, 'Accepted'],
    ['is invalid for an unknown tag without open charging', CLIENT, 'Invalid'],
  ] as const)('%s', async (_title, client, status) => {
    expect(await judge([{ rfidTag: 'None' }], client)).toEqual([{ rfidTag: 'None', status }]);
  });
});

it.each([
  ['is invalid', newAuthorizationEndpoint(), 'Invalid'],
  ['is accepted where the endpoint is disabled', newAuthorizationEndpoint({ enabled: false }), 'Accepted'],
  ['is accepted where the endpoint is for other sites', newAuthorizationEndpoint({ siteIds: [4] }), 'Accepted'],
] as const)(
  'an unknown tag in a local list, with open charging and an endpoint, %s',
  async (_title, endpoint, status) => {
    const client = { ...CLIENT, openCharging: true };
    expect(await judge([{ rfidTag: 'None' }], client, endpoint)).toEqual([{ rfidTag: 'None', status }]);
  },
);

it('reads the types of tags alone for a local list whose entries all have a status', async () => {
  const unread = () => Promise.reject(new Error('nothing is to be read'));
  const tags = storedTags(newTag({ idTag: 'A', type: 'eMAID', blocked: true, parentIdTag: 'P' }));
  const records = { tags, clients: { find: unread }, authorizationEndpoints: { find: unread } };
  const deps = { ...records, clock: createFakeClock() };
  const owner = { clientId: 'client', siteId: 3 };
  const entries = [
    { rfidTag: 'A', status: 'Accepted' },
    { rfidTag: 'B', status: null },
  ] as const;
  expect(await judgeLocalList(deps, owner, entries)).toEqual([
    { rfidTag: 'A', status: 'Accepted', type: 'eMAID' },
    { rfidTag: 'B' },
  ]);
  expect(await judgeLocalList(deps, owner, [])).toEqual([]);
});
