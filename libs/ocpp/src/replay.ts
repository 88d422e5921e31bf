// Rule 28: the last answers on one connection, so that a repeated frame gets the identical answer and has no second effect.
// Small, since there is one for each of very many connections: contents are stored as a hash.
import type { CallFrame, MessageRef } from './frame';
import { hasOwnTime } from './v2/own-time';

/** Answers that are stored. A charger has one CALL in flight, so it repeats the last one or one shortly before. */
const REMEMBERED = 8;
/** Open calls are not evicted below this number. The gateway pauses reading from a socket before. */
const MAX_OPEN = 256;
/** Copies of an open frame that are answered. */
const MAX_COPIES = 8;

/** A CALL and its answer, as a replay memory holds it. */
export type ReplayEntry = Entry;

/** The memory of a charger's connections before. */
export interface EarlierReplay {
  readonly entries: readonly ReplayEntry[];
  /** False once an entry is too old to be repeated. */
  readonly isFresh: (entry: ReplayEntry) => boolean;
  /** The charger may have booted on a connection in between that is not known here. */
  readonly mayHaveBooted?: boolean;
}

export type ReplayVerdict =
  /** Not seen: open from now until `recordAnswer` or `forget`. */
  | { readonly kind: 'new' }
  /** Seen and answered: send this answer again, do nothing else. */
  | { readonly kind: 'answered'; readonly answer: string }
  /** Seen and still processed: do nothing, `recordAnswer` returns how often to send. */
  | { readonly kind: 'open' }
  /** The id was used before with other content. */
  | { readonly kind: 'conflict' };

type ReplayedCall = Pick<CallFrame, 'id' | 'numericId' | 'action'> & Partial<Pick<CallFrame, 'payload'>>;

export interface Replay {
  /** Looks a CALL up by its id and whole text. */
  begin(call: ReplayedCall, text: string): ReplayVerdict;
  /** Stores the answer to an open call. Returns how often to send it: once, and once for each copy. */
  recordAnswer(call: MessageRef, answer: string): number;
  /** Forgets a call, so that its repeat is processed again after a temporary failure. Returns as `recordAnswer` does. */
  forget(call: MessageRef): number;
  /** The last CALLs, for the charger's next connection. Answers that arrive later are added to them. */
  entries(): readonly ReplayEntry[];
}

interface Entry {
  readonly id: string;
  readonly numericId: boolean;
  readonly hash: number;
  answer: string | undefined;
  copies: number;
  /** The charger has booted since. */
  isBeforeBoot: boolean;
}

/** Not looked up in each round: in the sandbox of Jest a global takes longer than the whole round. */
const { imul } = Math;
const NEW: ReplayVerdict = { kind: 'new' };
const OPEN: ReplayVerdict = { kind: 'open' };
const CONFLICT: ReplayVerdict = { kind: 'conflict' };

const BOOT = 'BootNotification';
/**
 * Their answers hold at their own time alone, so that a later connection gets new ones: the ids of a charger may restart with a boot,
 * and its first frames are the same after each.
 */
const OF_ONE_CONNECTION: ReadonlySet<string> = new Set([BOOT, 'Heartbeat']);

/**
 * The replay memory of one connection. `earlier`: those of the charger's connections before, where ids are unique over all of them
 * (rule 119). The same id with other content is a new message there: counters restart with a boot. So after one the same content is the same
 * message only where that has a time of its own.
 */
export function createReplay(remembered: number = REMEMBERED, earlier?: EarlierReplay): Replay {
  const entries: Entry[] = [];
  const older = [...(earlier?.entries ?? [])];
  if (earlier?.mayHaveBooted === true) markBeforeBoot(older);
  const findOlder = (call: ReplayedCall, hash: number): string | undefined => {
    if (OF_ONE_CONNECTION.has(call.action)) return undefined;
    const found = older.find(
      (entry) =>
        isOf(entry, call) &&
        entry.hash === hash &&
        entry.answer !== undefined &&
        (!entry.isBeforeBoot || hasOwnTime(call.payload)),
    );
    return found !== undefined && earlier?.isFresh(found) === true ? found.answer : undefined;
  };
  // From the end: the wanted entry is nearly always the last.
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
        const answer = older.length === 0 ? undefined : findOlder(call, hash);
        if (answer !== undefined) return { kind: 'answered', answer };
        if (call.action === BOOT) [older, entries].forEach(markBeforeBoot);
        const { id, numericId } = call;
        entries.push({ id, numericId, hash, answer: undefined, copies: 1, isBeforeBoot: false });
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
      dropFrom(older, call);
      const at = indexOf(call);
      return at < 0 ? 1 : (entries.splice(at, 1)[0]?.copies ?? 1);
    },
    entries: () => [...older, ...entries].slice(-remembered),
  };
}

function markBeforeBoot(entries: readonly Entry[]): void {
  for (const entry of entries) entry.isBeforeBoot = true;
}

function isOf(entry: Entry, call: MessageRef): boolean {
  return entry.id === call.id && entry.numericId === call.numericId;
}

/** All of the id: connections before may have had it with other content, or before it was answered. */
function dropFrom(entries: Entry[], call: MessageRef): void {
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const entry = entries[at];
    if (entry !== undefined && isOf(entry, call)) entries.splice(at, 1);
  }
}

function evict(entries: Entry[], remembered: number): void {
  if (entries.length <= remembered) return;
  const answered = entries.findIndex((entry) => entry.answer !== undefined);
  if (answered >= 0) entries.splice(answered, 1);
  else if (entries.length > MAX_OPEN) entries.shift();
}

/** 53 bits of two interleaved multiplicative hashes (after cyrb53): collisions by accident are improbable. */
function hashOf(text: string): number {
  let low = 0xdeadbeef ^ text.length;
  let high = 0x41c6ce57 ^ text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    low = imul(low ^ unit, 0x9e3779b1);
    high = imul(high ^ unit, 0x5f356495);
  }
  low = imul(low ^ (low >>> 16), 0x85ebca6b) ^ imul(high ^ (high >>> 13), 0xc2b2ae35);
  high = imul(high ^ (high >>> 16), 0x85ebca6b) ^ imul(low ^ (low >>> 13), 0xc2b2ae35);
  return (high & 0x1fffff) * 0x1_0000_0000 + (low >>> 0);
}
