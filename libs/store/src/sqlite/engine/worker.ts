// The engine in its own thread. Turns that arrive during a transaction share the next one.
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { errorText } from '../error-text';
import type { EngineOptions, FromThread, ToThread, Turn } from '../protocol';
import { openEngine, type Engine } from './engine';

/** Turns executed together: bounds one transaction. The store bounds the requests in flight. */
const MAX_QUEUED = 256;

if (parentPort !== null) run(parentPort, workerData as EngineOptions);

function run(port: MessagePort, options: EngineOptions): void {
  const post = (message: FromThread): void => port.postMessage(message);
  const engine = open(options, post);
  if (engine === undefined) {
    port.close();
    return;
  }
  port.on('message', (first: ToThread) => {
    const turns: Turn[] = [];
    for (let next: ToThread | undefined = first; next !== undefined; next = received(port, turns.length)) {
      if (next.turn === undefined) {
        post({ kind: 'replies', replies: engine.serve(turns) });
        const warning = engine.close();
        post(warning === undefined ? { kind: 'closed' } : { kind: 'closed', warning });
        port.close();
        return;
      }
      turns.push(next.turn);
    }
    post({ kind: 'replies', replies: engine.serve(turns) });
  });
}

function open(options: EngineOptions, post: (message: FromThread) => void): Engine | undefined {
  try {
    const engine = openEngine(options);
    post({ kind: 'open' });
    return engine;
  } catch (error) {
    post({ kind: 'refused', error: errorText(error) });
    return undefined;
  }
}

function received(port: MessagePort, taken: number): ToThread | undefined {
  if (taken >= MAX_QUEUED) return undefined;
  return receiveMessageOnPort(port)?.message as ToThread | undefined;
}
