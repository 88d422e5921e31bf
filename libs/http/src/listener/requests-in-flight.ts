import type { ServerResponse } from 'node:http';

/** Emitted by each response in flight when the listener stops: a response without an end must end now. */
export const SHUTDOWN_EVENT = 'shutdown';

export type RequestsInFlight = ReturnType<typeof createRequestsInFlight>;

/** The responses in flight. */
export function createRequestsInFlight() {
  const responses = new Set<ServerResponse>();
  let isDraining = false;
  let onIdle: () => void = () => undefined;

  const closeAfter = (response: ServerResponse): void => {
    if (!response.headersSent) response.shouldKeepAlive = false;
  };

  return {
    add(response: ServerResponse): void {
      responses.add(response);
      if (isDraining) closeAfter(response);
      response.once('close', () => {
        responses.delete(response);
        if (responses.size === 0) onIdle();
      });
    },
    /** Makes every response close its connection. Resolves when none is in flight, or after the time. */
    async drain(withinMs: number): Promise<void> {
      isDraining = true;
      responses.forEach(closeAfter);
      for (const response of responses) response.emit(SHUTDOWN_EVENT);
      if (responses.size === 0) return;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        onIdle = resolve;
        timer = setTimeout(resolve, withinMs);
      });
      clearTimeout(timer);
    },
  };
}
