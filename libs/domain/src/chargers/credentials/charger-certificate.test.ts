import { hasRoomForCertificate } from './charger-certificate';

const of = (incarnationId: string, count: number) => Array.from({ length: count }, () => ({ incarnationId }));

it.each([
  ['has room without any', [], true],
  ['has room for its hundredth', of('now', 99), true],
  ['has no room beyond a hundred', of('now', 100), false],
  ['does not count those of earlier registrations', [...of('before', 100), ...of('earlier', 100)], true],
  ['has no room beyond a thousand of its charger id', [...of('before', 999), ...of('now', 1)], false],
])('%s, for a registration', (_title, kept, hasRoom) => {
  expect(hasRoomForCertificate(kept, 'now')).toBe(hasRoom);
});
