import { AppError } from '@busbar/core';
import { endSession } from '@busbar/domain/sessions';
import { misuse, positional, type AdminCommand } from './command';

export const sessionCommands: readonly AdminCommand[] = [
  {
    name: ['session', 'end'],
    positionals: ['TRANSACTION_ID'],
    options: { reason: 'TEXT' },
    about: 'end a session of any client whose stop is missing, and free its tag; the charger is not notified',
    async run({ records, clock }, given) {
      const transactionId = transactionIdOf(positional(given, 0));
      const [found] = await records.sessions.findByTransactions([transactionId]);
      if (found === undefined) throw new AppError('not_found', `There is no session ${String(transactionId)}.`);
      const { clientId, chargerId } = found;
      const { session } = await endSession({ ...records, clock }, { clientId, transactionId }, given.options['reason']);
      const { state, endedBy, endTime } = session;
      return {
        lines: [`${String(transactionId)}  ${chargerId}  ended at ${endTime ?? ''}`],
        data: { transactionId, chargerId, clientId, state, endedBy, endTime },
      };
    },
  },
];

function transactionIdOf(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw misuse(`A transaction id is a whole number from 1, not ${text}.`);
}
