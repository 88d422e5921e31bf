/**
 * The partition of a charger, 0 ≤ n < count: FNV-1a over the UTF-16 units of its id. All of one charger's messages share a
 * partition, whichever gateway sends them, which is what keeps them in order.
 */
export function partitionOf(chargerId: string, count: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < chargerId.length; i += 1) {
    hash = Math.imul(hash ^ chargerId.charCodeAt(i), 0x01000193);
  }
  // FNV's low bits are its weak ones: fold the high half in before the modulus.
  hash ^= hash >>> 16;
  return (hash >>> 0) % count;
}
