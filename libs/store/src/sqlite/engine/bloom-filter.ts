// A Bloom filter of texts, with a byte for each: no false negatives, one false positive in fifty. The format is stored:
// another one needs another column name (`keysColumn` in table.ts).
export type BloomFilter = Uint8Array;

/** Bits set for each text: the optimum for eight bits a text. */
const BITS_OF_KEY = 5;
/** Not looked up in each round: in the sandbox of Jest a global takes longer than the whole round. */
const { imul } = Math;
const FNV_PRIME = 0x01000193;
const FIRST_BASIS = 0x811c9dc5;
const STEP_BASIS = 0x5bd1e995;

/** The positions of a text's bits in a filter of any size, computed once for all filters. */
export interface Key {
  readonly at: number;
  readonly step: number;
}

export function keyOf(text: string): Key {
  return { at: hash(text, FIRST_BASIS), step: hash(text, STEP_BASIS) };
}

export function bloomFilterOf(texts: readonly string[]): BloomFilter {
  const set = new Uint8Array(Math.max(1, texts.length));
  const bits = set.length * 8;
  for (const text of texts) {
    const { at: first, step } = keyOf(text);
    let at = first;
    for (let n = 0; n < BITS_OF_KEY; n += 1) {
      const bit = at % bits;
      set[bit >>> 3] = (set[bit >>> 3] ?? 0) | (1 << (bit & 7));
      at = (at + step) >>> 0;
    }
  }
  return set;
}

/** False: the text is certainly not in the filter. */
export function mightContain(set: BloomFilter, { at: first, step }: Key): boolean {
  const bits = set.length * 8;
  let at = first;
  for (let n = 0; n < BITS_OF_KEY; n += 1) {
    const bit = at % bits;
    if (((set[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
    at = (at + step) >>> 0;
  }
  return true;
}

/**
 * FNV-1a over the UTF-16 units, then the finalizer of MurmurHash3, so that every bit of the result depends on all of
 * them.
 */
function hash(text: string, basis: number): number {
  let value = basis;
  for (let n = 0; n < text.length; n += 1) value = imul(value ^ text.charCodeAt(n), FNV_PRIME);
  value = imul(value ^ (value >>> 16), 0x85ebca6b);
  value = imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
