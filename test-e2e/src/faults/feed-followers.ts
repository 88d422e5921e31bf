// Programs that follow the feed of events as docs/events.md says, by page and by stream, while processes are killed: they ask again with
// the cursor behind what they have.
import { request } from 'node:https';
import { API_KEY } from './network';
import { http, type HttpCall, type HttpReply } from '../harness/http';
import type { ReceivedEvent } from '../harness/receiver';

/** The v2 API, whichever process serves it now. */
export interface FeedSource {
  /** `https://…/v2`. Rejects where none runs. */
  v2Address(): Promise<string>;
  /** A request with the key of the client. Rejects where none runs. */
  v2(path: string, call?: HttpCall): Promise<HttpReply>;
}

export function createFeedSource(v2Address: () => Promise<string>): FeedSource {
  return {
    v2Address,
    v2: async (path, call = {}) =>
      http(`${await v2Address()}${path}`, { ...call, headers: { 'x-api-key': API_KEY, ...call.headers } }),
  };
}

export interface FeedFollower {
  /** In the order of their arrival, twice where they came twice. */
  readonly events: readonly ReceivedEvent[];
  /** Ends the request that it has open: it asks again. */
  cut(): void;
  stop(): Promise<void>;
}

const PAUSE_MS = 100;
const WAIT_S = 5;
/** A connection whose process was killed ends at once; this bounds one that nobody ends. */
const WITHIN_MS = 30_000;

/** Reads page by page from now on. */
export async function followByPage({ v2 }: FeedSource, types: string): Promise<FeedFollower> {
  const events: ReceivedEvent[] = [];
  let cursor = ((await v2('/events?after=now')).json as { cursor: string }).cursor;
  return until(events, async (cut) => {
    const path = `/events?limit=1000&waitS=${String(WAIT_S)}&types=${types}&after=${cursor}`;
    const { status, json } = await v2(path, { withinMs: WITHIN_MS, signal: cut });
    if (status !== 200) throw new Error(String(status));
    const page = json as { readonly items: readonly ReceivedEvent[]; readonly cursor: string };
    events.push(...page.items);
    ({ cursor } = page);
  });
}

/** Follows the stream from now on, and resumes behind the last event that it has. */
export async function followByStream({ v2, v2Address }: FeedSource, types: string): Promise<FeedFollower> {
  const events: ReceivedEvent[] = [];
  let cursor = ((await v2('/events?after=now')).json as { cursor: string }).cursor;
  const take = (block: string): void => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
    cursor = field('id') ?? cursor;
    // Comments, and the notice before the end of a stream, are no events.
    if (field('event')?.includes('.') === true) events.push(JSON.parse(field('data') ?? '') as ReceivedEvent);
  };
  return until(events, async (cut) => {
    const url = `${await v2Address()}/events/stream?types=${types}`;
    await readStream(url, cursor, take, cut);
  });
}

function readStream(url: string, cursor: string, take: (block: string) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': API_KEY, 'last-event-id': cursor };
    const asked = request(url, { headers, rejectUnauthorized: false, agent: false, signal }, (response) => {
      if (response.statusCode !== 200) {
        response.resume();
        reject(new Error(String(response.statusCode)));
        return;
      }
      let tail = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        const blocks = `${tail}${chunk}`.split('\n\n');
        tail = blocks.pop() ?? '';
        blocks.forEach(take);
      });
      response.on('error', reject);
      response.on('close', resolve);
    });
    // A comment comes every fifteen seconds.
    asked.setTimeout(WITHIN_MS, () => asked.destroy(new Error('the stream is silent')));
    asked.on('error', reject);
    asked.end();
  });
}

/** Repeats a step, after a pause where it fails or is cut, until it is stopped. */
function until(events: readonly ReceivedEvent[], step: (cut: AbortSignal) => Promise<void>): FeedFollower {
  const stopped = new AbortController();
  let current = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      current = new AbortController();
      const cut = AbortSignal.any([stopped.signal, current.signal]);
      await step(cut).catch(() => new Promise((resolve) => setTimeout(resolve, PAUSE_MS)));
    }
  };
  const running = run();
  return {
    events,
    cut: () => current.abort(),
    async stop() {
      stopped.abort();
      await running;
    },
  };
}
