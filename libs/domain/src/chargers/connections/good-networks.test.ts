import { withGoodNetwork } from './good-networks';

it.each([
  [[], 'a', ['a']],
  [['a'], 'b', ['a', 'b']],
  [['a', 'b'], 'a', ['b', 'a']],
  [['a', 'b', 'c', 'd'], 'e', ['b', 'c', 'd', 'e']],
])('adds to %j the network %s as the last of at most four: %j', (before, network, after) => {
  expect(withGoodNetwork(before, network)).toEqual(after);
});

it('returns the same list where the network was the last already', () => {
  const networks = ['a', 'b'];
  expect(withGoodNetwork(networks, 'b')).toBe(networks);
});
