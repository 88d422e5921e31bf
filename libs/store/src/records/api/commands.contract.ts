// The contract of the records of commands for every adapter.
import type { Records } from '@busbar/domain';
import type { CommandRecord } from '@busbar/domain/commands';
import type { Store } from '../../port';
import { createRecords } from '../create-records';

/** A command in progress of the charger `A`. */
export function commandAt(second: number, over: Partial<CommandRecord> = {}): CommandRecord {
  const requestedAt = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  const asked = { operation: 'reset', requestedAt, requestedBy: 'key', requestId: 'r' };
  const open = { outcome: 'in_progress', response: null, completedAt: null } as const;
  return { commandId: `command-${String(second)}`, clientId: 'c', chargerId: 'A', ...asked, ...open, ...over };
}

/** `create` returns an empty store each time. */
export function describeCommands(title: string, create: () => Store): void {
  describe(title, () => {
    let store: Store;
    let commands: Records['commands'];
    beforeEach(async () => {
      store = create();
      commands = createRecords(store).commands;
      await store.start();
    });
    afterEach(() => store.stop());

    it('finds a command by its id, and completes it', async () => {
      await commands.begin(commandAt(1), 10);
      expect(await commands.find('command-1')).toMatchObject(commandAt(1));
      const end = {
        outcome: 'answered',
        response: '{"$a.b":"\\u0000"}',
        completedAt: commandAt(2).requestedAt,
      } as const;
      await commands.complete('command-1', end);
      expect(await commands.find('command-1')).toMatchObject({ ...commandAt(1), ...end });
      expect(await commands.find('none')).toBeUndefined();
    });

    it('limits the commands of a charger: an id that ends in 0 deletes the oldest above the limit', async () => {
      const ids = ['other', 'command-1', 'command-2', 'command-3', 'command-30'];
      const found = async () => (await Promise.all(ids.map((id) => commands.find(id)))).map((each) => each?.commandId);
      await commands.begin(commandAt(0, { commandId: 'other', chargerId: 'B' }), 2);
      for (let second = 1; second <= 3; second += 1) await commands.begin(commandAt(second), 2);
      expect(await found()).toEqual([...ids.slice(0, 4), undefined]);
      // The timestamps are equal: only the ids differ.
      await commands.begin(commandAt(3, { commandId: 'command-30' }), 2);
      expect(await found()).toEqual(['other', undefined, undefined, 'command-3', 'command-30']);
    });
  });
}
