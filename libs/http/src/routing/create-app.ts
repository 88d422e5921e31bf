// The path of every request through an API, from top to bottom. Parts that Express has and this API does by hand: ADR 22.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@busbar/core';
import express from 'express';
import type { AppOptions } from './app-options';
import { compressResponses } from './response/compress';
import { createRouter } from './create-router';
import { beginExchange } from './exchange';
import { createProxyTrust, requireHttps } from './policy/https-only';
import { splitTarget } from './request/request-target';
import { dataHeaders } from './policy/security-headers';
import { sendFiles } from './response/send-file';
import { sendErrors } from './response/send-error';

export interface App {
  /** Responds to one request. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/** An HTTP API of routes declared as data. Does not listen. Throws when a schema is invalid. */
export function createApp<A>(options: AppOptions<A>): App {
  const { basePath, access, presenter } = options;
  const isTrustedProxy = createProxyTrust(options.trustedProxies);
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');
  // Without this, Express responds with 304 to If-None-Match, and an ETag here does not cover what chargers report (ADR 12).
  Object.defineProperty(app.request, 'fresh', { value: false });
  app.use(dataHeaders(options.sendsHsts ?? true));
  app.use(beginExchange(options));
  app.use(compressResponses());
  app.use(requireHttps(isTrustedProxy));
  app.use(basePath, createRouter(options, isTrustedProxy));
  if (options.files !== undefined) app.use(sendFiles(options.files));
  app.use(() => {
    throw new AppError('not_found', 'There is nothing at this path.');
  });
  app.use(sendErrors(presenter, access.challenge));
  return {
    handle(request, response) {
      const target = request.url ?? '/';
      void app(Object.assign(request, { originalUrl: target, url: routingPath(target) }), response);
    },
  };
}

/**
 * The path with every segment encoded once more. Express decodes parameters while it matches, so it gives back each segment as
 * the client sent it. A malformed escape is then refused in its turn, after the key, and `%2F` reaches its route.
 */
function routingPath(target: string): string {
  const { path } = splitTarget(target);
  return path.split('/').map(encodeURIComponent).join('/') || '/';
}
