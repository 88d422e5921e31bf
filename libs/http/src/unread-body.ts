import type { IncomingMessage, ServerResponse } from 'node:http';

/** Read and thrown away after an answer that did not wait for the body, so that the client gets to read the answer. */
const DRAIN_BYTES = 1_048_576;

/** Bounds what a client may go on sending after it was answered: beyond that its connection is closed. */
export function boundUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete || request.readableEnded) return;
    let left = DRAIN_BYTES;
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) request.socket.destroy();
    });
    request.resume();
  });
}
