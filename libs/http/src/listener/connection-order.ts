// What a connection's requests are to each other where something on it is out of order: a request whose upgrade was ignored, or
// bytes that are no request.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '@busbar/core';
import { endSocket } from './end-socket';
import { isIgnoredUpgrade } from './ignored-upgrade';
import { refusalOfParser, refusalText } from './refuse';

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface ConnectionOrder {
  /** After a request whose upgrade was ignored its connection ends; what comes before that end is handed to nobody. */
  inOrder(handler: RequestHandler): RequestHandler;
  /** Answers what could not be parsed as a request, where no answer to an earlier one is still to come, and ends its connection. */
  refuseUnparsable(error: NodeJS.ErrnoException, socket: Duplex): void;
}

export function createConnectionOrder(clock: Clock): ConnectionOrder {
  const latest = new WeakMap<Duplex, { readonly request: IncomingMessage; readonly response: ServerResponse }>();
  const refused = new WeakSet<Duplex>();

  return {
    inOrder(handler) {
      return (request, response) => {
        const before = latest.get(request.socket);
        if (before !== undefined && isIgnoredUpgrade(before.request)) return;
        if (isIgnoredUpgrade(request)) response.shouldKeepAlive = false;
        latest.set(request.socket, { request, response });
        handler(request, response);
      };
    },
    refuseUnparsable(error, socket) {
      // What still comes is thrown away; the time for that is running.
      if (refused.has(socket)) return;
      const refusal = refusalOfParser(error);
      const { request, response } = latest.get(socket) ?? {};
      const isOwed = response !== undefined && !response.writableFinished;
      const isOfEarlier = isOwed && request?.complete === true;
      if (refusal === undefined || !socket.writable || (isOwed && !isOfEarlier && response.headersSent)) {
        socket.destroy();
        return;
      }
      refused.add(socket);
      if (isOfEarlier) endAfter(response, socket, clock);
      else endSocket(socket, refusalText(refusal), clock);
    },
  };
}

/** A connection's answers go out in order, and this one is the last. */
function endAfter(response: ServerResponse, socket: Duplex, clock: Clock): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
  response.once('finish', () => endSocket(socket, '', clock));
}
