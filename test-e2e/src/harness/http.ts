import { request as httpRequest } from 'node:http';
import { request as httpsRequest, type Agent } from 'node:https';

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body as JSON; undefined where it is none. */
  readonly json: unknown;
}

export interface HttpCall {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is text already. */
  readonly body?: unknown;
  /** Keeps connections for many requests in a short time. */
  readonly agent?: Agent;
  /** Rejects when there is no whole response by then. Default: it waits. */
  readonly withinMs?: number;
  /** Ends the request. */
  readonly signal?: AbortSignal;
}

/** One request, on a connection of its own unless an agent is given; a self-signed certificate is taken. */
export function http(url: string, call: HttpCall = {}): Promise<HttpReply> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  const body =
    call.body === undefined ? undefined : typeof call.body === 'string' ? call.body : JSON.stringify(call.body);
  return new Promise((resolve, reject) => {
    const request = send(
      url,
      {
        method: call.method ?? 'GET',
        rejectUnauthorized: false,
        agent: call.agent ?? false,
        signal: AbortSignal.any([
          ...(call.withinMs === undefined ? [] : [AbortSignal.timeout(call.withinMs)]),
          ...(call.signal === undefined ? [] : [call.signal]),
        ]),
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...call.headers },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) }),
        );
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
