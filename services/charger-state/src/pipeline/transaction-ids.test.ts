import { noRows } from '@busbar/domain/reports';
import { createMemoryStores } from '../testing/memory-stores';
import { createNeeds, readLookups, type LookupSources } from './lookups';
import type { IdTaker } from './contract';
import { createCountedStarts } from './transaction-ids';

const DAY = '2026-01-31';
const MAX = 100;
let stores: ReturnType<typeof createMemoryStores>;
let sources: LookupSources;
let counted: (readonly [clientId: string, count: number])[];
beforeEach(() => {
  stores = createMemoryStores();
  counted = [];
  sources = {
    ...stores,
    countedStarts: createCountedStarts(),
    reports: {
      ...stores.reports,
      takeClientStarts(clientId, _day, { count }) {
        counted.push([clientId, count]);
        return Promise.resolve(count);
      },
    },
  };
});

function look(starts: Readonly<Record<string, IdTaker>>, by = sources) {
  const needs = createNeeds({ maxClientStartsPerDay: MAX });
  for (const [sessionId, taker] of Object.entries(starts)) needs.start(sessionId, taker);
  return readLookups(needs, by);
}

const ACME = { clientId: 'acme', day: DAY };
const OTHER = { clientId: 'other', day: DAY };

it('counts a start once and gives it the same id while its batch is retried, also halved', async () => {
  const first = await look({ a: ACME, b: ACME });
  const ids = ['a', 'b'].map((sessionId) => first.newTransactionId(sessionId));
  const [whole, half] = [await look({ a: ACME, b: ACME }), await look({ b: ACME, c: ACME })];
  expect(['a', 'b'].map((sessionId) => whole.newTransactionId(sessionId))).toEqual(ids);
  expect(half.newTransactionId('b')).toBe(ids[1]);
  expect(half.newTransactionId('c')).toBe(Number(ids[1]) + 1);
  expect(counted).toEqual([
    ['acme', 2],
    ['acme', 1],
  ]);
});

it('counts a start once where its transaction id could not be taken the first time', async () => {
  const takeTransactionIds = () => Promise.reject(new Error('the store is unavailable'));
  await expect(
    look({ a: ACME }, { ...sources, reports: { ...sources.reports, takeTransactionIds } }),
  ).rejects.toThrow();
  expect((await look({ a: ACME })).newTransactionId('a')).toBe(1);
  expect(counted).toEqual([['acme', 1]]);
});

it('remembers a start no more once its session is stored', async () => {
  const transactionId = Number((await look({ a: ACME })).newTransactionId('a'));
  const session = { sessionId: 'a', transactionId } as never;
  await stores.reports.write({ ...noRows(), sessions: [session] }, []);
  expect((await look({ a: ACME })).session('a')).toMatchObject({ transactionId });
  expect(sources.countedStarts.size).toBe(0);
});

it('counts the starts of several clients at the same time', async () => {
  let release: () => void = () => undefined;
  const bothAsked = new Promise<void>((resolve) => (release = resolve));
  const asked = new Set<string>();
  const takeClientStarts: LookupSources['reports']['takeClientStarts'] = async (clientId, _day, { count }) => {
    if (asked.add(clientId).size === 2) release();
    await bothAsked;
    return count;
  };
  const lookups = await look(
    { a: ACME, b: OTHER, c: ACME },
    { ...sources, reports: { ...sources.reports, takeClientStarts } },
  );
  expect(['a', 'b', 'c'].map((sessionId) => lookups.newTransactionId(sessionId))).toEqual([1, 2, 3]);
});
