import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below what systems give to outgoing connections and to servers that ask for any port: another process would take such a port first. */
const FIRST = 16_384;
const LAST = 32_767;
const MAX_TRIES = 100;

/** A TCP port of 127.0.0.1 that nobody listened on a moment ago, and that no system gives to a process by itself. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = randomInt(FIRST, LAST + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`none of ${String(MAX_TRIES)} ports between ${String(FIRST)} and ${String(LAST)} is free`);
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
