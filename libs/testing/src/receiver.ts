// A webhook's receiver: a real HTTP server on the loopback, which answers as the test wants.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly timestamp: string;
    readonly chargerId: string | null;
    readonly sequence: number | null;
  };
  readonly status: number;
  /** When it had arrived, in Unix milliseconds. */
  readonly atMs: number;
}

export interface ReceiverAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Receiver {
  readonly url: string;
  /** In the order of their responses. */
  readonly requests: readonly ReceivedRequest[];
  /** How the next requests are answered; also after a while. */
  answer(how: (request: Omit<ReceivedRequest, 'status'>) => ReceiverAnswer | Promise<ReceiverAnswer>): void;
  /** Ids of the events that were accepted, in the order of their first success. */
  accepted(): readonly string[];
  /** Closes the connections, also those with a request in flight. */
  cut(): void;
  stop(): Promise<void>;
}

/** `port`: a free one by default. */
export async function openReceiver(port = 0): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  let how: Parameters<Receiver['answer']>[0] = () => ({ status: 200 });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const event = JSON.parse(body) as ReceivedRequest['event'];
      const received = { headers: request.headers, body, event, atMs: Date.now() };
      void Promise.resolve(how(received)).then(({ status, headers = {}, body: text = '' }) => {
        requests.push({ ...received, status });
        response.writeHead(status, headers).end(text);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const bound = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(bound.port)}/`,
    requests,
    answer: (next) => void (how = next),
    accepted: () => [...new Set(requests.filter(({ status }) => status < 300).map(({ event }) => event.id))],
    cut: () => server.closeAllConnections(),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
