// Decides which replica of a service owns which key (a partition, a webhook), by rendezvous hashing over the live replicas. Pure: every
// replica that sees the same others gives the same result. A replica that joins or leaves moves only its own share. While replicas
// differ in the newest version of messages that they read, the newest ones own all keys: the others would only leave messages for them.
import { createHash } from 'node:crypto';

export type Owners = ReturnType<typeof createOwners>;

/** Own notices received without one of another replica in between, after which that replica counts as gone. */
const MISSED = 3;
const FIRST_VERSION = 1;

interface Seen {
  /** Own notices since its last one. */
  missed: number;
  readonly reads: number;
}

/** `ownReads`: the newest version of messages that this replica reads. */
export function createOwners(self: string, ownReads: number = FIRST_VERSION) {
  const seen = new Map<string, Seen>([[self, { missed: 0, reads: ownReads }]]);
  return {
    /** A replica announced that it is active and reads messages up to a version, or that it leaves. */
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
    ownerOf(key: string): string {
      const replicas = Array.from(seen, ([replicaId, { reads }]) => ({ replicaId, reads }));
      return ownerAmong(key, replicas) ?? self;
    },
    replicas: () => seen.size,
  };
}

/** The owner of a key among these replicas; undefined without any. */
export function ownerAmong(
  key: string,
  replicas: readonly { readonly replicaId: string; readonly reads: number }[],
): string | undefined {
  let owner: string | undefined;
  let best = '';
  const newest = Math.max(...replicas.map(({ reads }) => reads));
  for (const { replicaId, reads } of replicas) {
    if (reads < newest) continue;
    const weight = createHash('sha256').update(`${replicaId}/${key}`).digest('hex');
    if (weight > best) [owner, best] = [replicaId, weight];
  }
  return owner;
}
