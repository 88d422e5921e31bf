// Limits the stored text of a frame. Up to 16 KiB it is unchanged; a larger one loses insignificant white space first, then
// everything beyond 16 KiB. It is not parsed and serialized, so numbers keep their digits.

/** UTF-8 bytes of one frame in the OCPP log and in a charger's `lastMessage`. */
export const MAX_KEPT_BYTES = 16_384;
/** No character of UTF-16 takes more in UTF-8, so a shorter text need not be measured. */
const MAX_BYTES_PER_CHARACTER = 3;
const FIRST_TRAILING_BYTE = 0x80;
const FIRST_LEADING_BYTE = 0xc0;

export interface StoredFrame {
  /** At most `MAX_KEPT_BYTES`. */
  readonly text: string;
  /** The frame's UTF-8 bytes, where `text` is shorter. */
  readonly bytes?: number;
}

/** The UTF-8 bytes of a frame above the limit; undefined for every other. */
export function oversize(frame: string): number | undefined {
  if (frame.length * MAX_BYTES_PER_CHARACTER <= MAX_KEPT_BYTES) return undefined;
  const bytes = Buffer.byteLength(frame);
  return bytes > MAX_KEPT_BYTES ? bytes : undefined;
}

/** The frame without insignificant white space. Takes a valid JSON text; linear in its length. */
export function compactFrame(frame: string): string {
  let compact = '';
  let at = 0;
  while (at < frame.length) {
    const opening = frame.indexOf('"', at);
    const between = opening === -1 ? frame.slice(at) : frame.slice(at, opening);
    compact += between.replace(/[ \t\r\n]+/g, '');
    if (opening === -1) break;
    at = endOfString(frame, opening);
    compact += frame.slice(opening, at);
  }
  return compact;
}

/** The stored form of a frame. `bytes`: its original length, where white space has been removed already. */
export function storedFrame(frame: string, bytes: number | undefined = oversize(frame)): StoredFrame {
  if (bytes === undefined) return { text: frame };
  const compact = compactFrame(frame);
  return { text: oversize(compact) === undefined ? compact : cut(compact), bytes };
}

function endOfString(text: string, opening: number): number {
  for (let at = opening + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/** By way of bytes: a slice of the text would keep the whole frame in memory. */
function cut(text: string): string {
  const bytes = Buffer.from(text);
  let end = MAX_KEPT_BYTES;
  while (isTrailing(bytes[end])) end -= 1;
  return bytes.toString('utf8', 0, end);
}

function isTrailing(byte: number | undefined): boolean {
  return byte !== undefined && byte >= FIRST_TRAILING_BYTE && byte < FIRST_LEADING_BYTE;
}
