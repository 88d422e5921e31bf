import type { OngoingTransaction } from '../sessions/ongoing-transaction';
import { messagesInForce, withMessages, type DisplayMessage } from './display-message';
import { NO_ITEMS } from './numbered-items';

const NOW = '2026-01-01T12:00:00.000Z';
const MESSAGE: DisplayMessage = {
  id: 1,
  priority: 'NormalCycle',
  message: { format: 'UTF8', content: 'Hello' },
  setAt: NOW,
  commandId: 'c1',
  position: [1, 2],
};
const ONGOING: OngoingTransaction = {
  socketId: 1,
  transactionId: 77,
  sessionId: 's',
  idTag: 'T',
  startTime: NOW,
  position: [1, 1],
  device: { id: 'T-1', chargingState: null, wasEnergized: false },
};

it('160. keeps the command of a message that the charger then reports', () => {
  const set = withMessages(NO_ITEMS, [MESSAGE]);
  const reported = withMessages(set, [
    { ...MESSAGE, commandId: null, position: [1, 3] },
    { ...MESSAGE, id: 2, commandId: null },
  ]);
  expect(reported.items).toMatchObject([
    { id: 1, commandId: 'c1', position: [1, 3] },
    { id: 2, commandId: null },
  ]);
});

it('160. stores at most 100 display messages', () => {
  const many = Array.from({ length: 101 }, (_, id) => ({ ...MESSAGE, id }));
  expect(withMessages(NO_ITEMS, many).items).toHaveLength(100);
});

it.each<[string, Partial<DisplayMessage>, readonly (number | null)[]]>([
  ['without an end', {}, [null]],
  ['before its end', { endDateTime: '2026-01-01T12:00:00.001Z' }, [null]],
  ['not after its end', { endDateTime: NOW }, []],
  ['of an ongoing transaction with our id', { deviceTransactionId: 'T-1' }, [77]],
  ['not of a transaction that is over', { deviceTransactionId: 'T-0' }, []],
])('160. shows a message %s', (_title, part, transactionIds) => {
  const shown = messagesInForce({ ...NO_ITEMS, items: [{ ...MESSAGE, ...part }] }, [ONGOING], NOW);
  expect(shown.map(({ transactionId }) => transactionId)).toEqual(transactionIds);
});
