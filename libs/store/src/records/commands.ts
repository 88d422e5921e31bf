import type { Records } from '@busbar/domain';
import { and, eq, lt, lte, or, type Store } from '../port';
import { commandsCollection } from './collections';

/**
 * Ids end in one of 32 random digits: one command in 32 deletes those beyond the bound, in any process, without
 * counting.
 */
const TRIMMING_DIGIT = '0';

export function commandRecords(store: Store): Records['commands'] {
  const commands = store.collection(commandsCollection);
  return {
    find: (commandId) => commands.get(commandId),
    async begin(command, maxPerCharger) {
      await commands.insert({ _id: command.commandId, ...command });
      if (!command.commandId.endsWith(TRIMMING_DIGIT)) return;
      const own = eq('chargerId', command.chargerId);
      const sort = [['requestedAt', -1] as const, ['_id', -1] as const];
      const [last] = await commands.find(own, { sort, skip: maxPerCharger, limit: 1, fields: ['requestedAt'] });
      if (last === undefined) return;
      const { _id, requestedAt: at } = last;
      await commands.delete(and(own, or(lt('requestedAt', at), and(eq('requestedAt', at), lte('_id', _id)))));
    },
    async complete(commandId, end) {
      await commands.update(eq('_id', commandId), { set: { ...end } });
    },
  };
}
