import { withGoodNetwork } from './good-networks';

it.each([
  [[], 'a', ['a']],
  [['a'], 'b', ['a', 'b']],
  [['a', 'b'], 'a', ['b', 'a']],
  [['a', 'b', 'c', 'd'], 'e', ['b', 'c', 'd', 'e']],
])('of %j and then %s the last four are kept, the latest one last: %j', (before, network, after) => {
  expect(withGoodNetwork(before, network)).toEqual(after);
});

it('is the same list where the network was the latest already', () => {
  const networks = ['a', 'b'];
  expect(withGoodNetwork(networks, 'b')).toBe(networks);
});
