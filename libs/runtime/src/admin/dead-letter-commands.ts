// Messages of chargers that failed by their own fault five times: looked at, tried again, or given up for good.
import { AppError } from '@busbar/core';
import type { DeadLetterStore, StoredDeadLetter } from '@busbar/domain';
import { positional, type AdminCommand, type AdminContext } from './command';

/** More than an operator reads in one go; the oldest come first. */
const MOST_LISTED = 1000;

export const deadLetterCommands: readonly AdminCommand[] = [
  {
    words: ['dead-letters', 'list'],
    positionals: [],
    options: {},
    about: 'messages of chargers that could not be applied, oldest first, and why',
    async run(context) {
      const letters = await storeOf(context).list(MOST_LISTED);
      return {
        lines: letters.map(({ deadLetterId, at, chargerId, action, reason }) =>
          [deadLetterId, at, chargerId || '(unreadable)', action, reason].join('  '),
        ),
        data: letters,
      };
    },
  },
  {
    words: ['dead-letters', 'replay'],
    positionals: ['ID'],
    options: {},
    about: 'put one back into its queue; it comes here again if it still cannot be applied',
    async run(context, given) {
      const store = storeOf(context);
      const letter = await letterOf(store, positional(given, 0));
      if (context.replay === undefined)
        throw new AppError('invalid_request', 'Set BROKER_URL: a replay needs the broker.');
      // Out of the store first: what comes back under the same id must find the place free. Put back if it did not go.
      await store.drop(letter.deadLetterId);
      try {
        await context.replay(letter);
      } catch (error) {
        await store.keep(letter);
        throw error;
      }
      return { lines: [`replayed ${letter.deadLetterId}`], data: { deadLetterId: letter.deadLetterId } };
    },
  },
  {
    words: ['dead-letters', 'drop'],
    positionals: ['ID'],
    options: {},
    about: 'forget one for good',
    async run(context, given) {
      const { deadLetterId } = await letterOf(storeOf(context), positional(given, 0));
      await storeOf(context).drop(deadLetterId);
      return { lines: [`dropped ${deadLetterId}`], data: { deadLetterId } };
    },
  },
];

function storeOf({ deadLetters }: AdminContext): DeadLetterStore {
  if (deadLetters === undefined) throw new AppError('invalid_request', 'There are no dead letters to be had here.');
  return deadLetters;
}

async function letterOf(store: DeadLetterStore, deadLetterId: string): Promise<StoredDeadLetter> {
  const letter = await store.find(deadLetterId);
  if (letter === undefined) throw new AppError('not_found', `There is no dead letter ${deadLetterId}.`);
  return letter;
}
