// The connection to the engine, which has its own thread: neither SQLite's work nor the disk's sync blocks the sockets.
import { openEngine } from './engine/engine';
import { errorOf } from './error-text';
import { startThread } from './start-thread';
import type { EngineOptions, FromThread, Replies, Turn } from './protocol';

export interface EngineLink {
  send(turn: Turn): void;
  /** After all earlier requests. Resolves with the error that prevented the final checkpoint, if any. */
  close(): Promise<string | undefined>;
}

export interface EngineListener {
  /** Called for one turn or for several, in their order. */
  replied(replies: Replies): void;
  /** The thread ended by itself; requests in flight get no response. */
  lost(error: unknown): void;
}

/** Rejects as `openEngine` throws. */
export type OpenEngine = (options: EngineOptions, listener: EngineListener) => Promise<EngineLink>;

/** The same as for the process (`--max-semi-space-size` in package.json): few objects of a batch outlive it. */
const YOUNG_MB = 96;

/** The engine in its own thread. */
export const openEngineThread: OpenEngine = (options, listener) =>
  new Promise((resolve, reject) => {
    const worker = startThread('worker', options, { maxYoungGenerationSizeMb: YOUNG_MB });
    let closing: ((warning: string | undefined) => void) | undefined;
    let failure = new Error('the thread of the data file ended');
    let ended = false;
    const link: EngineLink = {
      send: (turn) => worker.postMessage({ turn }),
      close: () =>
        ended
          ? Promise.resolve('its thread had ended')
          : new Promise((closed) => {
              closing = closed;
              worker.postMessage({});
            }),
    };
    const closed = (warning?: string): void => {
      closing?.(warning);
      closing = undefined;
      worker.removeAllListeners('exit');
    };
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'replies') listener.replied(message.replies);
      else if (message.kind === 'open') resolve(link);
      else if (message.kind === 'closed') closed(message.warning);
      else {
        worker.removeAllListeners('exit');
        reject(errorOf(message.error));
      }
    });
    worker.on('error', (error: Error) => (failure = error));
    worker.on('exit', () => {
      ended = true;
      reject(failure);
      closing?.('its thread ended');
      listener.lost(failure);
    });
  });

/** The engine in this thread: for tests, which open many stores and run from source. */
export const openEngineHere: OpenEngine = (options, listener) => {
  const engine = openEngine(options);
  let waiting: Turn[] = [];
  const serve = (): void => {
    const turns = waiting;
    waiting = [];
    if (turns.length > 0) listener.replied(engine.serve(turns));
  };
  return Promise.resolve({
    send(turn) {
      if (waiting.push(turn) === 1) setImmediate(serve);
    },
    close() {
      serve();
      return Promise.resolve(engine.close());
    },
  });
};
