// Receivers of webhooks in a process of their own: HTTP servers that answer 200 after a while.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveCommands } from '../processes/commands';
import { createHistogram } from './histogram';

export interface ReceiverCommands {
  /** Opens more of them; resolves with their addresses. */
  readonly open: (input: { readonly count: number; readonly delayMs: number }) => Promise<readonly string[]>;
  /** From now on this receiver waits so long, and what it gets is not counted. */
  readonly slow: (input: { readonly index: number; readonly delayMs: number }) => Promise<null>;
  /** Begins to count anew. */
  readonly reset: (input: null) => Promise<null>;
  readonly counted: (input: null) => Promise<Counted>;
}

/** Deliveries since `reset`, and the time from the event's own until its arrival. */
export interface Counted {
  readonly deliveries: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Counting {
  readonly delayMs: number;
  readonly counts: boolean;
}

const receivers: { readonly server: Server; how: Counting }[] = [];
let histogram = createHistogram();

const commands: ReceiverCommands = {
  open: ({ count, delayMs }) => Promise.all(Array.from({ length: count }, () => open(delayMs))),
  slow({ index, delayMs }) {
    const receiver = receivers[index];
    if (receiver === undefined) throw new Error(`there is no receiver ${String(index)}`);
    receiver.how = { delayMs, counts: false };
    return Promise.resolve(null);
  },
  reset() {
    histogram = createHistogram();
    return Promise.resolve(null);
  },
  counted: () =>
    Promise.resolve({
      deliveries: histogram.count(),
      p50Ms: histogram.quantile(0.5),
      p99Ms: histogram.quantile(0.99),
    }),
};

serveCommands(commands);

function open(delayMs: number): Promise<string> {
  const receiver = { server: createServer(), how: { delayMs, counts: true } };
  receivers.push(receiver);
  receiver.server.on('request', (request, response) => {
    let text = '';
    request.setEncoding('latin1');
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { how } = receiver;
      const at = /"timestamp":"([^"]+)"/.exec(text)?.[1];
      if (how.counts && at !== undefined) histogram.add(Math.max(0, Date.now() - Date.parse(at)));
      setTimeout(() => response.end(), how.delayMs);
    });
  });
  return new Promise((resolve, reject) => {
    receiver.server.on('error', reject);
    receiver.server.listen(0, '127.0.0.1', () => {
      const { port } = receiver.server.address() as AddressInfo;
      resolve(`http://127.0.0.1:${String(port)}/`);
    });
  });
}
