// The contract of the settling pass for every adapter of the store: programs of schema 1 and 2 side by side.
import { systemClock, type Service } from '@busbar/core';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import { eq, type Store } from '@busbar/store';
import { fillThings, things } from '../migrations/neighbours.contract';
import { createStoreSetup } from '../migrations/store-setup';
import { isSettled, SCHEMA_ID, settingsCollection, type StoreSchema } from '../migrations/store-schema';
import { createHeartbeat } from './process-heartbeat';
import { HEARTBEAT_MS, processesCollection } from './process-record';
import { createSettlingRounds } from './settling';

const QUIET_MS = 60_000;
const QUIET_ROUNDS = QUIET_MS / HEARTBEAT_MS;
const MIGRATIONS = [fillThings(2, true)];
const PROGRAMS = { old: [], new: MIGRATIONS };
type Age = keyof typeof PROGRAMS;

/** `create` returns an empty store each time. */
export function describeSettling(title: string, create: () => Store): void {
  describe(title, () => {
    let store: Store;
    let started: Service[];
    let beaten: number;
    let clock: ReturnType<typeof createFakeClock>;
    let logger: ReturnType<typeof createRecordingLogger>;
    beforeEach(async () => {
      store = create();
      started = [];
      beaten = 0;
      clock = createFakeClock();
      logger = createRecordingLogger();
      for (const definition of [things, settingsCollection, processesCollection])
        store.collection<never>(definition as never);
      await store.start();
    });
    afterEach(async () => {
      for (const service of started) await service.stop();
      await store.stop();
    });

    /** Sets the store up as a program does at its start, and shows the process. */
    async function start(age: Age, onUnreadable: (error: unknown) => void = fail): Promise<Service> {
      const migrations = PROGRAMS[age];
      await createStoreSetup({ store, clock: systemClock, logger, partitions: undefined, migrations }).start();
      const version = { schema: migrations.length + 1, program: age };
      const onSchema = (): void => {
        beaten += 1;
      };
      const heartbeat = createHeartbeat({ store, clock, logger, service: 'v2-api', version, onSchema, onUnreadable });
      started.push(heartbeat);
      await heartbeat.start();
      return heartbeat;
    }

    function replica() {
      const documents: number[] = [];
      const rounds = createSettlingRounds({
        store,
        clock,
        logger,
        migrations: MIGRATIONS,
        quietMs: QUIET_MS,
        onDocuments: (count) => documents.push(count),
      });
      const once = (): Promise<void> => rounds.run(new AbortController().signal);
      return {
        documents,
        seen: rounds.seen,
        /** Rounds of this replica, with the heartbeats between them. */
        async run(count: number): Promise<void> {
          for (let round = 0; round < count; round += 1) {
            await beats();
            await once();
          }
        },
        once,
      };
    }

    /** Advances the time by a heartbeat of every live process. */
    async function beats(): Promise<void> {
      const expected = beaten + started.filter((service) => service.ready()).length;
      clock.advance(HEARTBEAT_MS);
      await eventually(() => beaten === expected);
    }

    async function schema(): Promise<StoreSchema> {
      const found = await store.collection(settingsCollection).get(SCHEMA_ID);
      if (found === undefined) throw new Error('no schema document');
      return found;
    }
    const settled = async (): Promise<boolean> => isSettled(await schema());
    const filled = async (id: string) => (await store.collection(things).get(id))?.filled;

    it('fills what older programs wrote, a minute after the last of them was seen', async () => {
      const old = await start('old');
      expect(await settled()).toBe(true);
      await start('new');
      expect(await settled()).toBe(false);
      const { run, documents } = replica();
      await run(QUIET_ROUNDS + 2);
      await store.collection(things).insert({ _id: 'a' });
      expect(await settled()).toBe(false);
      await old.stop();
      await run(QUIET_ROUNDS - 1);
      expect([await settled(), await filled('a')]).toEqual([false, undefined]);
      await run(2);
      expect([await settled(), await filled('a')]).toEqual([true, 2]);
      expect(documents.at(-1)).toBe(1);
      expect(logger.lines).toContainEqual(
        expect.objectContaining({
          message: 'an older program runs beside this one',
          fields: { service: 'v2-api', schema: 1, program: 'old', newest: 2 },
        }),
      );
    });

    it('waits for older gateways, which show their schema in their lease', async () => {
      await start('old').then((service) => service.stop());
      await start('new');
      const { run, seen } = replica();
      for (let round = 0; round < QUIET_ROUNDS * 2; round += 1) {
        seen({ program: 'one without a schema' });
        await run(1);
      }
      expect(await settled()).toBe(false);
      for (let round = 0; round <= QUIET_ROUNDS; round += 1) {
        seen({ schema: 2, program: 'new' });
        await run(1);
      }
      expect(await settled()).toBe(true);
    });

    it('is needed again after an older program started or a gateway was rolled back, on a settled store', async () => {
      await start('new');
      const { run, seen } = replica();
      await run(QUIET_ROUNDS + 1);
      expect(await settled()).toBe(true);
      const old = await start('old');
      expect(await settled()).toBe(false);
      await old.stop();
      await run(QUIET_ROUNDS + 2);
      expect(await settled()).toBe(true);
      seen({ schema: 1 });
      await run(1);
      expect(await settled()).toBe(false);
    });

    it('is needed again when an older program that was taken for dead writes again', async () => {
      const old = await start('old');
      await start('new');
      await old.stop();
      const { run } = replica();
      await run(QUIET_ROUNDS + 2);
      expect(await settled()).toBe(true);
      await old.start();
      await beats();
      await eventually(async () => !(await settled()));
    });

    it('does not wait for a process that died, and forgets it', async () => {
      await start('old').then((service) => service.stop());
      await store.collection(processesCollection).insert({
        _id: 'died',
        service: 'charger-state',
        schema: 1,
        program: 'old',
        beat: 7,
      });
      await start('new');
      const { run } = replica();
      await run(QUIET_ROUNDS + 2);
      expect(await settled()).toBe(true);
      expect(await store.collection(processesCollection).get('died')).toBeUndefined();
      expect(await store.collection(processesCollection).count({ op: 'and', filters: [] })).toBe(1);
    });

    it('runs in one of several replicas', async () => {
      await start('old').then((service) => service.stop());
      await start('new');
      for (let n = 0; n < 20; n += 1) await store.collection(things).insert({ _id: String(n) });
      const replicas = [replica(), replica(), replica()];
      for (let round = 0; round < QUIET_ROUNDS + 2; round += 1) {
        await beats();
        await Promise.all(replicas.map(({ once }) => once()));
      }
      expect(await settled()).toBe(true);
      expect(logger.lines.filter(({ message }) => message.startsWith('the store is settled'))).toHaveLength(1);
    });

    it('ends a process that cannot live beside what a newer program made of the store', async () => {
      const errors: unknown[] = [];
      await start('old', (error) => errors.push(error));
      await store.collection(settingsCollection).update(eq('_id', SCHEMA_ID), { set: { version: 3, readableBy: 2 } });
      await beats();
      await eventually(() => errors.length === 1);
      expect(errors).toMatchObject([{ code: 'invalid_configuration' }]);
    });
  });
}

function fail(error: unknown): never {
  throw error;
}
