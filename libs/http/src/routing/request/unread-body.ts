import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@busbar/core';

/** Time for a client to read the response and to stop sending. */
const LINGER_MS = 5_000;

/** Limits how long a client may send a body after its response: Node discards it, and then the connection is closed. */
export function boundUnreadBody(request: IncomingMessage, response: ServerResponse, clock: Clock): void {
  response.once('finish', () => {
    if (request.complete) return;
    const timer = clock.after(LINGER_MS, () => request.socket.destroy());
    // The body ended, or the client disconnected.
    request.once('close', () => timer.cancel());
  });
}
