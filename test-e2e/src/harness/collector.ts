// A collector of traces (OTLP over HTTP, JSON) on loopback.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly failed: boolean;
}

export interface Collector {
  readonly endpoint: string;
  /** Returns the received spans, oldest first. */
  spans(): readonly CollectedSpan[];
  /** Everything as it came. */
  text(): string;
  /** The `authorization` of each request. */
  readonly authorizations: Set<string | undefined>;
  /** Responds 503 from now on, or accepts again. */
  refuse(isRefused: boolean): void;
  stop(): Promise<void>;
}

interface Posted {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: { stringValue?: string } }[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly name: string;
        readonly status?: { readonly code?: number };
      }[];
    }[];
  }[];
}

const ERROR_STATUS = 2;

export async function startCollector(): Promise<Collector> {
  const texts: string[] = [];
  const authorizations = new Set<string | undefined>();
  let isRefused = false;
  const server: Server = createServer((request, response) => {
    void readText(request).then((text) => {
      authorizations.add(request.headers.authorization);
      const isRight = request.method === 'POST' && request.url === '/v1/traces' && !isRefused;
      if (isRight) texts.push(text);
      response.writeHead(isRight ? 200 : 503, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${String(port)}`,
    spans: () => texts.flatMap((text) => spansOf(JSON.parse(text) as Posted)),
    text: () => texts.join('\n'),
    authorizations,
    refuse: (refused) => void (isRefused = refused),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spansOf({ resourceSpans }: Posted): readonly CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const name = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ parentSpanId, status, ...span }) => ({
        service: name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId,
        name: span.name,
        failed: status?.code === ERROR_STATUS,
      })),
    );
  });
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
