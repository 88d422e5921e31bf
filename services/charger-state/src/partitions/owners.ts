// Decides which replica owns which partition, by rendezvous hashing over the live replicas. Pure: every replica that sees the
// same others gives the same result. A replica that joins or leaves moves only its own share.
import { createHash } from 'node:crypto';

export interface Owners {
  /** A replica announced that it is active, or that it leaves. */
  renewed(replicaId: string, state: 'here' | 'leaving'): void;
  ownerOf(partition: number): string;
  replicas(): number;
}

/** Own notices received without one of another replica in between, after which that replica counts as gone. */
const MISSED = 3;

export function createOwners(self: string): Owners {
  const missed = new Map<string, number>([[self, 0]]);
  return {
    renewed(replicaId, state) {
      if (replicaId === self) {
        for (const [other, count] of missed) {
          if (other === self) continue;
          if (count >= MISSED) missed.delete(other);
          else missed.set(other, count + 1);
        }
        return;
      }
      if (state === 'leaving') missed.delete(replicaId);
      else missed.set(replicaId, 0);
    },
    ownerOf(partition) {
      let owner = self;
      let best = '';
      for (const replicaId of missed.keys()) {
        const weight = createHash('sha256')
          .update(`${replicaId}/${String(partition)}`)
          .digest('hex');
        if (weight > best) [owner, best] = [replicaId, weight];
      }
      return owner;
    },
    replicas: () => missed.size,
  };
}
