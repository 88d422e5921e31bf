import { REPORT_VERSION } from '@busbar/contracts';
import { createOwners } from './owners';

const partitions = Array.from({ length: 16 }, (_, partition) => partition);

describe('the owners of partitions', () => {
  it('names the replica itself while it is alone', () => {
    const owners = createOwners('a');
    expect(partitions.every((partition) => owners.ownerOf(partition) === 'a')).toBe(true);
  });

  it('names the same in every replica that sees the same others, and gives both some', () => {
    const [a, b] = [createOwners('a'), createOwners('b')];
    a.renewed('b', 'here', REPORT_VERSION);
    b.renewed('a', 'here', REPORT_VERSION);
    const seen = partitions.map((partition) => a.ownerOf(partition));
    expect(partitions.map((partition) => b.ownerOf(partition))).toEqual(seen);
    expect(new Set(seen).size).toBe(2);
  });

  it('moves only the share of a replica that leaves', () => {
    const owners = createOwners('a');
    for (const other of ['b', 'c']) owners.renewed(other, 'here', REPORT_VERSION);
    const before = partitions.map((partition) => owners.ownerOf(partition));
    owners.renewed('c', 'leaving', REPORT_VERSION);
    const after = partitions.map((partition) => owners.ownerOf(partition));
    before.forEach((owner, partition) => {
      if (owner !== 'c') expect(after[partition]).toBe(owner);
    });
    expect(after).not.toContain('c');
  });

  it('drops a replica that was silent over four of their own notices', () => {
    const owners = createOwners('a');
    owners.renewed('b', 'here', REPORT_VERSION);
    for (let notice = 0; notice < 3; notice += 1) owners.renewed('a', 'here', REPORT_VERSION);
    expect(owners.replicas()).toBe(2);
    owners.renewed('a', 'here', REPORT_VERSION);
    expect(owners.replicas()).toBe(1);
  });

  it('names the replicas that read the newest reports, until the last of them leaves', () => {
    const [old, newer] = [createOwners('a'), createOwners('b')];
    for (const owners of [old, newer]) {
      owners.renewed('a', 'here', REPORT_VERSION);
      owners.renewed('b', 'here', REPORT_VERSION + 1);
      owners.renewed('c', 'here', REPORT_VERSION);
      expect(partitions.every((partition) => owners.ownerOf(partition) === 'b')).toBe(true);
    }
    old.renewed('b', 'leaving', REPORT_VERSION + 1);
    expect(new Set(partitions.map((partition) => old.ownerOf(partition)))).toEqual(new Set(['a', 'c']));
  });

  it('takes a replica that names no version for one that reads the first', () => {
    const owners = createOwners('a');
    owners.renewed('b', 'here');
    expect(partitions.every((partition) => owners.ownerOf(partition) === 'a')).toBe(true);
  });
});
