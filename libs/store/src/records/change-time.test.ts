// Tests which writes of a charger and of a session are changes of its record, and by which clock.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createCharger, updateCharger, type Charger, type ChargerReports } from '@busbar/domain/chargers';
import { noRows } from '@busbar/domain/reports';
import { createSite, updateSite } from '@busbar/domain/sites';
import { newSession } from '@busbar/domain/testing';
import { createFakeClock, createRecordingLogger, type FakeClock } from '@busbar/testing';
import type { Store } from '../port';
import { createSqliteStore } from '../sqlite/sqlite-store';
import { createRecords } from './create-records';
import { createPresenceStore, createReportStore } from './charger-state/report-store';

const AT = '2026-01-01T12:00:00.000Z';

describe('the time of the last change', () => {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-changes-'));
  let store: Store;
  let clock: FakeClock;
  let records: ReturnType<typeof createRecords>;
  let reports: ReturnType<typeof createReportStore>;
  let siteId: number;
  let chargers = 0;

  beforeAll(async () => {
    store = createSqliteStore({ directory, logger: createRecordingLogger(), clock: systemClock });
    clock = createFakeClock();
    records = createRecords(store, clock);
    reports = createReportStore(store, clock);
    await store.start();
    ({ siteId } = await createSite({ ...records, clock }, 'c', { name: 'A site' }));
  });
  afterAll(async () => {
    await store.stop();
    rmSync(directory, { recursive: true });
  });

  const now = (): string => clock.now().toISOString();
  const read = async ({ chargerId }: Charger): Promise<Charger> => {
    const charger = await records.chargers.find(chargerId);
    if (charger === undefined) throw new Error('there is no charger');
    return charger;
  };
  async function make(): Promise<Charger> {
    chargers += 1;
    return createCharger({ ...records, clock }, 'c', { chargerId: `C-${String(chargers)}`, name: 'x', siteId });
  }

  async function report(from: Charger, change: Partial<Charger>): Promise<Charger> {
    clock.advance(1_000);
    expect(await reports.write(noRows(), [{ from, to: { ...from, ...change, revision: from.revision + 1 } }])).toBe(
      'written',
    );
    return read(from);
  }

  const deviations = { late_answer: { count: 1, lastAt: AT } };
  it.each<[string, Partial<ChargerReports>, boolean]>([
    ['the report before, for a heartbeat', { lastSeen: AT, lastMessage: '[]', lastPosition: [1, 1] }, false],
    ['a first deviation', { deviations }, true],
    [
      'a status',
      {
        sockets: { '1': { state: 'Charging', errorCode: '', info: '', vendorErrorCode: '', at: AT, position: [1, 1] } },
      },
      true,
    ],
    ['the end of sessions', { ongoing: {} }, true],
    ['a configuration', { configuration: [] }, true],
  ])('is that of %s', async (_what, part, isChange) => {
    const before = await make();
    const after = await report(before, { reported: { ...before.reported, ...part } });
    expect(after.updatedAt).toBe(isChange ? now() : before.updatedAt);
  });

  it('is not that of a further deviation of the same kind', async () => {
    const made = await make();
    const before = await report(made, { reported: { ...made.reported, deviations } });
    const more = { late_answer: { count: 2, lastAt: AT } };
    const after = await report(before, { reported: { ...before.reported, deviations: more } });
    expect([after.updatedAt, after.reported.deviations]).toEqual([before.updatedAt, more]);
  });

  it('is that of a connection, and of its end with its gateway', async () => {
    const before = await make();
    const connection = { ...before.connection, active: true, gatewayId: 'g' };
    expect((await report(before, { connection })).updatedAt).toBe(now());
    clock.advance(1_000);
    expect(await createPresenceStore(store, clock).disconnectAll('g', now())).toBe(1);
    expect((await read(before)).updatedAt).toBe(now());
  });

  it('is that of a registration, unless it changes nothing', async () => {
    const made = await make();
    const change = async (name: string) => {
      clock.advance(1_000);
      return updateCharger({ ...records, clock }, { clientId: 'c', chargerId: made.chargerId }, { name });
    };
    const changed = await change('y');
    expect(changed.updatedAt).toBe(now());
    expect((await change('y')).updatedAt).toBe(changed.updatedAt);
  });

  it('never decreases, also where another process has a slower clock', async () => {
    const made = await make();
    const slow = { now: () => new Date(clock.now().getTime() - 60_000) } as FakeClock;
    const deps = { ...createRecords(store, slow), clock: slow };
    const changed = await updateCharger(deps, { clientId: 'c', chargerId: made.chargerId }, { name: 'y' });
    expect(changed).toMatchObject({ registered: { name: 'y' }, updatedAt: made.updatedAt });
    const site = await updateSite(deps, { clientId: 'c', siteId }, { city: 'Oslo' });
    expect(site.updatedAt > slow.now().toISOString()).toBe(true);
  });

  it('updates the change time of a session at its start and at each later change', async () => {
    const charger = await make();
    const { chargerId, incarnationId } = charger;
    const session = newSession({ sessionId: 's', chargerId, incarnationId, clientId: 'c', siteId });
    const stop = {
      sessionId: 's',
      state: 'ended',
      endTime: AT,
      meterStop: 9,
      consumptionWh: 9,
      stopReason: 'x',
      stopReportId: 'm',
    } as const;
    const changes = [
      { sessions: [session] },
      { correlations: [{ sessionId: 's', commandId: 'k' }] },
      { moved: [{ fromSiteId: siteId, toSiteId: 99, sessionIds: ['s'], stateChangeIds: [] }] },
      { superseded: ['s'] },
      { stops: [stop] },
    ];
    const updatedAt = async () => (await records.sessions.findByIds(['s']))[0]?.updatedAt;
    for (const rows of changes) {
      clock.advance(1_000);
      await reports.write({ ...noRows(), ...rows }, []);
      expect([rows, await updatedAt()]).toEqual([rows, now()]);
    }
    const last = now();
    clock.advance(1_000);
    // Delivered again, and what the record does not show.
    await reports.write({ ...noRows(), sessions: [session], stops: [stop], superseded: ['s'], tagReleased: ['s'] }, []);
    expect(await updatedAt()).toBe(last);
  });
});
