import { hasRoomForCertificate } from './charger-certificate';

const V2G = { type: 'V2GCertificate' };
const of = (incarnationId: string, count: number, type = {}) =>
  Array.from({ length: count }, () => ({ incarnationId, ...type }));

it.each([
  ['has room without any', [], true],
  ['has room for its hundredth', of('now', 99), true],
  ['has no room beyond a hundred', of('now', 100), false],
  ['has room beside a hundred for vehicles', of('now', 100, V2G), true],
  ['does not count those of earlier registrations', [...of('before', 100), ...of('earlier', 100)], true],
  ['has no room beyond a thousand of its charger id', [...of('before', 999), ...of('now', 1)], false],
])('%s, for a registration', (_title, kept, hasRoom) => {
  expect(hasRoomForCertificate(kept, { incarnationId: 'now', type: 'ChargingStationCertificate' })).toBe(hasRoom);
});

it('counts those of one type for vehicles', () => {
  const next = { incarnationId: 'now', ...V2G };
  expect(hasRoomForCertificate([...of('now', 99, V2G), ...of('now', 100)], next)).toBe(true);
  expect(hasRoomForCertificate(of('now', 100, V2G), next)).toBe(false);
});
