// Transaction messages of a charger, in order, each until it is answered (OCPP 1.6, 3.7 and 3.10). It survives connections.
import type { CallResult, V16Requests } from '@busbar/ocpp';

type TransactionAction = 'StartTransaction' | 'StopTransaction' | 'MeterValues';

export interface TransactionMessage {
  readonly action: TransactionAction;
  /** Made when it is first sent, since the transaction's id may come late; undefined drops the message. */
  readonly payload: () => V16Requests[TransactionAction] | undefined;
  /** Called once: with the answer, or undefined where the message was dropped. */
  readonly done?: (answer: Readonly<Record<string, unknown>> | undefined) => void;
}

export interface OutboxOptions {
  readonly send: (action: TransactionAction, payload: Readonly<Record<string, unknown>>) => Promise<CallResult>;
  /** TransactionMessageAttempts. */
  readonly maxAttempts: () => number;
  /** Waits before a retry, longer after each attempt. */
  readonly pause: (attempt: number) => Promise<void>;
}

export type Outbox = ReturnType<typeof createOutbox>;

/** Without a connection for longer, the oldest readings are dropped, and then the oldest messages. */
const MAX_MESSAGES = 500;

export function createOutbox({ send, maxAttempts, pause }: OutboxOptions) {
  const waiting: TransactionMessage[] = [];
  // A repeated message is the same object.
  const made = new WeakMap<TransactionMessage, ReturnType<TransactionMessage['payload']>>();
  let flushing: Promise<void> | undefined;

  const payloadOf = (message: TransactionMessage) => {
    const payload = made.get(message) ?? message.payload();
    made.set(message, payload);
    return payload;
  };

  const sendWaiting = async (): Promise<void> => {
    for (let attempt = 1, head = waiting[0]; head !== undefined; head = waiting[0]) {
      const payload = payloadOf(head);
      const result = payload === undefined ? undefined : await send(head.action, payload);
      if (result?.outcome === 'disconnected') return;
      const mayRetry = result !== undefined && result.outcome !== 'answered' && attempt < maxAttempts();
      if (mayRetry) {
        await pause(attempt);
        attempt += 1;
        continue;
      }
      attempt = 1;
      if (waiting[0] === head) waiting.shift();
      head.done?.(result?.outcome === 'answered' ? result.payload : undefined);
    }
  };

  // It ends and is forgotten in one step, so that a message that arrives then begins the next one.
  const sendAll = async (): Promise<void> => {
    await Promise.resolve();
    try {
      await sendWaiting();
    } finally {
      flushing = undefined;
    }
  };

  return {
    push(message: TransactionMessage): void {
      waiting.push(message);
      if (waiting.length <= MAX_MESSAGES) return;
      const reading = waiting.findIndex(({ action }) => action === 'MeterValues');
      const [dropped] = waiting.splice(Math.max(0, reading), 1);
      dropped?.done?.(undefined);
    },
    /** Sends what waits until it is empty or the connection ends. */
    flush(): Promise<void> {
      flushing ??= sendAll();
      return flushing;
    },
    get size() {
      return waiting.length;
    },
  };
}
