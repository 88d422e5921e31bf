// Responses as server-sent events (WHATWG HTML, 9.2): open until the client leaves, the source ends, the key is no longer
// valid, or the process stops. A client that reconnects names the last event that it received.
import { AppError, type Clock } from '@busbar/core';
import type { Response } from 'express';
import { SHUTDOWN_EVENT } from '../../listener/requests-in-flight';
import { createPlaces, type Places } from '../../limits/places';
import type { Caller } from '../../limits/request-limits';

export interface ServerSentEvent {
  /** The id that `Last-Event-ID` repeats. */
  readonly id?: string;
  /** Absent: a `message`, which is what EventSource calls it. */
  readonly event?: string;
  /** Sent as JSON. */
  readonly data?: unknown;
  /** In its place: JSON that several streams share. */
  readonly json?: string;
}

/** The events of one client. */
export interface EventSource {
  /** The next event; undefined when there are no more. Waits for one, at most until `close`. */
  next(): Promise<ServerSentEvent | undefined>;
  close(): void;
  /** Gets a function that disconnects the client at once, whatever it has not read. */
  onOpen?(disconnect: () => void): void;
}

export interface EventStream {
  /** Begins to listen. Rejects with an error that is sent like any other. */
  readonly open: () => Promise<EventSource>;
  readonly caller: Caller;
  /** Of the streams of its route. Absent: it counts with those of all other routes. */
  readonly places?: Places | undefined;
  /** Returns whether the key is still valid and has the permission. Rejects while the store is unavailable. */
  readonly isAdmitted: () => Promise<boolean>;
}

export type EventStreamLimits = Partial<typeof LIMITS>;

/** Throws `not_acceptable` for another media type, and `rate_limited` where there are too many streams. Resolves when the response has ended. */
export type SendEvents = (stream: EventStream, response: Response) => Promise<void>;

const LIMITS = {
  perKey: 10,
  perClient: 40,
  perProcess: 500,
  // Proxies end a silent response after 30 to 60 s.
  heartbeatMs: 15_000,
  checkMs: 3_000,
  // A client that reads nothing for so long is gone.
  stallMs: 30_000,
};
const RETRY_MS = 3_000;
/** For the last events of a client that reads slowly. */
const END_MS = 5_000;

const MEDIA_TYPE = 'text/event-stream';
const HEADERS = {
  'content-type': `${MEDIA_TYPE}; charset=utf-8`,
  'cache-control': 'no-store',
  // nginx would collect the events.
  'x-accel-buffering': 'no',
};

export function createEventStreams(clock: Clock, limits: EventStreamLimits = {}): SendEvents {
  const all = { ...LIMITS, ...limits };
  const shared = createPlaces(all, 'open streams');

  return async ({ open, caller, places = shared, isAdmitted }, response) => {
    refuseOtherTypes(response);
    const leave = places.take(caller);
    try {
      const source = await open();
      try {
        await sendAll(source, response, { clock, isAdmitted, ...all });
      } finally {
        source.close();
      }
    } finally {
      leave();
    }
  };
}

function refuseOtherTypes({ req }: Response): void {
  if (req.accepts(MEDIA_TYPE) !== false) return;
  throw new AppError('not_acceptable', `This response is ${MEDIA_TYPE}, which the header Accept does not name.`);
}

type Sending = typeof LIMITS & Pick<EventStream, 'isAdmitted'> & { readonly clock: Clock };

/** The reason why a stream ends before its source: a reason for the client, or `left`, when it is gone. */
type End = 'left' | 'key_revoked' | 'shutdown';

async function sendAll(source: EventSource, response: Response, sending: Sending): Promise<void> {
  response.status(200).set(HEADERS);
  if (response.req.method === 'HEAD' || response.destroyed) {
    response.end();
    return;
  }
  const watched = watch(source, response, sending);
  source.onOpen?.(() => response.destroy());
  try {
    response.write(`retry: ${String(RETRY_MS)}\n\n`);
    for (;;) {
      const next = await source.next();
      if (next === undefined || watched.end() !== undefined) break;
      if (!response.write(textOf(next))) await watched.drained();
    }
  } finally {
    watched.stop();
  }
  const reason = watched.end();
  if (reason !== undefined && reason !== 'left') response.write(textOf({ event: 'end', data: { reason } }));
  await endWithin(response, sending.clock);
}

/**
 * Watches for an end of the stream from outside: then the source is closed, so that nobody waits for it. And its
 * heartbeats.
 */
function watch(source: EventSource, response: Response, { clock, isAdmitted, checkMs, heartbeatMs, stallMs }: Sending) {
  let end: End | undefined;
  let wake: () => void = () => undefined;
  const endBy = (reason: End): void => {
    end ??= reason;
    source.close();
    wake();
  };
  const onClose = (): void => endBy('left');
  const onShutdown = (): void => endBy('shutdown');
  const onDrain = (): void => wake();
  response.once('close', onClose).once(SHUTDOWN_EVENT, onShutdown).on('drain', onDrain);
  let isChecking = false;
  const check = async (): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    // Without the store there are no events either. The next check decides.
    if (!(await isAdmitted().catch(() => true))) endBy('key_revoked');
    isChecking = false;
  };
  const timers = [
    clock.every(checkMs, () => void check()),
    clock.every(heartbeatMs, () => {
      if (!response.writableNeedDrain) response.write(': heartbeat\n\n');
    }),
  ];
  return {
    end: () => end,
    /** Waits until the client has read. One that reads nothing is disconnected. */
    async drained(): Promise<void> {
      if (end !== undefined) return;
      const stalled = clock.after(stallMs, () => response.destroy());
      await new Promise<void>((resolve) => (wake = resolve));
      stalled.cancel();
    },
    stop() {
      for (const timer of timers) timer.cancel();
      response.off('close', onClose).off(SHUTDOWN_EVENT, onShutdown).off('drain', onDrain);
    },
  };
}

async function endWithin(response: Response, clock: Clock): Promise<void> {
  if (response.destroyed) return;
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  const late = clock.after(END_MS, () => response.destroy());
  response.end();
  await closed;
  late.cancel();
}

/** JSON has no line break, which would end a field. */
function textOf({ id, event, data, json = JSON.stringify(data) }: ServerSentEvent): string {
  const fields = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    `data: ${json}`,
  ];
  return `${fields.join('\n')}\n\n`;
}
