import {
  request as requestPlain,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { request as requestSecure } from 'node:https';

export interface AskOptions {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** A text or bytes go as they are; anything else as JSON, with its content type. */
  readonly body?: unknown;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; fails for one that is not JSON. */
  readonly json: () => Record<string, unknown>;
}

const WITHIN_MS = 20_000;

/** One HTTP request on a new connection. The path is sent unchanged; any certificate is accepted. */
export function ask(url: string, options: AskOptions = {}): Promise<HttpReply> {
  const [, scheme, host, port, path] = /^(https?):\/\/([^:/]+|\[[^\]]+\]):(\d+)(.*)$/.exec(url) ?? [];
  if (host === undefined) throw new Error(`no address with a port: ${url}`);
  const { headers, payload } = payloadOf(options);
  return new Promise((resolve, reject) => {
    const send = scheme === 'https' ? requestSecure : requestPlain;
    const request = send(
      {
        host: host.replace(/^\[|\]$/g, ''),
        port: Number(port),
        path,
        method: options.method ?? 'GET',
        headers,
        agent: false,
        timeout: WITHIN_MS,
        rejectUnauthorized: false,
      },
      (response) => {
        read(response).then(resolve, reject);
      },
    );
    request.once('error', reject);
    request.once('timeout', () => request.destroy(new Error(`no answer within ${String(WITHIN_MS)} ms: ${url}`)));
    request.end(payload);
  });
}

function payloadOf({ headers = {}, body }: AskOptions): {
  headers: OutgoingHttpHeaders;
  payload: string | Buffer | undefined;
} {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return { headers, payload: body };
  return { headers: { 'content-type': 'application/json', ...headers }, payload: JSON.stringify(body) };
}

async function read(response: IncomingMessage): Promise<HttpReply> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    json: () => JSON.parse(text) as Record<string, unknown>,
  };
}
