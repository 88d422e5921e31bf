import { remoteStartOf } from './remote-start';

it.each([
  [
    { idTag: 'T', connectorId: 2 },
    { idTag: 'T', connectorId: 2 },
  ],
  [
    { idTag: 'T', connectorId: 2, chargingProfile: { chargingProfileId: 1 } },
    { idTag: 'T', connectorId: 2 },
  ],
  [{ idTag: 'T' }, { idTag: 'T' }],
  [{ connectorId: 2 }, undefined],
  [{ idTag: 7 }, undefined],
  [{ idTag: 'T'.repeat(256) }, undefined],
  [{ idTag: 'T', connectorId: 1.5 }, undefined],
])('reads the tag and the connector of a remote start: %j', (payload, expected) => {
  expect(remoteStartOf({ action: 'RemoteStartTransaction', payload })).toEqual(expected);
});

it('reads nothing out of another CALL', () => {
  expect(remoteStartOf({ action: 'ReserveNow', payload: { idTag: 'T', connectorId: 2 } })).toBeUndefined();
});
