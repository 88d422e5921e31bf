// One connection of server-sent events that lasts: it reconnects behind the last event, and reports how it stands. By `fetch`
// and not by EventSource, which hides the status of a rejected request and the comments that keep a quiet stream alive.
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { fetchMarked, reportSignedOut } from '../api/client';

export type StreamState = 'connecting' | 'open' | 'lost' | 'refused';

export interface ServerEventsOptions {
  /** The address to connect to; asked anew for each connection. */
  url(lastEventId: string | undefined): string;
  onMessage(message: EventSourceMessage): void;
  onState(state: StreamState): void;
  /** Called where the position is known no longer (410): the next connection begins without one. */
  onExpired?(): void;
  /** Whether the position is kept over a lost connection by the header `Last-Event-ID`. */
  readonly lastEventId?: string | undefined;
}

export interface ServerEvents {
  close(): void;
}

/** The service sends a comment each 15 s. */
const SILENCE_MS = 45_000;
const RETRY_MS = [500, 1_000, 2_000, 4_000, 8_000];

export function openServerEvents(options: ServerEventsOptions): ServerEvents {
  const closed = new AbortController();
  void run(options, closed.signal);
  return { close: () => closed.abort() };
}

async function run(options: ServerEventsOptions, closed: AbortSignal): Promise<void> {
  const position = { lastEventId: options.lastEventId };
  const isClosed = () => closed.aborted;
  // Closed while it waited to try again, it reports nothing more: another stream, or none, may be what is shown by then.
  for (let failures = 0; !isClosed();) {
    options.onState('connecting');
    const outcome = await connect(options, position, closed);
    if (isClosed()) return;
    if (outcome === 'refused') {
      options.onState('refused');
      return;
    }
    options.onState('lost');
    failures = outcome === 'ended' ? 0 : failures + 1;
    await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0, closed);
  }
}

/** One connection to its end: `ended` after it was open, `failed` before, `refused` where a retry would not help. */
async function connect(
  options: ServerEventsOptions,
  position: { lastEventId: string | undefined },
  closed: AbortSignal,
): Promise<'ended' | 'failed' | 'refused'> {
  const silence = createSilenceWatch();
  const signal = AbortSignal.any([closed, silence.signal]);
  const headers = new Headers({ accept: 'text/event-stream' });
  if (position.lastEventId !== undefined) headers.set('last-event-id', position.lastEventId);
  let isOpen = false;
  try {
    const response = await fetchMarked(options.url(position.lastEventId), { headers, signal });
    if (response.status === 410) {
      position.lastEventId = undefined;
      options.onExpired?.();
    }
    if (response.status === 401) reportSignedOut();
    if (isRefusal(response.status)) return 'refused';
    if (!response.ok || response.body === null) return 'failed';
    isOpen = true;
    options.onState('open');
    const parser = createParser({
      onEvent(message) {
        if (message.id !== undefined) position.lastEventId = message.id;
        options.onMessage(message);
      },
    });
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      silence.reset();
      parser.feed(chunk);
    }
  } catch {
    // Aborted, or the connection broke: both end it.
  } finally {
    silence.stop();
  }
  return isOpen ? 'ended' : 'failed';
}

/** Whether a retry would get the same response. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && ![408, 410, 429].includes(status);
}

function createSilenceWatch(): { signal: AbortSignal; reset(): void; stop(): void } {
  const controller = new AbortController();
  const begin = () => setTimeout(() => controller.abort(), SILENCE_MS);
  let timer = begin();
  return {
    signal: controller.signal,
    reset() {
      clearTimeout(timer);
      timer = begin();
    },
    stop: () => clearTimeout(timer),
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
