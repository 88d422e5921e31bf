// The contract of the events that writers other than charger-state append, for every adapter.
import type { Records } from '@busbar/domain';
import {
  createCharger,
  deleteCharger,
  setChargerAuthentication,
  updateCharger,
  updateSocket,
  type Charger,
} from '@busbar/domain/chargers';
import { MAX_APPENDED_EVENTS, type AppendedEvent } from '@busbar/domain/feed';
import { noRows, type ReportStore } from '@busbar/domain/reports';
import { endSession } from '@busbar/domain/sessions';
import { createSite } from '@busbar/domain/sites';
import { newSession } from '@busbar/domain/testing';
import { createFakeClock, type FakeClock } from '@busbar/testing';
import type { Store } from '../port';
import { createPresenceStore, createReportStore } from './charger-state/report-store';
import { createWaitingChargers } from './charger-state/waiting-chargers';
import { collections } from './collections';
import { createRecords } from './create-records';

const START = new Date('2026-01-01T12:00:00.000Z');
const CLIENT = 'c';
const connections = { close: () => Promise.resolve() };

/** `create` returns an empty store each time. */
export function describeAppendedEvents(title: string, create: () => Store): void {
  describe(title, () => {
    let store: Store;
    let clock: FakeClock;
    let records: Records;
    let reports: ReportStore;
    let siteId: number;
    /** The ids of announced chargers, in order. */
    let announced: string[];
    const announce = (chargers: readonly Pick<Charger, 'chargerId'>[]): void => {
      announced.push(...chargers.map(({ chargerId }) => chargerId));
    };

    beforeEach(async () => {
      store = create();
      clock = createFakeClock(START);
      announced = [];
      records = createRecords(store, clock, announce);
      reports = createReportStore(store, clock);
      await store.start();
      siteId = (await createSite(deps(), CLIENT, { name: 'Site' })).siteId;
    });
    afterEach(() => store.stop());

    const deps = () => ({ ...records, connections, clock });
    const own = (chargerId = 'A') => ({ clientId: CLIENT, chargerId });
    const make = (chargerId = 'A') => createCharger(deps(), CLIENT, { chargerId, name: 'First' });
    const chargerOf = async (chargerId = 'A'): Promise<Charger> => {
      const found = await records.chargers.find(chargerId);
      if (found === undefined) throw new Error('no charger');
      return found;
    };
    const eventsOf = async (chargerId = 'A'): Promise<AppendedEvent[]> => {
      const others = Object.entries((await chargerOf(chargerId)).outbox?.others ?? {});
      return others.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, event]) => event);
    };
    /** As the owner of the partition does when it has numbered all. */
    const number = async (): Promise<void> => {
      const from = await chargerOf();
      const outbox = { page: 1, items: '{}', first: 1, next: 2 };
      const to = { ...from, outbox, revision: from.revision + 1 };
      expect(await reports.write(noRows(), [{ from, to }])).toBe('written');
    };

    it('announces a new charger', async () => {
      const { incarnationId } = await make();
      const at = START.toISOString();
      expect(await eventsOf()).toEqual([{ type: 'charger.created', at, data: { name: 'First' } }]);
      expect((await chargerOf()).outbox).toMatchObject({ appended: 1, waiting: at });
      expect(announced).toEqual(['A']);
      expect((await chargerOf()).incarnationId).toBe(incarnationId);
    });

    it('announces changes of the registration in their order, with the changed fields', async () => {
      await make();
      await updateCharger(deps(), own(), { name: 'Second', evseId: null });
      clock.advance(1_000);
      await updateCharger(deps(), own(), { sockets: [{ id: 1 }] });
      await updateSocket(deps(), { ...own(), socketId: 1 }, { name: 'Left' });
      await setChargerAuthentication(deps(), own(), { password: 'a long password' });
      const other = await createSite(deps(), CLIENT, { name: 'Other' });
      await updateCharger(deps(), own(), { siteId: other.siteId });
      expect((await eventsOf()).slice(1).map(({ data }) => data)).toEqual(
        [['name'], ['sockets'], ['sockets'], ['authentication'], ['siteId']].map((changed) => ({ changed })),
      );
      expect((await chargerOf()).outbox).toMatchObject({ appended: 6, waiting: clock.now().toISOString() });
      expect(announced).toEqual(Array.from({ length: 6 }, () => 'A'));
    });

    it('announces no change without effect, and none that lost to another writer', async () => {
      const made = await make();
      await updateCharger(deps(), own(), { name: 'First' });
      await updateCharger(deps(), own(), { name: 'Second' });
      expect(await records.chargers.updateRegistration(made, { name: 'Third' }, START.toISOString())).toBe(false);
      expect((await eventsOf()).map(({ type }) => type)).toEqual(['charger.created', 'charger.updated']);
      expect(announced).toHaveLength(2);
    });

    it('announces no change of pending keys, which leaves the ETag', async () => {
      await make();
      const charger = await chargerOf();
      const authentication = { securityProfile: 1, passwordHash: 'x', version: 1 } as const;
      expect(await records.chargers.replaceAuthentication(charger, authentication)).toBe(true);
      expect(await eventsOf()).toHaveLength(1);
    });

    it('appends to the events that the owner has numbered, and leaves them as they are', async () => {
      await make();
      await number();
      await updateCharger(deps(), own(), { name: 'Second' });
      expect((await chargerOf()).outbox).toMatchObject({ page: 1, items: '{}', first: 1, next: 2, appended: 1 });
      expect((await eventsOf()).map(({ type }) => type)).toEqual(['charger.updated']);
    });

    it('loses no event to an owner that read the record before', async () => {
      await make();
      const from = await chargerOf();
      await updateCharger(deps(), own(), { name: 'Second' });
      const to = { ...from, outbox: { page: 1, items: '{}', first: 1, next: 2 }, revision: from.revision + 1 };
      expect(await reports.write(noRows(), [{ from, to }])).toBe('conflict');
      expect(await eventsOf()).toHaveLength(2);
    });

    it('stores a bounded number of events, and counts the others', async () => {
      await make();
      for (let n = 0; n < MAX_APPENDED_EVENTS + 5; n += 1)
        await updateCharger(deps(), own(), { name: `N${String(n)}` });
      expect(await eventsOf()).toHaveLength(MAX_APPENDED_EVENTS);
      expect((await chargerOf()).outbox?.appended).toBe(MAX_APPENDED_EVENTS + 6);
    });

    it('announces each charger that is set disconnected, once', async () => {
      for (const chargerId of ['A', 'B', 'C']) {
        await make(chargerId);
        const set = { 'connection.active': true, 'connection.gatewayId': chargerId === 'C' ? 'other' : 'g' };
        await store.collection(collections.chargers).update({ op: 'eq', path: '_id', value: chargerId }, { set });
      }
      announced = [];
      clock.advance(1_000);
      const at = clock.now().toISOString();
      const presence = createPresenceStore(store, clock, announce);
      expect(await presence.disconnectAll('g', at)).toBe(2);
      expect(await presence.disconnectAll('g', at)).toBe(0);
      expect(announced).toEqual(['A', 'B']);
      for (const chargerId of ['A', 'B']) {
        expect((await eventsOf(chargerId)).at(-1)).toEqual({
          type: 'charger.disconnected',
          at,
          data: { reason: 'lapsed' },
        });
      }
      expect(await eventsOf('C')).toHaveLength(1);
    });

    it.each([
      ['that the record shows', { '1': { sessionId: 's', socketId: 1, transactionId: 7 } }],
      ['that the record does not show', {}],
    ])('announces the end of a session by its operator once, %s', async (_which, ongoing) => {
      const { incarnationId } = await make();
      const session = newSession({
        sessionId: 's',
        clientId: CLIENT,
        chargerId: 'A',
        incarnationId,
        siteId,
        transactionId: 7,
      });
      await reports.write({ ...noRows(), sessions: [session] }, []);
      const set = { 'reported.ongoing': ongoing };
      await store.collection(collections.chargers).update({ op: 'eq', path: '_id', value: 'A' }, { set });
      await endSession(deps(), { clientId: CLIENT, transactionId: 7 }, 'dismantled');
      await expect(endSession(deps(), { clientId: CLIENT, transactionId: 7 })).rejects.toMatchObject({
        code: 'conflict',
      });
      const [, ...ended] = await eventsOf();
      const data = { transactionId: 7, endTime: START.toISOString(), stopReason: 'dismantled', superseded: false };
      expect(ended).toMatchObject([{ type: 'session.ended', data }]);
      expect((await chargerOf()).reported.ongoing).toEqual({});
    });

    it('finds chargers whose events wait, oldest first', async () => {
      for (const chargerId of ['B', 'A', 'C']) {
        await make(chargerId);
        clock.advance(1_000);
      }
      await deleteCharger(deps(), own('C'));
      const waiting = createWaitingChargers(store);
      const ids = async (limit: number) =>
        (await waiting.before(clock.now().toISOString(), limit)).map((each) => each.chargerId);
      expect(await ids(10)).toEqual(['B', 'A']);
      expect(await ids(1)).toEqual(['B']);
      await number();
      expect(await ids(10)).toEqual(['B']);
      expect(await waiting.before(START.toISOString(), 10)).toEqual([]);
    });

    it('appends nothing where no feed is written', async () => {
      records = createRecords(store, clock);
      await make();
      await updateCharger(deps(), own(), { name: 'Second' });
      await setChargerAuthentication(deps(), own(), { password: 'a long password' });
      await createPresenceStore(store, clock).disconnectAll('g', START.toISOString());
      expect((await chargerOf()).outbox).toBeUndefined();
      expect(announced).toEqual([]);
    });
  });
}
