import { CONNECTION_ATTEMPT_LIMITS, type ConnectionAttempt } from '@busbar/domain/chargers';
import { codeOf, openApp, type TestApp } from '../testing/open-app';

let world: TestApp;
beforeAll(async () => {
  world = await openApp();
  await world.post('/sites', { name: 'Yard' });
  for (const chargerId of ['ACME_1', 'ACME_2']) await world.post('/chargers', { name: 'C', chargerId });
  const { clientId } = world.own.client;
  const rows = [
    attempt('ACME_1', clientId, 1),
    attempt('ACME_2', clientId, 2, { reason: 'no_subprotocol', protocols: ['ocpp1.5'], count: 7 }),
    attempt('ACME_1', clientId, 30),
    // Too old: it is deleted a little later, and not shown any more.
    attempt('ACME_1', clientId, 25 * 60),
    attempt('OTHERS', world.other.client.clientId, 3),
    attempt('NOBODYS', null, 4),
  ];
  await world.platform.records.connectionAttempts.insert(rows, CONNECTION_ATTEMPT_LIMITS);
});
afterAll(() => world.close());

const NOW = Date.now();
const minutesAgo = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString();

function attempt(
  chargerId: string,
  clientId: string | null,
  minutes: number,
  over: Partial<ConnectionAttempt> = {},
): ConnectionAttempt {
  const attemptId = `${chargerId}-${String(minutes)}`;
  const common = { remoteAddress: '198.51.100.7', protocols: ['ocpp1.6'], requestId: 'r-1', count: 1 };
  return { attemptId, chargerId, clientId, reason: 'unauthorized', at: minutesAgo(minutes), ...common, ...over };
}

async function found(query = ''): Promise<readonly unknown[]> {
  const { items } = (await world.call('GET', `/connection-attempts${query}`)).json() as { items: { at: string }[] };
  return items.map(({ at }) => Math.round((NOW - Date.parse(at)) / 60_000));
}

it("lists the client's attempts of the last 24 hours, newest first", async () => {
  const reply = (await world.call('GET', '/connection-attempts')).json();
  expect(reply).toMatchObject({ totalRecords: 3 });
  expect(reply['items']).toEqual([
    {
      at: minutesAgo(1),
      chargerId: 'ACME_1',
      remoteAddress: '198.51.100.7',
      reason: 'unauthorized',
      protocols: ['ocpp1.6'],
      requestId: 'r-1',
      count: 1,
    },
    expect.objectContaining({ chargerId: 'ACME_2', reason: 'no_subprotocol', protocols: ['ocpp1.5'], count: 7 }),
    expect.objectContaining({ at: minutesAgo(30) }),
  ]);
});

it('filters by charger and time, and pages', async () => {
  expect(await found('?chargerId=ACME_1')).toEqual([1, 30]);
  expect(await found(`?from=${minutesAgo(2)}`)).toEqual([1, 2]);
  expect(await found(`?to=${minutesAgo(2)}`)).toEqual([2, 30]);
  expect(await found(`?from=${minutesAgo(40 * 60)}&sortDescending=false`)).toEqual([30, 2, 1]);
  expect(await found('?limit=1&page=2')).toEqual([2]);
});

it("hides attempts of other clients' and of unregistered chargers", async () => {
  for (const chargerId of ['OTHERS', 'NOBODYS']) expect(await found(`?chargerId=${chargerId}`)).toEqual([]);
});

it('rejects an invalid charger id and timestamp', async () => {
  expect(codeOf(await world.call('GET', '/connection-attempts?chargerId=a/b'))).toBe('400 invalid_charger_id');
  expect(codeOf(await world.call('GET', '/connection-attempts?from=yesterday'))).toBe('400 invalid_request');
});
