// Requests to the APIs all the time while something is disrupted: none may fail.
import { Agent, request } from 'node:https';
import { setTimeout as last } from 'node:timers/promises';

/** A page that both APIs can be asked for with a key. */
export interface Asked {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const PACE_MS = 100;
const TIMEOUT_MS = 30_000;
/** On connections that the API closed just then. Each has its connections. */
const MAX_TRIES = 3;

export interface Reads {
  readonly succeeded: number;
  /** Why, each time. */
  readonly failures: readonly string[];
}

/** Gives, when it is called, how the requests until then ended, and asks no longer. Both ways: on a connection each, and on one for many. */
export function watchRequests(pages: readonly Asked[]): () => Promise<Reads> {
  const failures: string[] = [];
  const end = new AbortController();
  let succeeded = 0;
  async function watch(page: Asked, keepAlive: boolean): Promise<void> {
    const agent = new Agent({ keepAlive, maxSockets: 1, rejectUnauthorized: false });
    while (!end.signal.aborted) {
      const failure = await ask(page, agent);
      if (failure === undefined) succeeded += 1;
      else failures.push(`${new URL(page.url).pathname}: ${failure}`);
      await last(PACE_MS);
    }
    agent.destroy();
  }
  const watching = pages.flatMap((page) => [watch(page, true), watch(page, false)]);
  return async () => {
    end.abort();
    await Promise.all(watching);
    return { succeeded, failures };
  };
}

/** Undefined when the response was 200. */
async function ask(page: Asked, agent: Agent, tries = 1): Promise<string | undefined> {
  const outcome = await tryOnce(page, agent);
  // As every client of HTTP/1.1 does with an idle connection that has ended in the meantime.
  if (outcome === 'ended' && tries < MAX_TRIES) return ask(page, agent, tries + 1);
  return outcome;
}

function tryOnce({ url, headers }: Asked, agent: Agent): Promise<string | undefined> {
  return new Promise((resolve) => {
    const asked = request(url, { agent, timeout: TIMEOUT_MS, ...(headers && { headers }) }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200 ? undefined : String(response.statusCode)));
      response.on('error', (error) => resolve(error.message));
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer in time')));
    asked.on('error', (error: NodeJS.ErrnoException) =>
      resolve(asked.reusedSocket && error.code === 'ECONNRESET' ? 'ended' : error.message),
    );
    asked.end();
  });
}
