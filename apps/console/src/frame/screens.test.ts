import type { Permission } from '../api/session';
import { homeOf } from './screens';

it.each<[Permission[], string | undefined]>([
  [['sites:read', 'chargers:read'], '/'],
  [['tags:read', 'sessions:read'], '/sessions'],
  [['operator'], '/operator/dead-letters'],
  [['chargers:operate'], undefined],
  [[], undefined],
])('7: the console begins for a key with %j at %s', (permissions, home) => {
  expect(homeOf(permissions)).toBe(home);
});
