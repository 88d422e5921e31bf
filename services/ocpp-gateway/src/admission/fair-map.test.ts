import { createFairMap, type Origin } from './fair-map';

/** `network:key`, in capitals where charger-state knows the charger. */
function parse(entry: string): { readonly key: string; readonly origin: Origin } {
  const [network = '', key = ''] = entry.split(':');
  return { key, origin: { network, isKnown: key === key.toUpperCase() } };
}

const LIMITS = { maxEntries: 6, maxPerNetwork: 3 };

it.each([
  ['keeps what fits, in the order of insertion', 'a:b b:a c:D', 'b a D', ''],
  ['evicts the oldest of a network beyond its share', 'a:p a:q a:r a:s', 'q r s', 'p'],
  ['evicts unknown chargers of a network before its known ones', 'a:P a:q a:r a:s', 'P r s', 'q'],
  ['evicts a known charger for a known one in a network that has only those', 'a:P a:Q a:R a:S', 'Q R S', 'P'],
  ['rejects an unknown charger of a network that has only known ones', 'a:P a:Q a:R a:s', 'P Q R', 's'],
  ['rejects an unknown charger when full of known ones', 'a:P a:Q b:R c:S d:T e:U f:v', 'P Q R S T U', 'v'],
  ['evicts unknown chargers of the network with most when full', 'a:p b:q b:r c:s d:t e:u f:V', 'p r s t u V', 'q'],
  ['evicts unknown chargers before a network with more known ones', 'a:P a:Q a:R b:s b:T c:U d:V', 'P Q R T U V', 's'],
  ['evicts known chargers of the network with most when all are', 'a:P a:Q b:R c:S d:T e:U f:V', 'Q R S T U V', 'P'],
])('%s', (_title, added, kept, evicted) => {
  const map = createFairMap<string>(LIMITS);
  const gone = added.split(' ').map((entry) => {
    const { key, origin } = parse(entry);
    return map.add(key, key, origin);
  });
  expect([...map.entries()].map(([key]) => key).join(' ')).toBe(kept);
  expect(gone.filter((key) => key !== undefined).join(' ')).toBe(evicted);
  expect(map.size()).toBe(kept.split(' ').length);
});

it('does not count a deleted entry', () => {
  const map = createFairMap<string>(LIMITS);
  for (const entry of ['a:p', 'a:q', 'a:r', 'b:s', 'b:t', 'c:u']) {
    const { key, origin } = parse(entry);
    map.add(key, key, origin);
  }
  for (const key of ['p', 'q', 'r', 'r', 'nothing']) map.delete(key);
  expect(map.get('p')).toBeUndefined();
  for (const key of ['v', 'w', 'x']) expect(map.add(key, key, { network: 'a', isKnown: false })).toBeUndefined();
  expect(map.add('Y', 'Y', { network: 'd', isKnown: true })).toBe('v');
});
