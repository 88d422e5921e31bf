// The baseline of the APIs' routes: express over TLS with the same middleware (security headers, a request id, no
// caching, a log line) and a handler that has its answer at hand.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { createId, type Logger } from '@busbar/core';
import express from 'express';
import helmet from 'helmet';

export interface BareExpressInput {
  readonly certFile: string;
  readonly keyFile: string;
  /** The responses, by path. */
  readonly records: Readonly<Record<string, unknown>>;
}

/** Resolves with the port. */
export function startBareExpress(input: BareExpressInput, logger: Logger): Promise<number> {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const directives = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };
  app.use(helmet({ contentSecurityPolicy: { useDefaults: false, directives } }));
  app.use((request, response, next) => {
    const requestId = createId();
    const startMs = performance.now();
    response.set({ 'x-request-id': requestId, 'cache-control': 'no-store' });
    response.once('close', () => {
      const { method, path } = request;
      const ms = Math.round(performance.now() - startMs);
      logger.info({ requestId, method, path, status: response.statusCode, ms }, 'request');
    });
    next();
  });
  for (const [path, record] of Object.entries(input.records)) {
    app.get(path, (_request, response) => {
      response.json(record);
    });
  }
  const server = createServer({ cert: readFileSync(input.certFile), key: readFileSync(input.keyFile) }, app);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
