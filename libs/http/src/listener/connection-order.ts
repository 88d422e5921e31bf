// Keeps the order of requests and responses on a connection with an ignored upgrade, or with bytes that are no request.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '@busbar/core';
import { endSocket } from './end-socket';
import { isIgnoredUpgrade } from './ignored-upgrade';
import { refusalOfParser, refusalText } from './refuse';

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

export function createConnectionOrder(clock: Clock) {
  const latest = new WeakMap<Duplex, { readonly request: IncomingMessage; readonly response: ServerResponse }>();
  const refused = new WeakSet<Duplex>();

  return {
    /** A request whose upgrade was ignored is the last one of its connection; later ones are discarded. */
    inOrder(handler: RequestHandler): RequestHandler {
      return (request, response) => {
        const before = latest.get(request.socket);
        if (before !== undefined && isIgnoredUpgrade(before.request)) return;
        if (isIgnoredUpgrade(request)) response.shouldKeepAlive = false;
        latest.set(request.socket, { request, response });
        handler(request, response);
      };
    },
    /** Responds to bytes that cannot be parsed, after the responses to earlier requests, and ends the connection. */
    refuseUnparsable(error: NodeJS.ErrnoException, socket: Duplex): void {
      // Later bytes are discarded; a timer already limits the connection.
      if (refused.has(socket)) return;
      const refusal = refusalOfParser(error);
      const { request, response } = latest.get(socket) ?? {};
      const isPending = response !== undefined && !response.writableFinished;
      const isOfEarlier = isPending && request?.complete === true;
      if (refusal === undefined || !socket.writable || (isPending && !isOfEarlier && response.headersSent)) {
        socket.destroy();
        return;
      }
      refused.add(socket);
      if (isOfEarlier) endAfter(response, socket, clock);
      else endSocket(socket, refusalText(refusal), clock);
    },
  };
}

/** Responses are sent in order, and this one is the last. */
function endAfter(response: ServerResponse, socket: Duplex, clock: Clock): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
  response.once('finish', () => endSocket(socket, '', clock));
}
