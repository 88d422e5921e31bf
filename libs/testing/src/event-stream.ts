// A stream of server-sent events on a raw socket: counted, and not kept.
import type { Socket } from 'node:net';

export interface CountedStream<S extends Socket = Socket> {
  readonly socket: S;
  /** The number of events. */
  received(): number;
  hasBegun(): boolean;
  isClosed(): boolean;
}

const FIELD = '\nevent: ';
/** What each stream of the service begins with. */
const BEGIN = 'retry: 3000';

/** Sends the head of a request, lines without their ends, and counts what comes. */
export function countStream<S extends Socket>(socket: S, head: readonly string[]): CountedStream<S> {
  let received = 0;
  let hasBegun = false;
  let isClosed = false;
  let tail = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    const text = tail + chunk;
    hasBegun ||= text.includes(BEGIN);
    received += text.split(FIELD).length - 1;
    tail = text.slice(1 - FIELD.length);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => (isClosed = true));
  socket.write([...head, '', ''].join('\r\n'));
  return { socket, received: () => received, hasBegun: () => hasBegun, isClosed: () => isClosed };
}
