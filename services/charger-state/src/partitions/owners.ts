// Decides which replica owns which partition, by rendezvous hashing over the live replicas. Pure: every replica that sees the
// same others gives the same result. A replica that joins or leaves moves only its own share. While replicas differ in the
// newest version of reports that they read, the newest ones own all partitions: the others would only leave reports for them.
import { createHash } from 'node:crypto';
import { REPORT_VERSION } from '@busbar/contracts';

export type Owners = ReturnType<typeof createOwners>;

/** Own notices received without one of another replica in between, after which that replica counts as gone. */
const MISSED = 3;
const FIRST_VERSION = 1;

interface Seen {
  /** Own notices since its last one. */
  missed: number;
  readonly reads: number;
}

export function createOwners(self: string) {
  const seen = new Map<string, Seen>([[self, { missed: 0, reads: REPORT_VERSION }]]);
  return {
    /** A replica announced that it is active and reads reports up to a version, or that it leaves. */
    renewed(replicaId: string, state: 'here' | 'leaving', reads: number = FIRST_VERSION): void {
      if (replicaId === self) {
        for (const [other, each] of seen) {
          if (other === self) continue;
          if (each.missed >= MISSED) seen.delete(other);
          else each.missed += 1;
        }
      }
      if (replicaId !== self && state === 'leaving') seen.delete(replicaId);
      else seen.set(replicaId, { missed: 0, reads });
    },
    ownerOf(partition: number): string {
      let owner = self;
      let best = '';
      const newest = Math.max(...Array.from(seen.values(), ({ reads }) => reads));
      for (const [replicaId, { reads }] of seen) {
        if (reads < newest) continue;
        const weight = createHash('sha256')
          .update(`${replicaId}/${String(partition)}`)
          .digest('hex');
        if (weight > best) [owner, best] = [replicaId, weight];
      }
      return owner;
    },
    replicas: () => seen.size,
  };
}
