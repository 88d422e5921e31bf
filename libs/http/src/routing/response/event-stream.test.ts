import { connect } from 'node:net';
import { systemClock } from '@busbar/core';
import { createRecordingLogger, eventually } from '@busbar/testing';
import { createListener, type Listener } from '../../listener/create-listener';
import { createRequestLimits } from '../../limits/request-limits';
import { createApp } from '../create-app';
import type { EventSource, EventStreamLimits, ServerSentEvent } from './event-stream';
import type { ErrorPresenter } from './presenter';
import { routesFor } from '../route';
import { newAccess } from '../../testing/access';

const presenter: ErrorPresenter = {
  contentType: 'application/json',
  schema: { type: 'object' },
  statusOf: (code) => ({ rate_limited: 429, not_acceptable: 406 })[code as string] ?? 503,
  nameOf: (code) => code,
  bodyOf: ({ error }) => ({ code: error.code }),
};

/** More than sockets hold on both sides. */
const LARGE = 'x'.repeat(16_000_000);

describe('a stream of server-sent events', () => {
  const logger = createRecordingLogger();
  let listener: Listener;
  let source: { events: ServerSentEvent[]; wake: () => void; opened: number; closed: number; disconnect: () => void };
  let isValid: boolean;

  afterEach(() => listener.stop());

  async function open(eventStreams: EventStreamLimits = {}): Promise<string> {
    isValid = true;
    source = { events: [], wake: () => undefined, opened: 0, closed: 0, disconnect: () => undefined };
    const { streamRoute } = routesFor<string>();
    const app = createApp<string>({
      basePath: '/base',
      routes: [
        streamRoute({
          method: 'GET',
          path: '/events',
          tag: 'Events',
          operationId: 'streamItems',
          summary: 'Events',
          permission: 'read',
          response: { type: 'string' },
          handler: ({ lastEventId }) => Promise.resolve(sourceFrom(lastEventId)),
        }),
      ],
      access: newAccess({
        authenticate: ({ headers }) => Promise.resolve(isValid ? String(headers['x-key']) : undefined),
        callerOf: (key) => ({ key, client: 'client' }),
      }),
      presenter,
      trustedProxies: ['127.0.0.1'],
      requestLimits: createRequestLimits({ perKey: 1_000 }, systemClock),
      eventStreams,
      logger,
      clock: systemClock,
    });
    const options = { host: '127.0.0.1', port: 0, trustedProxies: ['127.0.0.1'], logger, clock: systemClock };
    listener = createListener({ ...options, onRequest: app.handle });
    await listener.start();
    return `http://127.0.0.1:${String(listener.address().port)}/base/events`;
  }

  function sourceFrom(lastEventId: string | undefined): EventSource {
    let isClosed = false;
    source.opened += 1;
    if (lastEventId !== undefined) source.events.push({ data: { behind: lastEventId } });
    return {
      async next() {
        if (source.events.length === 0 && !isClosed) await new Promise<void>((resolve) => (source.wake = resolve));
        return source.events.shift();
      },
      onOpen(disconnect) {
        source.disconnect = disconnect;
      },
      close() {
        source.closed += 1;
        isClosed = true;
        source.wake();
      },
    };
  }

  const send = (event: ServerSentEvent): void => {
    source.events.push(event);
    source.wake();
  };

  async function listen(url: string, headers: Record<string, string> = {}, key = 'k') {
    const abort = new AbortController();
    const all = { 'x-forwarded-proto': 'https', 'x-key': key, ...headers };
    const response = await fetch(url, { headers: all, signal: abort.signal });
    const received = { status: response.status, text: '', hasEnded: false, abort };
    const read = async (): Promise<void> => {
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) received.text += chunk;
    };
    void read()
      .catch(() => undefined)
      .finally(() => (received.hasEnded = true));
    return received;
  }

  it('sends each event, and a comment from time to time', async () => {
    const stream = await listen(await open({ heartbeatMs: 20 }));
    send({ id: '7', data: { text: 'line\nbreak' } });
    await eventually(() => stream.text.includes('data:') && stream.text.includes(': heartbeat\n\n'));
    expect(stream.text).toContain('id: 7\ndata: {"text":"line\\nbreak"}\n\n');
    stream.abort.abort();
    await eventually(() => source.closed > 0);
  });

  it('sends JSON that streams share as it is', async () => {
    const stream = await listen(await open());
    send({ id: '8', event: 'named', json: '{"a":1}' });
    await eventually(() => stream.text.includes('id: 8\nevent: named\ndata: {"a":1}\n\n'));
    stream.abort.abort();
  });

  it.each([
    ['text/event-stream', 200],
    ['text/*;q=0.5, application/json', 200],
    ['*/*', 200],
    ['application/json', 406],
  ])('with Accept: %s is %d', async (accept, status) => {
    const stream = await listen(await open(), { accept });
    expect([stream.status, source.opened]).toEqual([status, status === 200 ? 1 : 0]);
    stream.abort.abort();
  });

  it('hands the last event id to its source', async () => {
    const stream = await listen(await open(), { 'last-event-id': '42' });
    await eventually(() => stream.text.includes('{"behind":"42"}'));
    stream.abort.abort();
  });

  it('ends with a reason when the key is no longer valid', async () => {
    const stream = await listen(await open({ checkMs: 20 }));
    isValid = false;
    await eventually(() => stream.hasEnded);
    expect(stream.text).toMatch(/event: end\ndata: \{"reason":"key_revoked"\}\n\n$/);
  });

  it('ends with a reason when the listener stops, which does not wait for it', async () => {
    const stream = await listen(await open());
    await listener.stop();
    await eventually(() => stream.hasEnded);
    expect(stream.text).toMatch(/^retry: \d+\n\n.*event: end\ndata: \{"reason":"shutdown"\}\n\n$/s);
    expect(source.closed).toBeGreaterThan(0);
  });

  it('is limited for a key, a client and the process, and a closed one makes room', async () => {
    const url = await open({ perKey: 1, perClient: 2 });
    const first = await listen(url, {}, 'a');
    expect([first.status, (await listen(url, {}, 'a')).status, (await listen(url, {}, 'b')).status]).toEqual([
      200, 429, 200,
    ]);
    expect((await listen(url, {}, 'c')).status).toBe(429);
    first.abort.abort();
    await eventually(async () => (await listen(url, {}, 'c')).status === 200);
  });

  it('disconnects a client at once where its source says so', async () => {
    const stream = await listen(await open());
    send({ data: LARGE });
    source.disconnect();
    await eventually(() => stream.hasEnded && source.closed > 0);
    expect(stream.text).not.toContain('event: end');
  });

  it('disconnects a client that reads nothing', async () => {
    const { hostname, port, pathname } = new URL(await open({ stallMs: 50 }));
    const socket = connect(Number(port), hostname);
    socket.pause();
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: x\r\nx-key: k\r\nx-forwarded-proto: https\r\n\r\n`);
    await eventually(() => source.opened > 0);
    send({ data: LARGE });
    await eventually(() => source.closed > 0);
    socket.destroy();
  });
});
