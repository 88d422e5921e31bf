import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { noRows } from '@busbar/domain/reports';
import { createCharger, type Charger } from '@busbar/domain/chargers';
import { type Session } from '@busbar/domain/sessions';
import { createSite } from '@busbar/domain/sites';
import { newSession } from '@busbar/domain/testing';
import { createRecordingLogger } from '@busbar/testing';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { createRecords } from '../create-records';
import { createReportStore } from './report-store';

describe('a batch in a store without ordered writes', () => {
  let world: Awaited<ReturnType<typeof openWorld>>;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.close());

  it('leaves the record unchanged when another replica stored the same start under another transaction id', async () => {
    const { reports, read } = world;
    const before = await read();
    // The other replica was killed between its rows and its document.
    await reports.write({ ...noRows(), sessions: [startOf(before, 1)] }, []);

    const result = await reports.write({ ...noRows(), sessions: [startOf(before, 2)] }, [
      { from: before, to: withOngoing(before, 2) },
    ]);

    expect(result).toBe('conflict');
    expect(await read()).toEqual(before);
  });

  it('leaves a record unchanged that was updated since it was read', async () => {
    const { reports, read } = world;
    const before = await read();
    const moved = { ...before, applied: [[1, 2] as const], revision: before.revision + 1 };
    expect(await reports.write(noRows(), [{ from: before, to: moved }])).toBe('written');
    const late = { ...before, applied: [[1, 1] as const], revision: before.revision + 1 };
    expect(await reports.write(noRows(), [{ from: before, to: late }])).toBe('conflict');
    expect(await read()).toMatchObject({ applied: moved.applied, revision: moved.revision });
  });

  it('stores a start in the record when its row is new', async () => {
    const { reports, read } = world;
    const before = await read();
    const result = await reports.write({ ...noRows(), sessions: [startOf(before, 1)] }, [
      { from: before, to: withOngoing(before, 1) },
    ]);
    expect(result).toBe('written');
    expect((await read()).reported.ongoing['1']?.transactionId).toBe(1);
  });
});

async function openWorld() {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-reports-'));
  const store = createSqliteStore({ directory, logger: createRecordingLogger(), clock: systemClock });
  const records = createRecords(store);
  const reports = createReportStore({ ...store, ordersWrites: false });
  await store.start();
  const made = { ...records, clock: systemClock };
  const { siteId } = await createSite(made, 'client', { name: 'A site' });
  await createCharger(made, 'client', { chargerId: 'A_1', name: 'A charger', siteId });
  return {
    reports,
    async read(): Promise<Charger> {
      const [charger] = await reports.loadChargers(['A_1']);
      if (charger === undefined) throw new Error('the charger is not there');
      return charger;
    },
    async close() {
      await store.stop();
      rmSync(directory, { recursive: true });
    },
  };
}

function startOf(charger: Charger, transactionId: number): Session {
  const { chargerId, incarnationId, clientId, registered } = charger;
  const { siteId } = registered;
  return newSession({ sessionId: 'the start', transactionId, chargerId, incarnationId, clientId, siteId, idTag: 'T' });
}

function withOngoing(charger: Charger, transactionId: number): Charger {
  const ongoing = {
    sessionId: 'the start',
    transactionId,
    socketId: 1,
    idTag: 'T',
    startTime: '2026-01-01T00:00:00.000Z',
    position: [1, 1] as const,
  };
  const reported = { ...charger.reported, ongoing: { '1': ongoing } };
  return { ...charger, reported, revision: charger.revision + 1 };
}
