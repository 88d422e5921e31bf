// A receiver of webhooks for looking: prints each request and keeps nothing. The receivers in examples/ are for copying.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError, parseJson } from '@busbar/core';
import { Webhook } from 'standardwebhooks';

export interface ReceiverOptions {
  /** 0: a free one. */
  readonly port: number;
  /** Undefined: signatures are not verified. */
  readonly secret: string | undefined;
}

export interface ReceiverDeps extends ReceiverOptions {
  readonly print: (line: string) => void;
  readonly stop: AbortSignal;
}

interface ReceivedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A body has at most 20 kB. */
const MAX_BODY_BYTES = 65_536;
const HOST = '127.0.0.1';
const UNVERIFIED = 'not verified';

/** Serves until it is stopped. Rejects with `invalid_request` for a malformed secret or a port in use. */
export async function runReceiver({ port, secret, print, stop }: ReceiverDeps): Promise<void> {
  const verify = verifier(secret);
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      if (body === undefined) return response.writeHead(413, { connection: 'close' }).end();
      const received = { headers: textsOf(request), body };
      const verdict = verify(received);
      for (const line of linesOf(received, verdict)) print(line);
      // 401 is no word on the event: the service keeps it and tries again.
      response.writeHead(verdict === 'verified' || verdict === UNVERIFIED ? 204 : 401).end();
    });
  });
  await listen(server, port);
  const bound = (server.address() as AddressInfo).port;
  print(
    `Receives webhooks at http://localhost:${String(bound)}/ (signatures are ${secret === undefined ? 'not ' : ''}verified); Ctrl-C ends it.`,
  );
  await new Promise<void>((resolve) => {
    const close = (): void => {
      server.close(() => resolve());
      server.closeAllConnections();
    };
    if (stop.aborted) close();
    else stop.addEventListener('abort', close, { once: true });
  });
}

function verifier(secret: string | undefined): (request: ReceivedRequest) => string {
  if (secret === undefined) return () => UNVERIFIED;
  const webhook = webhookOf(secret);
  return ({ headers, body }) => {
    try {
      webhook.verify(body, { ...headers });
      return 'verified';
    } catch (error) {
      return `rejected: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
}

function webhookOf(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch (cause) {
    throw new AppError('invalid_request', '--secret is the secret of a webhook: whsec_ and base64.', { cause });
  }
}

/** `12:00:00.000  verified  evt_…_830  socket.state_changed  ACME-17  830`, and the data; for a push message its body. */
function linesOf({ headers, body }: ReceivedRequest, verdict: string): readonly string[] {
  const parsed = parseJson(body);
  const event = typeof parsed === 'object' && parsed !== null ? parsed : {};
  const isStandard = 'type' in event && 'data' in event;
  const { type, chargerId, sequence, data } = event as Record<string, unknown>;
  const facts = isStandard ? [type, chargerId, sequence].filter((each) => each !== null) : [];
  const time = new Date().toISOString().slice(11, 23);
  const id = headers['webhook-id'] ?? 'no webhook-id';
  const line = [time, verdict, id, ...facts].map(String).join('  ');
  return [oneLine(line), `    ${isStandard ? JSON.stringify(data) : oneLine(body)}`];
}

/** Of anybody: nothing that a terminal obeys. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, ' ');
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > MAX_BODY_BYTES) return undefined;
      pieces.push(piece);
    }
  } catch {
    // The sender closed the connection: nobody reads the response.
    return undefined;
  }
  return Buffer.concat(pieces).toString('utf8');
}

function textsOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new AppError('invalid_request', `--port ${String(port)} cannot be used: ${cause.message}.`, { cause })),
    );
    server.listen(port, HOST, resolve);
  });
}
