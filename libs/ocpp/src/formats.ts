import { parseTimestamp } from './timestamp';

/** The usual form, on a day that every month has: a fast path without full parsing. */
const USUAL_TIMESTAMP =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;

/** The formats that generated validators call by name. Those of ajv-formats refuse times that real chargers send. */
export const formats = {
  timestamp: (text: string): boolean => USUAL_TIMESTAMP.test(text) || parseTimestamp(text)?.zoned === true,
  lenientTimestamp: (text: string): boolean => parseTimestamp(text) !== undefined,
  lenientTimestampOrEmpty: (text: string): boolean => text === '' || parseTimestamp(text) !== undefined,
  uri: (text: string): boolean => URL.canParse(text),
};

/** The length of a text in code points, as JSON Schema counts it. A lone surrogate counts as one. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i += 1) {
    const isPair = (text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
    if (isPair) count -= 1;
  }
  return count;
}
