// The contract of programs of neighbouring schema versions on one store, for every adapter.
import { systemClock, type Service } from '@busbar/core';
import { and, eq, type CollectionDefinition, type Document, type Store } from '@busbar/store';
import { createRecordingLogger } from '@busbar/testing';
import { createStoreSetup } from './store-setup';
import { isSettled, SCHEMA_ID, settingsCollection, type StoreSchema } from './store-schema';
import type { Migration } from './migration';

export interface Thing extends Document {
  readonly filled?: number;
}
export const things: CollectionDefinition<Thing> = { name: 'things', indexes: [] };

/** Fills one thing at a time with the version. */
export function fillThings(version: number, isAdditive: boolean): Migration {
  return {
    version,
    about: `things are filled with ${String(version)}`,
    isAdditive,
    async part(store) {
      const [thing] = await store.collection(things).find(eq('filled', null), { limit: 1 });
      if (thing === undefined) return 0;
      const isUnfilled = and(eq('_id', thing._id), eq('filled', null));
      return store.collection(things).update(isUnfilled, { set: { filled: version } });
    },
  };
}

/** `create` returns an empty store each time. */
export function describeNeighbours(title: string, create: () => Store): void {
  describe(title, () => {
    let store: Store;
    beforeEach(async () => {
      store = create();
      store.collection(things);
      store.collection(settingsCollection);
      await store.start();
    });
    afterEach(() => store.stop());

    const program = (...migrations: readonly Migration[]): Service =>
      createStoreSetup({
        store,
        clock: systemClock,
        logger: createRecordingLogger(),
        partitions: undefined,
        migrations,
      });
    const schema = (): Promise<StoreSchema | undefined> => store.collection(settingsCollection).get(SCHEMA_ID);
    const readSchema = async (): Promise<StoreSchema> => {
      const found = await schema();
      if (found === undefined) throw new Error('no schema document');
      return found;
    };

    it('starts an older program on a store after an additive migration', async () => {
      await program().start();
      await store.collection(things).insert({ _id: 'a' });
      await program(fillThings(2, true)).start();
      expect(await schema()).toMatchObject({ version: 2, readableBy: 1 });
      expect(await store.collection(things).get('a')).toMatchObject({ filled: 2 });
      await program().start();
      expect(await schema()).toMatchObject({ version: 2, readableBy: 1 });
    });

    it('refuses an older program after another migration, and names the newer program and the backup', async () => {
      await program().start();
      await program(fillThings(2, true), fillThings(3, false), fillThings(4, true)).start();
      expect(await schema()).toMatchObject({ version: 4, readableBy: 3 });
      await program(fillThings(2, true), fillThings(3, false)).start();
      await expect(program(fillThings(2, true)).start()).rejects.toMatchObject({
        code: 'invalid_configuration',
        message:
          'The store was written by a newer version (schema 4, for programs of schema 3 or newer; this one has 2): ' +
          'run that version, or restore a backup from before it.',
      });
    });

    it('refuses an older program from the begin of such a migration on', async () => {
      await program().start();
      await store.collection(things).insert({ _id: 'a' });
      let refused: unknown;
      const migration = fillThings(2, false);
      const part = async (): Promise<number> => {
        refused ??= await program()
          .start()
          .catch((error: unknown) => error);
        return migration.part(store);
      };
      await program({ ...migration, part }).start();
      expect(refused).toMatchObject({ code: 'invalid_configuration' });
    });

    it('fills what older programs left before a migration that they cannot live beside', async () => {
      await program(fillThings(2, true)).start();
      await program().start();
      await store.collection(things).insert({ _id: 'a' });
      await program(fillThings(2, true), fillThings(3, false)).start();
      expect(await store.collection(things).get('a')).toMatchObject({ filled: 2 });
      expect(isSettled(await readSchema())).toBe(true);
    });

    it('lets programs start on a new store that could start after all its migrations', async () => {
      await program(fillThings(2, false), fillThings(3, true)).start();
      expect(await schema()).toMatchObject({ version: 3, readableBy: 2 });
      await program(fillThings(2, false)).start();
      await expect(program().start()).rejects.toMatchObject({ code: 'invalid_configuration' });
    });
  });
}
