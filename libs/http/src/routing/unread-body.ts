import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@busbar/core';

/** Enough for a client to notice that it was answered and to read the answer. */
const LINGER_MS = 5_000;

/**
 * Bounds what a client may go on sending after an answer that did not wait for its body: Node throws that away, and after
 * a while the connection is closed.
 */
export function boundUnreadBody(request: IncomingMessage, response: ServerResponse, clock: Clock): void {
  response.once('finish', () => {
    if (request.complete) return;
    const timer = clock.after(LINGER_MS, () => request.socket.destroy());
    // Read to its end, or cut off from the other side.
    request.once('close', () => timer.cancel());
  });
}
