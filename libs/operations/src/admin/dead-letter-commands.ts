// Commands for dead letters: messages of chargers that failed five times by their own fault.
import { AppError } from '@busbar/core';
import type { DeadLetterStore, StoredDeadLetter } from '@busbar/domain/reports';
import { replayStored } from '../replay-dead-letter';
import { misuse, positional, type AdminCommand, type AdminContext } from './command';
import { table } from './table';

/** `--after` lists those behind them. */
const MAX_LISTED = 1000;
const EFFECT =
  "Its rows are stored. The charger's record changes only where no later message of its connection was applied.";

const COLUMNS = [
  { header: 'ID', value: ({ deadLetterId }: StoredDeadLetter) => deadLetterId },
  { header: 'TIME', value: ({ at }: StoredDeadLetter) => at },
  { header: 'CHARGER', value: ({ chargerId }: StoredDeadLetter) => chargerId || '(unreadable)' },
  { header: 'ACTION', value: ({ action }: StoredDeadLetter) => action },
  { header: 'REASON', value: ({ reason }: StoredDeadLetter) => reason },
];

export const deadLetterCommands: readonly AdminCommand[] = [
  {
    name: ['dead-letters', 'list'],
    options: { order: 'oldest|newest', after: 'ID' },
    about:
      `list messages of chargers that could not be applied, with reason and total: ${String(MAX_LISTED)} at a time, ` +
      'by default the oldest first, or those behind the one named',
    async run(context, { options }) {
      const store = storeOf(context);
      const order = orderOf(options['order']);
      const after = options['after'] === undefined ? {} : { after: await letterOf(store, options['after']) };
      const letters = await store.list(MAX_LISTED, { newestFirst: order === 'newest', ...after });
      const lines = table(COLUMNS, letters);
      return { lines: [...lines, summaryOf(letters, await store.count(), order)], data: letters };
    },
  },
  {
    name: ['dead-letters', 'replay'],
    positionals: ['ID'],
    about:
      'publish one to its queue again; it becomes a dead letter again if it still cannot be applied. Its rows are stored; ' +
      'a record that later messages changed stays as it is',
    async run(context, given) {
      const store = storeOf(context);
      const letter = await letterOf(store, positional(given, 0));
      if (context.replay === undefined)
        throw new AppError('invalid_request', 'Set BROKER_URL: a replay needs the broker.');
      await replayStored(store, letter, context.replay);
      const { deadLetterId } = letter;
      return { lines: [`replayed ${deadLetterId}`, EFFECT], data: { deadLetterId } };
    },
  },
  {
    name: ['dead-letters', 'drop'],
    positionals: ['ID'],
    about: 'delete one permanently',
    async run(context, given) {
      const { deadLetterId } = await letterOf(storeOf(context), positional(given, 0));
      await storeOf(context).drop(deadLetterId);
      return { lines: [`dropped ${deadLetterId}`], data: { deadLetterId } };
    },
  },
];

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
  if (deadLetters === undefined) throw new AppError('invalid_request', 'This process has no dead letters.');
  return deadLetters;
}

async function letterOf(store: DeadLetterStore, deadLetterId: string): Promise<StoredDeadLetter> {
  const letter = await store.find(deadLetterId);
  if (letter === undefined) throw new AppError('not_found', `There is no dead letter ${deadLetterId}.`);
  return letter;
}
