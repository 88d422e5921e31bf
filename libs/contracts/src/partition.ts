/**
 * The partition of a charger, 0 ≤ n < count: FNV-1a over the UTF-16 units of its id. All messages of one charger share
 * a partition, whichever gateway sends them, and so keep their order.
 */
export function partitionOf(chargerId: string, count: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < chargerId.length; i += 1) {
    hash = Math.imul(hash ^ chargerId.charCodeAt(i), 0x01000193);
  }
  // The low bits of FNV are weak: fold in the high half before the modulus.
  hash ^= hash >>> 16;
  return (hash >>> 0) % count;
}
