import { brokenPromises, closesInOneSecond, type Disruption } from './disruption';

const KEPT: Disruption = { closes: new Map(), failedOpens: [], errors: [], unanswered: 0, answered: 10 };
const PROMISED = {
  code: 1001,
  drainS: 10,
  sockets: new Map([
    ['one', 10],
    ['two', 20],
  ]),
};
const closesOf = (times: readonly number[], code = 1001): { code: number; at: number }[] =>
  times.map((at) => ({ code, at }));

it.each([
  ['none', [], 0],
  ['one', [5], 1],
  ['two a second apart', [0, 1_000], 1],
  ['two within a second', [0, 999], 2],
  ['unsorted', [2_500, 0, 2_000, 100, 2_900, 3_000], 3],
])('counts the closes within one second: %s', (_name, times, max) => {
  expect(closesInOneSecond(times)).toBe(max);
});

it.each<[string, Partial<Disruption>, string[]]>([
  ['nothing happened', {}, []],
  [
    'sockets closed evenly, an unanswered CALL each',
    {
      closes: new Map([
        ['A', closesOf([0, 2_000])],
        ['B', closesOf([900])],
      ]),
      unanswered: 3,
    },
    [],
  ],
  [
    'an error',
    { errors: ['Heartbeat: InternalError stopping'] },
    ['1 CALLs were answered with an error (Heartbeat: InternalError stopping)'],
  ],
  ['a failed connection', { failedOpens: ['a', 'a', 'b'] }, ['connections were not opened: a, b']],
  ['another code', { closes: new Map([['A', closesOf([0], 1006)]]) }, ['sockets were closed with 1006']],
  ['unanswered CALLs of open sockets', { unanswered: 1 }, ['1 CALLs on 0 sockets had no answer']],
  [
    'a burst',
    { closes: new Map(['A', 'B', 'C', 'D', 'E'].map((id, n) => [id, closesOf([n])])) },
    ['5 sockets were closed within a second, 4 are allowed'],
  ],
  [
    'bursts of two gateways, of which one is too large for its sockets',
    {
      closes: new Map(
        ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'].map((id, n) => [
          id,
          [{ code: 1001, at: n, gateway: n < 4 ? 'one' : 'two' }],
        ]),
      ),
    },
    ['4 sockets of one were closed within a second, 2 are allowed'],
  ],
  [
    'the same charger again and again',
    { closes: new Map([['A', closesOf([0, 2_000, 4_000])]]) },
    ['a charger lost its socket 3 times', 'a charger lost its socket 3.00 times on the average'],
  ],
])('names the broken promises of a planned disruption: %s', (_name, disruption, broken) => {
  expect(brokenPromises({ ...KEPT, ...disruption }, PROMISED)).toEqual(broken);
});

it('tolerates failed connections where nothing takes a gateway that stops out of the way', () => {
  const disruption = { ...KEPT, failedOpens: ['the upgrade was rejected with 503 stopping'] };
  expect(brokenPromises(disruption, { ...PROMISED, meetsStopping: true })).toEqual([]);
});

it('lets each of several planned changes close a charger twice', () => {
  const disruption = { ...KEPT, closes: new Map([['A', closesOf([0, 2_000, 4_000])]]) };
  expect(brokenPromises(disruption, { ...PROMISED, changes: 2 })).toEqual([]);
});
