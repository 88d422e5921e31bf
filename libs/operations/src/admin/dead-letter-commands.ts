// Messages of chargers that failed by their own fault five times: looked at, tried again, or given up for good.
import { AppError, createId } from '@busbar/core';
import type { DeadLetterStore, StoredDeadLetter } from '@busbar/domain';
import { misuse, positional, type AdminCommand, type AdminContext } from './command';

/** More than an operator reads in one go; `--after` goes on behind them. */
const MAX_LISTED = 1000;
/** Between the id of a letter and that of its replay, in the id of the copy that is kept meanwhile. */
const SET_ASIDE_SUFFIX = '.replay-';
const WHAT_CHANGES =
  "Its rows go in. The charger's record follows it only where no later message of its connection was applied.";

export const deadLetterCommands: readonly AdminCommand[] = [
  {
    name: ['dead-letters', 'list'],
    positionals: [],
    options: { order: 'oldest|newest', after: 'ID' },
    about:
      `messages of chargers that could not be applied, and why, and how many there are: ${String(MAX_LISTED)} at a time, ` +
      'the oldest first unless told otherwise, or those behind the one named',
    async run(context, { options }) {
      const store = storeOf(context);
      const order = orderOf(options['order']);
      const after = options['after'] === undefined ? {} : { after: await letterOf(store, options['after']) };
      const letters = await store.list(MAX_LISTED, { newestFirst: order === 'newest', ...after });
      const lines = letters.map(({ deadLetterId, at, chargerId, action, reason }) =>
        [deadLetterId, at, chargerId || '(unreadable)', action, reason].join('  '),
      );
      return { lines: [...lines, summaryOf(letters, await store.count(), order)], data: letters };
    },
  },
  {
    name: ['dead-letters', 'replay'],
    positionals: ['ID'],
    options: {},
    about:
      'put one back into its queue; it comes here again if it still cannot be applied. Its rows go in; ' +
      'a record that later messages have moved on stays as it is',
    async run(context, given) {
      const store = storeOf(context);
      const letter = await letterOf(store, positional(given, 0));
      if (context.replay === undefined)
        throw new AppError('invalid_request', 'Set BROKER_URL: a replay needs the broker.');
      await replayStored(store, letter, context.replay);
      const { deadLetterId } = letter;
      return { lines: [`replayed ${deadLetterId}`, WHAT_CHANGES], data: { deadLetterId } };
    },
  },
  {
    name: ['dead-letters', 'drop'],
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

/**
 * What fails again comes back under the same id and must find that place free, else its coming back would be taken for a
 * redelivery, and this command would drop it. So a copy is kept under an id of its own until the broker has confirmed:
 * whoever is killed when, the message is in the store or in the queue. In both is harmless, since it is applied once.
 */
async function replayStored(
  store: DeadLetterStore,
  letter: StoredDeadLetter,
  replay: (letter: StoredDeadLetter) => Promise<void>,
): Promise<void> {
  const { deadLetterId } = letter;
  // A copy that a broken-off replay left is in nobody's way.
  const copyId = deadLetterId.includes(SET_ASIDE_SUFFIX)
    ? deadLetterId
    : `${deadLetterId}${SET_ASIDE_SUFFIX}${createId()}`;
  if (copyId !== deadLetterId) await store.keep(copyOf(letter, copyId));
  try {
    if (copyId !== deadLetterId) await store.drop(deadLetterId);
    await replay(letter);
  } catch (error) {
    if (copyId !== deadLetterId) await putBack(store, letter, copyId);
    throw error;
  }
  await dropCopy(store, copyId, `${deadLetterId} was put back into its queue`);
}

async function putBack(store: DeadLetterStore, letter: StoredDeadLetter, copyId: string): Promise<void> {
  try {
    await store.keep(copyOf(letter, letter.deadLetterId));
  } catch (cause) {
    const message = `${letter.deadLetterId} was not put back into its queue, and is kept as ${copyId}: replay that one.`;
    throw new AppError('unavailable', message, { cause });
  }
  await dropCopy(store, copyId, `${letter.deadLetterId} was not put back into its queue, and stays here`);
}

async function dropCopy(store: DeadLetterStore, copyId: string, became: string): Promise<void> {
  try {
    await store.drop(copyId);
  } catch (cause) {
    const message = `${became}. The copy ${copyId} could not be dropped: drop it. Replaying it would change nothing.`;
    throw new AppError('unavailable', message, { cause });
  }
}

/** Without what the store keeps beside a letter: its own id of the first one, too. */
function copyOf({ chargerId, action, reason, at, report }: StoredDeadLetter, deadLetterId: string): StoredDeadLetter {
  return { deadLetterId, chargerId, action, reason, at, report };
}

type Order = 'oldest' | 'newest';

function orderOf(given = 'oldest'): Order {
  if (given === 'oldest' || given === 'newest') return given;
  throw misuse(`--order is oldest or newest, not ${given}.`);
}

function summaryOf(letters: readonly StoredDeadLetter[], total: number, order: Order): string {
  const shown = `${String(letters.length)} of ${String(total)} dead letters, the ${order} first`;
  const last = letters.at(-1);
  if (last === undefined || letters.length < MAX_LISTED) return shown;
  return `${shown}; those behind them: dead-letters list --order ${order} --after ${last.deadLetterId}`;
}

function storeOf({ deadLetters }: AdminContext): DeadLetterStore {
  if (deadLetters === undefined) throw new AppError('invalid_request', 'There are no dead letters to be had here.');
  return deadLetters;
}

async function letterOf(store: DeadLetterStore, deadLetterId: string): Promise<StoredDeadLetter> {
  const letter = await store.find(deadLetterId);
  if (letter === undefined) throw new AppError('not_found', `There is no dead letter ${deadLetterId}.`);
  return letter;
}
