// Bodies as text. Of requests, answers and broadcasts JSON; of queues what the channel says.
import { versionOf, type QueueChannel } from '@busbar/contracts';
import type { Delivery } from '../port';

// RabbitMQ 4 closes the channel for a message above 16 MiB, and with it everything unconfirmed: never let it see one.
export const MAX_BODY_BYTES = 16_000_000;

/** Of a body that cannot be read: enough to see what it is, and of bounded size wherever it is kept. */
const MALFORMED_CHARACTERS = 1_000_000;

/** Throws what the channel's own encoding throws. */
export function encodeBody<Body>(channel: QueueChannel<Body>, body: Body): Buffer {
  return Buffer.from(channel.encode ? channel.encode(body) : toText(body));
}

/** The version instead of a delivery where it is newer than the channel's. */
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

/** Throws SyntaxError for what is not JSON. */
export function decodeLetter(content: Buffer): unknown {
  return fromText(content.toString());
}

// JSON has no undefined; an answer may be nothing.
function toText(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value);
}

function fromText(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}
