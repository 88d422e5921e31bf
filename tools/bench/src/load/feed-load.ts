// Readers of the feed: one that reads page after page, and one that follows the stream.
import { request } from 'node:https';
import type { ChargerSocket, Target } from './charger-socket';
import { connectHttps, getRequest, type HttpsConnection } from './https-client';
import { runProbe, SEEN_WITHIN_MS, type ProbeInput, type ProbeReader, type ProbeResult } from './probe-load';

export interface FeedInput {
  readonly target: Target;
  readonly headers: Readonly<Record<string, string>>;
  /** Not counted. */
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface FeedResult {
  /** Read a second within the measured time. */
  readonly perSecond: number;
  readonly events: number;
  /** From the end of the measured time until the reader was at the end of the feed. */
  readonly behindMs: number;
}

interface Page {
  readonly items: readonly unknown[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

const EVERY_TYPE = 'types=*,socket.state_reported,meter.values';
const CAUGHT_UP_WITHIN_MS = 30_000;

/** Reads from now on, a thousand events at a time; after the measured time it reads on to the end of the feed. */
export async function runFeedReader({ target, headers, warmUpMs, measureMs }: FeedInput): Promise<FeedResult> {
  const connection = await connectHttps(target);
  try {
    let { cursor } = await pageOf(connection, getRequest(target, '/v2/events?after=now', headers));
    const fromMs = performance.now() + warmUpMs;
    const endMs = fromMs + measureMs;
    let events = 0;
    for (;;) {
      const wait = performance.now() < endMs ? '&waitS=1' : '';
      const path = `/v2/events?limit=1000&${EVERY_TYPE}&after=${cursor}${wait}`;
      const page = await pageOf(connection, getRequest(target, path, headers));
      ({ cursor } = page);
      const now = performance.now();
      if (now >= fromMs && now < endMs) events += page.items.length;
      const isAtEnd = page.items.length === 0 && !page.hasMore;
      if (now >= endMs && (isAtEnd || now > endMs + CAUGHT_UP_WITHIN_MS)) {
        return { perSecond: events / (measureMs / 1000), events, behindMs: now - endMs };
      }
    }
  } finally {
    connection.destroy();
  }
}

async function pageOf(connection: HttpsConnection, request: string): Promise<Page> {
  const { status, body } = await connection.exchange(request);
  if (status !== 200) throw new Error(`a page of events got ${String(status)}: ${body.slice(0, 200)}`);
  return JSON.parse(body) as Page;
}

export interface StreamInput extends ProbeInput {
  readonly target: Target;
  readonly headers: Readonly<Record<string, string>>;
}

/** The stream of the charger's events is followed. */
export function runStreamLoad(sockets: readonly ChargerSocket[], input: StreamInput): Promise<ProbeResult> {
  return runProbe(sockets, input, (chargerId) => openStream(input, chargerId));
}

function openStream({ target, headers }: StreamInput, chargerId: string): Promise<ProbeReader> {
  const path = `/v2/events/stream?${EVERY_TYPE}&chargerIds=${chargerId}`;
  let wanted: { readonly text: string; readonly resolve: (atMs: number | undefined) => void } | undefined;
  return new Promise((resolve, reject) => {
    const { host, port } = target;
    const asked = request({ host, port, path, headers, rejectUnauthorized: false, agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`the stream got ${String(response.statusCode)}`));
      response.setEncoding('utf8');
      let tail = '';
      response.on('data', (chunk: string) => {
        tail = `${tail}${chunk}`;
        if (wanted !== undefined && tail.includes(wanted.text)) wanted.resolve(performance.now());
        tail = tail.slice(tail.lastIndexOf('\n') + 1);
      });
      resolve({
        seen(text) {
          return new Promise((arrived) => {
            const timer = setTimeout(() => arrived(undefined), SEEN_WITHIN_MS);
            wanted = {
              text,
              resolve(atMs) {
                clearTimeout(timer);
                wanted = undefined;
                arrived(atMs);
              },
            };
          });
        },
        close: () => void asked.destroy(),
      });
    });
    asked.on('error', reject);
    asked.end();
  });
}
