import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { socketTally, viewSockets, type Charger, type ChargingState } from '@busbar/domain/chargers';
import { newCharger } from '@busbar/domain/testing';
import { createRecordingLogger } from '@busbar/testing';
import { and, type Collection, type Document, type Store } from '../../port';
import { createSqliteStore } from '../../sqlite/sqlite-store';
import { collections } from '../collections';
import { createSocketCounts } from './socket-counts';

const STATES: readonly ChargingState[] = ['Available', 'Charging', 'Error', 'Unavailable'];
const AT = '2026-01-01T00:00:00.000Z';
/** One of 300 chargers is at site 7, the others are at three sites. */
const COUNT = 300;
const SMALL_SITE = 7;

/** Registered and reported sockets of every kind, connected or not. */
function chargerOf(n: number, clientId: string): Charger {
  const siteId = n === 0 ? SMALL_SITE : (n % 3) + 1;
  const states = STATES.slice(n % 4, (n % 4) + (n % 3));
  const sockets = Object.fromEntries(
    states.map((state, i) => [
      String(i + 1),
      { state, errorCode: '', info: '', vendorErrorCode: '', at: AT, position: [1, i] as const },
    ]),
  );
  const charger = newCharger({
    chargerId: `${clientId}_${String(n)}`,
    clientId,
    registered: { siteId, sockets: n % 5 === 0 ? [{ id: 1 }, { id: 9 }] : [] },
    connection: { active: n % 2 === 0 },
    reported: { sockets },
  });
  return { ...charger, reported: { ...charger.reported, tally: socketTally(charger) } };
}

describe('the count of sockets by site', () => {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-sockets-'));
  let store: Store;
  let stored: Collection<Charger & Document>;
  let all: readonly Charger[];

  beforeAll(async () => {
    store = createSqliteStore({ directory, logger: createRecordingLogger(), clock: systemClock });
    stored = store.collection(collections.chargers);
    await store.start();
    all = ['own', 'other'].flatMap((client) => Array.from({ length: COUNT }, (_each, n) => chargerOf(n, client)));
    await stored.bulk(all.map((charger) => ({ insert: { _id: charger.chargerId, ...charger } })));
  });

  afterAll(async () => {
    await store.stop();
    rmSync(directory, { recursive: true });
  });

  /** Counts the sockets of each charger by their displayed state. */
  const shown = (siteIds: readonly number[]) =>
    Object.fromEntries(
      siteIds.map((siteId) => {
        const there = all.filter(({ clientId, registered }) => clientId === 'own' && registered.siteId === siteId);
        const states = there.flatMap(viewSockets).map(({ state }) => state);
        const counted = [...new Set(states)].map((state) => [state, states.filter((each) => each === state).length]);
        return [siteId, Object.fromEntries(counted) as object];
      }),
    );
  const plain = (counts: Awaited<ReturnType<ReturnType<typeof createSocketCounts>>>) =>
    Object.fromEntries([...counts].map(([siteId, states]) => [siteId, Object.fromEntries(states)]));
  /** Records the documents that a count reads. */
  const counting = () => {
    const read: string[] = [];
    const find: typeof stored.find = async (...asked) => {
      const found = await stored.find(...asked);
      read.push(...found.map(({ _id }) => _id));
      return found;
    };
    return { read, countSockets: createSocketCounts({ ...stored, find }) };
  };
  it.each([[[1, 2]], [[3]], [[1, 2, 3, SMALL_SITE]]])(
    'counts the sockets at sites %j, and reads no charger',
    async (siteIds) => {
      const { read, countSockets } = counting();
      expect(plain(await countSockets('own', siteIds))).toEqual(shown(siteIds));
      expect(read).toEqual([]);
    },
  );

  it('counts the sockets of all sites, and reads no charger', async () => {
    const { read, countSockets } = counting();
    expect(plain(await countSockets('own', undefined))).toEqual(shown([1, 2, 3, SMALL_SITE]));
    expect(read).toEqual([]);
  });

  it('reads the chargers of a small site in a large network', async () => {
    const { read, countSockets } = counting();
    expect(plain(await countSockets('own', [SMALL_SITE, 99]))).toEqual(shown([SMALL_SITE]));
    expect(read).toEqual(['own_0']);
  });

  it('returns no counts for no sites, for sites without chargers, and for an unknown client', async () => {
    const { read, countSockets } = counting();
    expect((await countSockets('own', [])).size).toBe(0);
    expect((await countSockets('own', [99])).size).toBe(0);
    expect((await countSockets('nobody', undefined)).size).toBe(0);
    expect(read).toEqual([]);
  });

  it('includes a charger’s report immediately', async () => {
    const { countSockets } = counting();
    const before = (await countSockets('own', [1])).get(1)?.get('Error') ?? 0;
    const charger = all.find(({ clientId, registered, connection, reported }) => {
      return clientId === 'own' && registered.siteId === 1 && connection.active && reported.tally === '';
    });
    if (charger === undefined) throw new Error('nobody has no sockets');
    await stored.update({ op: 'eq', path: '_id', value: charger.chargerId }, { set: { 'reported.tally': 'Error*2' } });
    expect((await countSockets('own', [1])).get(1)?.get('Error')).toBe(before + 2);
    expect(await stored.count(and())).toBe(2 * COUNT);
  });
});
