// Rule 28: what was answered lately on one connection, so that a frame that comes again gets the identical answer and
// has no second effect. Small, since there is one for each of very many connections: contents are kept as a hash.
import type { MessageRef } from './frame';

/** Answers kept for repeats. A charger has one CALL pending, so a repeat is of the last one or of few before it. */
const REMEMBERED = 8;
/** Calls not answered yet are not forgotten, up to here. The gateway stops reading from a socket before. */
const MAX_OPEN = 256;
/** Each copy of a frame that comes while the first is worked on is answered, up to here. */
const MAX_COPIES = 8;

export type ReplayVerdict =
  /** Not seen: now open until `settle` or `forget`. */
  | { readonly kind: 'new' }
  /** Seen and answered: send this again, do nothing else. */
  | { readonly kind: 'answered'; readonly answer: string }
  /** Seen and still worked on: do nothing, `settle` says how often to send. */
  | { readonly kind: 'open' }
  /** The id came before with other content. */
  | { readonly kind: 'conflict' };

export interface Replay {
  /** Judges a CALL by its id and whole text. */
  begin(call: MessageRef, text: string): ReplayVerdict;
  /** Remembers the answer to an open call; returns how often to send it: once and once for each copy that came meanwhile. */
  recordAnswer(call: MessageRef, answer: string): number;
  /** Forgets a call, so that its repeat is tried anew: for answers that say "not now". Returns as `settle` does. */
  forget(call: MessageRef): number;
}

interface Entry {
  readonly id: string;
  readonly numericId: boolean;
  readonly hash: number;
  answer: string | undefined;
  copies: number;
}

const NEW: ReplayVerdict = { kind: 'new' };
const OPEN: ReplayVerdict = { kind: 'open' };
const CONFLICT: ReplayVerdict = { kind: 'conflict' };

/** The memory of one connection. */
export function createReplay(remembered: number = REMEMBERED): Replay {
  const entries: Entry[] = [];
  // From the end: what is looked for is nearly always the last.
  const indexOf = (call: MessageRef): number => {
    for (let at = entries.length - 1; at >= 0; at -= 1) {
      const entry = entries[at];
      if (entry?.id === call.id && entry.numericId === call.numericId) return at;
    }
    return -1;
  };

  return {
    begin(call, text) {
      const seen = entries[indexOf(call)];
      const hash = hashOf(text);
      if (seen === undefined) {
        entries.push({ id: call.id, numericId: call.numericId, hash, answer: undefined, copies: 1 });
        evict(entries, remembered);
        return NEW;
      }
      if (seen.hash !== hash) return CONFLICT;
      if (seen.answer !== undefined) return { kind: 'answered', answer: seen.answer };
      seen.copies = Math.min(seen.copies + 1, MAX_COPIES);
      return OPEN;
    },
    recordAnswer(call, answer) {
      const entry = entries[indexOf(call)];
      if (entry === undefined) return 1;
      entry.answer = answer;
      return entry.copies;
    },
    forget(call) {
      const at = indexOf(call);
      return at < 0 ? 1 : (entries.splice(at, 1)[0]?.copies ?? 1);
    },
  };
}

function evict(entries: Entry[], remembered: number): void {
  if (entries.length <= remembered) return;
  const answered = entries.findIndex((entry) => entry.answer !== undefined);
  if (answered >= 0) entries.splice(answered, 1);
  else if (entries.length > MAX_OPEN) entries.shift();
}

/** 53 bits of two interleaved multiplicative hashes (after cyrb53): no charger meets a collision by accident. */
function hashOf(text: string): number {
  let low = 0xdeadbeef ^ text.length;
  let high = 0x41c6ce57 ^ text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x9e3779b1);
    high = Math.imul(high ^ unit, 0x5f356495);
  }
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  return (high & 0x1fffff) * 0x1_0000_0000 + (low >>> 0);
}
