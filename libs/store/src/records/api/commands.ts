import type { Records } from '@busbar/domain';
import { eq, type Store } from '../../port';
import { collections } from '../collections';
import { trim } from '../trim';

/**
 * Ids end in one of 32 random digits: one command in 32 deletes those beyond the bound, in any process, without
 * counting.
 */
const TRIMMING_DIGIT = '0';

export function commandRecords(store: Store): Records['commands'] {
  const commands = store.collection(collections.commands);
  return {
    find: (commandId) => commands.get(commandId),
    async begin(command, maxPerCharger) {
      await commands.insert({ _id: command.commandId, ...command });
      if (!command.commandId.endsWith(TRIMMING_DIGIT)) return;
      await trim(commands, eq('chargerId', command.chargerId), 'requestedAt', maxPerCharger);
    },
    async complete(commandId, end) {
      await commands.update(eq('_id', commandId), { set: { ...end } });
    },
  };
}
