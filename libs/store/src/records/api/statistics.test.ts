import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import {
  createCharger,
  socketTally,
  type Charger,
  type ChargingState,
  type RegisteredSocket,
} from '@busbar/domain/chargers';
import { createSite } from '@busbar/domain/sites';
import { createRecordingLogger } from '@busbar/testing';
import { eq, type Store } from '../../port';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { collections } from '../collections';
import { createRecords } from '../create-records';

describe('a read of the statistics', () => {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-statistics-'));
  const clock = systemClock;
  let store: Store;
  let records: ReturnType<typeof createRecords>;
  let made = 0;

  beforeAll(async () => {
    store = createSqliteStore({ directory, logger: createRecordingLogger(), clock });
    records = createRecords(store);
    await store.start();
  });

  afterAll(async () => {
    await store.stop();
    rmSync(directory, { recursive: true });
  });

  const register = async (clientId: string, sockets: readonly RegisteredSocket[] = []): Promise<Charger> => {
    if ((await records.sites.findOldest(clientId)) === undefined) {
      await createSite({ ...records, clock }, clientId, { name: 'A site' });
    }
    made += 1;
    return createCharger({ ...records, clock }, clientId, { chargerId: `C${String(made)}`, name: 'x', sockets });
  };

  /** Stores a report as charger-state does. */
  const report = async (charger: Charger, states: readonly ChargingState[], active: boolean) => {
    const sockets = Object.fromEntries(
      states.map((state, i) => [
        String(i + 1),
        {
          state,
          errorCode: '',
          info: '',
          vendorErrorCode: '',
          at: '2026-01-01T00:00:00.000Z',
          position: [1, i] as const,
        },
      ]),
    );
    const reported = { ...charger.reported, sockets };
    const stored = { ...reported, tally: socketTally({ ...charger, reported }) };
    await store.collection(collections.chargers).update(eq('_id', charger.chargerId), {
      set: { reported: JSON.parse(JSON.stringify(stored)) as never, 'connection.active': active },
    });
  };

  const numbers = async (clientId: string) => {
    const { socketsByState, ...rest } = await records.statistics.read(clientId, new Date());
    const states = Object.entries(socketsByState).filter(([, count]) => count > 0);
    return { ...rest, generatedAt: '', socketsByState: Object.fromEntries(states) };
  };

  it('counts registered and reported sockets, and those of disconnected chargers as Offline', async () => {
    await report(await register('one', [{ id: 1 }, { id: 9 }]), ['Charging', 'Available'], true);
    await report(await register('one'), ['Charging', 'Charging'], true);
    await report(await register('one'), ['Charging', 'Error', 'Error'], false);
    await register('one', [{ id: 1 }]);
    await report(await register('two'), ['Charging'], true);
    expect(await numbers('one')).toMatchObject({
      sites: 1,
      chargers: 4,
      connectedChargers: 2,
      sockets: 9,
      socketsByState: { Charging: 3, Available: 1, Offline: 5 },
    });
    expect(await numbers('two')).toMatchObject({ chargers: 1, sockets: 1, socketsByState: { Charging: 1 } });
  });

  it('includes sockets that the owner just changed', async () => {
    const charger = await register('four', [{ id: 1 }]);
    await records.chargers.updateRegistration(charger, { sockets: [{ id: 1 }, { id: 2 }, { id: 3 }] }, '2026-01-01');
    expect(await numbers('four')).toMatchObject({ chargers: 1, sockets: 3, socketsByState: { Offline: 3 } });
  });

  it('uses the tally that a change of sockets updated', async () => {
    const { chargerId } = await register('five', [{ id: 1 }]);
    const find = async () => {
      const found = await records.chargers.find(chargerId);
      if (found === undefined) throw new Error('the charger is gone');
      return found;
    };
    await report(await find(), ['Charging'], true);
    const sockets = [{ id: 1 }, { id: 2 }];
    expect(await records.chargers.updateRegistration(await find(), { sockets }, '2026-01-01')).toBe(true);
    expect((await find()).reported.tally).toBe('Charging*1,Offline*1');
  });

  it('counts sockets correctly when a charger reports while its owner changes sockets', async () => {
    const before = await register('six', [{ id: 1 }]);
    const collection = store.collection(collections.chargers);
    await report(before, ['Charging'], true);
    await collection.update(eq('_id', before.chargerId), { inc: { revision: 1 } });
    const sockets = [{ id: 1 }, { id: 2 }];
    expect(await records.chargers.updateRegistration(before, { sockets }, '2026-01-01')).toBe(false);
    expect(await records.chargers.updateRegistration(before, { name: 'other' }, '2026-01-01')).toBe(true);
    const now = await records.chargers.find(before.chargerId);
    expect(now !== undefined && (await records.chargers.updateRegistration(now, { sockets }, '2026-01-01'))).toBe(true);
    expect(await numbers('six')).toMatchObject({ sockets: 2, socketsByState: { Charging: 1, Offline: 1 } });
  });
});
