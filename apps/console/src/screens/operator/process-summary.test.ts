import { rangesOf, servicesOf, unownedPartitions, waitingFor } from './process-summary';

const processes = {
  gateways: [],
  chargerState: [
    { id: 'a', partitions: [0, 1] },
    { id: 'b', partitions: [3] },
  ],
  partitions: [
    { partition: 0, depth: 4 },
    { partition: 1, depth: 5 },
    { partition: 2, depth: 1 },
    { partition: 3, depth: null },
  ],
  processes: [],
  push: [],
  storeReachable: true,
  brokerReachable: true,
};

it('names the partitions that nobody owns', () => {
  expect(unownedPartitions(processes)).toEqual([2]);
});

it('adds up what waits for a replica, where the broker names it', () => {
  expect(processes.chargerState.map((replica) => waitingFor(replica, processes))).toEqual([9, undefined]);
});

it.each([
  [[], ''],
  [[7], '7'],
  [[3, 1, 2, 7], '1–3, 7'],
])('writes %j as ranges', (numbers, text) => {
  expect(rangesOf(numbers)).toBe(text);
});

it('counts processes that are alike', () => {
  const api = { service: 'v2-api', program: '0.1.0', schema: 3 };
  const older = { ...api, program: '0.0.9' };
  expect(servicesOf([api, older, api])).toEqual([
    { ...older, count: 1 },
    { ...api, count: 2 },
  ]);
});
