import type { CallResult } from '@busbar/ocpp';
import { createOutbox, type TransactionMessage } from './outbox';

const ANSWERED: CallResult = { outcome: 'answered', payload: { transactionId: 7 }, deviations: [] };
const ERROR: CallResult = { outcome: 'error', code: 'InternalError', description: '' };

function outboxWith(...results: CallResult[]) {
  const sent: string[] = [];
  const done: unknown[] = [];
  const outbox = createOutbox({
    send: (action) => {
      sent.push(action);
      return Promise.resolve(results.shift() ?? ANSWERED);
    },
    maxAttempts: () => 2,
    pause: () => Promise.resolve(),
  });
  const message = (action: TransactionMessage['action'], payload: object | undefined = {}): TransactionMessage => ({
    action,
    payload: () => payload as ReturnType<TransactionMessage['payload']>,
    done: (answer) => done.push(answer),
  });
  return { outbox, sent, done, message };
}

it('sends in order, and keeps what a lost connection left', async () => {
  const { outbox, sent, done, message } = outboxWith(ANSWERED, { outcome: 'disconnected' });
  outbox.push(message('StartTransaction'));
  outbox.push(message('StopTransaction'));
  await outbox.flush();
  expect(outbox.size).toBe(1);
  await outbox.flush();
  expect(sent).toEqual(['StartTransaction', 'StopTransaction', 'StopTransaction']);
  expect(done).toEqual([{ transactionId: 7 }, { transactionId: 7 }]);
});

it('retries after an error, and drops the message after the last attempt', async () => {
  const { outbox, sent, done, message } = outboxWith(ERROR, ERROR);
  outbox.push(message('StartTransaction'));
  outbox.push(message('MeterValues'));
  await outbox.flush();
  expect(sent).toEqual(['StartTransaction', 'StartTransaction', 'MeterValues']);
  expect(done).toEqual([undefined, { transactionId: 7 }]);
});

it('drops a message whose transaction never began', async () => {
  const { outbox, sent, done, message } = outboxWith();
  outbox.push({ ...message('StopTransaction'), payload: () => undefined });
  await outbox.flush();
  expect(sent).toEqual([]);
  expect(done).toEqual([undefined]);
});

it('is limited: drops readings before starts and stops', () => {
  const { outbox, done, message } = outboxWith();
  outbox.push(message('StartTransaction'));
  for (let i = 0; i < 600; i += 1) outbox.push(message('MeterValues'));
  expect(outbox.size).toBe(500);
  expect(done).toHaveLength(101);
});
