import { createOwners } from './owners';

const VERSION = 3;
const keys = Array.from({ length: 16 }, (_, key) => String(key));

describe('the owners of keys', () => {
  it('names the replica itself while it is alone', () => {
    const owners = createOwners('a', VERSION);
    expect(keys.every((key) => owners.ownerOf(key) === 'a')).toBe(true);
  });

  it('names the same in every replica that sees the same others, and gives both some', () => {
    const [a, b] = [createOwners('a', VERSION), createOwners('b', VERSION)];
    a.renewed('b', 'here', VERSION);
    b.renewed('a', 'here', VERSION);
    const seen = keys.map((key) => a.ownerOf(key));
    expect(keys.map((key) => b.ownerOf(key))).toEqual(seen);
    expect(new Set(seen).size).toBe(2);
  });

  it('moves only the share of a replica that leaves', () => {
    const owners = createOwners('a', VERSION);
    for (const other of ['b', 'c']) owners.renewed(other, 'here', VERSION);
    const before = keys.map((key) => owners.ownerOf(key));
    owners.renewed('c', 'leaving', VERSION);
    const after = keys.map((key) => owners.ownerOf(key));
    before.forEach((owner, key) => {
      if (owner !== 'c') expect(after[key]).toBe(owner);
    });
    expect(after).not.toContain('c');
  });

  it('drops a replica that was silent over four of their own notices', () => {
    const owners = createOwners('a', VERSION);
    owners.renewed('b', 'here', VERSION);
    for (let notice = 0; notice < 3; notice += 1) owners.renewed('a', 'here', VERSION);
    expect(owners.replicas()).toBe(2);
    owners.renewed('a', 'here', VERSION);
    expect(owners.replicas()).toBe(1);
  });

  it('names the replicas that read the newest messages, until the last of them leaves', () => {
    const [old, newer] = [createOwners('a', VERSION), createOwners('b', VERSION)];
    for (const owners of [old, newer]) {
      owners.renewed('a', 'here', VERSION);
      owners.renewed('b', 'here', VERSION + 1);
      owners.renewed('c', 'here', VERSION);
      expect(keys.every((key) => owners.ownerOf(key) === 'b')).toBe(true);
    }
    old.renewed('b', 'leaving', VERSION + 1);
    expect(new Set(keys.map((key) => old.ownerOf(key)))).toEqual(new Set(['a', 'c']));
  });

  it('takes a replica that names no version for one that reads the first', () => {
    const owners = createOwners('a', VERSION);
    owners.renewed('b', 'here');
    expect(keys.every((key) => owners.ownerOf(key) === 'a')).toBe(true);
  });
});
