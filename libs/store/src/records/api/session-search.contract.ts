// The contract of a search for transactions for every adapter. Its results are read from indexes.
import {
  wasRefused,
  type Session,
  type SessionFilter,
  type SessionSortKey,
  type SessionSummary,
} from '@busbar/domain/sessions';
import type { Store } from '../../port';
import { SUMMARY_PATHS, collections } from '../collections';
import { createRecords } from '../create-records';

const COUNT = 240;
const CHARGERS = 40;

/** Each charger's sessions follow one another, an hour apart. Every seventh is ongoing, and some have unusual values. */
function sessionAt(n: number): Session & { readonly _id: string } {
  const charger = n % CHARGERS;
  const at = (hours: number): string => new Date(Date.UTC(2026, 0, 1, hours)).toISOString();
  const started = Math.floor(n / CHARGERS) * 3 + (charger % 3);
  const isOngoing = n % 7 === 0;
  const idTag = ['TAG-1', 'tag-1', 'Zug\u00e4nge', 'two\u0001signs\u0000', '\u{1F50C}'][n % 5] ?? '';
  return {
    _id: `s${String(n)}`,
    sessionId: `s${String(n)}`,
    transactionId: n + 1,
    clientId: n % 60 === 59 ? 'other' : 'c',
    chargerId: `C-${String(charger)}`,
    incarnationId: `i-${String(charger)}`,
    siteId: charger % 4,
    socketId: 1 + (n % 2),
    idTag,
    idTagKey: idTag.toLowerCase(),
    startTime: at(started),
    recordedAt: at(started),
    meterStart: n / 7,
    startedOffline: false,
    ...([{ verdict: 'accepted' }, { verdict: 'unknown' }, {}] as const)[n % 3],
    ...(isOngoing
      ? { state: 'ongoing', endTime: null, meterStop: null, consumptionWh: null, stopReason: null }
      : {
          state: 'ended',
          endTime: at(started + 1 + (n % 5)),
          meterStop: n + 0.1 + 0.2,
          consumptionWh: 0,
          stopReason: 'Local',
        }),
  };
}
const ALL = Array.from({ length: COUNT }, (_, n) => sessionAt(n));

function expected(fits: (session: Session) => boolean, sortKey: SessionSortKey): SessionSummary[] {
  const key = (session: Session): string => session[sortKey] ?? '';
  return ALL.filter((session) => session.clientId === 'c' && fits(session))
    .sort((a, b) => (key(a) < key(b) ? -1 : Number(key(a) > key(b))) || a.transactionId - b.transactionId)
    .map(
      (session) => Object.fromEntries(SUMMARY_PATHS.map((path) => [path, session[path]])) as unknown as SessionSummary,
    );
}

const named = (count: number): string[] => Array.from({ length: count }, (_, n) => `C-${String(n)}`);
const NOON = '2026-01-01T12:00:00.000Z';
const ended = ({ endTime }: Session): boolean => endTime !== null && endTime <= NOON;

const not =
  (fits: (session: Session) => boolean) =>
  (session: Session): boolean =>
    !fits(session);

const SEARCHES: readonly (readonly [string, SessionFilter, SessionSortKey, (session: Session) => boolean])[] = [
  ['one charger', { chargerIds: ['C-7'] }, 'startTime', ({ chargerId }) => chargerId === 'C-7'],
  ['a few chargers', { chargerIds: named(3) }, 'startTime', ({ chargerId }) => named(3).includes(chargerId)],
  ['many chargers', { chargerIds: named(30) }, 'startTime', ({ chargerId }) => named(30).includes(chargerId)],
  [
    'many chargers by their end',
    { chargerIds: named(35), endedTo: NOON },
    'endTime',
    (session) => named(35).includes(session.chargerId) && ended(session),
  ],
  [
    'many chargers by both times',
    { chargerIds: named(35), startedFrom: '2026-01-01T06:00:00.000Z', endedTo: NOON },
    'startTime',
    (session) =>
      named(35).includes(session.chargerId) && session.startTime >= '2026-01-01T06:00:00.000Z' && ended(session),
  ],
  ['sites', { siteIds: [1, 3], endedTo: NOON }, 'endTime', (session) => session.siteId % 2 === 1 && ended(session)],
  ['tags in any case', { idTags: ['Tag-1'] }, 'startTime', ({ idTagKey }) => idTagKey === 'tag-1'],
  [
    'a tag with control characters',
    { idTags: ['two\u0001signs\u0000'] },
    'startTime',
    ({ idTag }) => idTag.startsWith('two'),
  ],
  [
    'chargers and a tag',
    { chargerIds: named(30), idTags: ['tag-1'] },
    'startTime',
    ({ chargerId, idTagKey }) => named(30).includes(chargerId) && idTagKey === 'tag-1',
  ],
  ['refused tags', { authorization: 'refused' }, 'startTime', wasRefused],
  ['accepted tags, also before verdicts were stored', { authorization: 'accepted' }, 'startTime', not(wasRefused)],
  [
    'accepted tags of a few chargers by their end',
    { authorization: 'accepted', chargerIds: named(9), endedTo: NOON },
    'endTime',
    (session) => !wasRefused(session) && named(9).includes(session.chargerId) && ended(session),
  ],
  ['a time without another filter', { startedTo: NOON }, 'startTime', ({ startTime }) => startTime <= NOON],
];

/** `create` returns an empty store. */
export function describeSessionSearch(title: string, create: () => Store): void {
  describe(title, () => {
    let store: Store;
    let records: ReturnType<typeof createRecords>;
    beforeAll(async () => {
      store = create();
      records = createRecords(store);
      await store.start();
      await store.collection(collections.sessions).bulk(ALL.map((insert) => ({ insert })));
    });
    afterAll(() => store.stop());

    it.each(SEARCHES)('finds the sessions of %s, in order', async (_name, filter, sortKey, fits) => {
      const all = expected(fits, sortKey);
      expect(all.length).toBeGreaterThan(3);
      for (const limit of [1000, 5]) {
        const found = await records.sessions.search('c', filter, { sortKey, limit });
        expect(found).toHaveLength(Math.min(limit, all.length));
        expect(found).toMatchObject(all.slice(0, limit));
      }
    });

    it('finds when the newest session of each tag of a client started', async () => {
      const keys = [...new Set(ALL.map(({ idTagKey }) => idTagKey))];
      const found = await records.sessions.findLastStarts('c', [...keys, 'unused']);
      for (const key of keys) {
        const starts = ALL.filter(({ clientId, idTagKey }) => clientId === 'c' && idTagKey === key);
        expect([key, found.get(key)]).toEqual([
          key,
          starts
            .map(({ startTime }) => startTime)
            .sort()
            .at(-1),
        ]);
      }
      expect(found.size).toBe(keys.length);
      expect(await records.sessions.findLastStarts('nobody', keys)).toEqual(new Map());
    });
  });
}
