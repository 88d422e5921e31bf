// Encodes bodies as text: JSON for requests, responses and broadcasts; for queues the channel's own encoding.
import { versionOf, type QueueChannel } from '@busbar/contracts';
import type { Delivery } from '../port';

// RabbitMQ 4 closes the channel for a message above 16 MiB, and every unconfirmed message with it.
export const MAX_BODY_BYTES = 16_000_000;

/** An unreadable body is cut to this length: enough to recognize it, and bounded. */
const MALFORMED_CHARACTERS = 1_000_000;

/** Throws what the channel's encoder throws. */
export function encodeBody<Body>(channel: QueueChannel<Body>, body: Body): Buffer {
  return Buffer.from(channel.encode ? channel.encode(body) : toText(body));
}

/** Returns the version instead of a delivery where it is newer than the channel's. */
export function decodeBody<Body>(
  channel: QueueChannel<Body>,
  content: Buffer,
  redelivered: boolean,
): Delivery<Body> | { readonly newer: number } {
  const text = content.toString();
  try {
    const read = fromText(text);
    const version = versionOf(read);
    if (version > channel.version) return { newer: version };
    return { body: channel.decode ? channel.decode(read) : (read as Body), redelivered };
  } catch (error) {
    const malformed = error instanceof Error ? error : new Error(String(error));
    return { body: undefined, malformed, text: text.slice(0, MALFORMED_CHARACTERS), redelivered };
  }
}

export function encodeLetter(body: unknown): Buffer {
  return Buffer.from(toText(body));
}

/** Throws SyntaxError for text that is not JSON. */
export function decodeLetter(content: Buffer): unknown {
  return fromText(content.toString());
}

// JSON has no undefined, and a response may be empty.
function toText(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value);
}

function fromText(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}
