import { noRows } from '@busbar/domain/reports';
import type { ConnectionRecord } from '@busbar/domain/chargers';
import { createReportStore } from '@busbar/store';
import { codeOf, openApp, type TestApp } from '../testing/open-app';

const at = (minute: number) => `2026-03-01T00:${String(minute).padStart(2, '0')}:00.000Z`;

describe('the connections of a charger in the v2 API', () => {
  let world: TestApp;
  beforeAll(async () => {
    world = await openApp();
    await world.post('/sites', { name: 'Yard' });
    await world.post('/chargers', { name: 'Gate', chargerId: 'ACME_1' });
    const incarnationId = (await world.platform.records.chargers.find('ACME_1'))?.incarnationId ?? '';
    const row = (minute: number, over: Partial<ConnectionRecord> = {}): ConnectionRecord => ({
      connectionId: `c${String(minute)}`,
      chargerId: 'ACME_1',
      incarnationId,
      seq: 1,
      connectedAt: at(minute),
      disconnectedAt: null,
      gatewayId: 'g',
      remoteAddress: '198.51.100.7',
      ocppVersion: 'ocpp1.6',
      securityProfile: 2,
      closeCode: null,
      closeReason: null,
      ...over,
    });
    const connections = [
      row(1, { disconnectedAt: at(2), closeCode: 1006, closeReason: 'lost without a close frame' }),
      row(3),
      // A connection of a charger that had this id before, perhaps another client's.
      row(4, { incarnationId: 'earlier' }),
    ];
    await createReportStore(world.platform.store).write({ ...noRows(), connections }, []);
  });
  afterAll(() => world.close());

  const read = async (query = '') => (await world.call('GET', `/chargers/ACME_1/connections${query}`)).json();
  const begins = async (query: string) =>
    ((await read(query))['items'] as { connectedAt: string }[]).map(({ connectedAt }) => connectedAt);

  it('lists them with their ends, the newest first', async () => {
    const common = { gatewayId: 'g', remoteAddress: '198.51.100.7', ocppVersion: 'ocpp1.6', securityProfile: 2 };
    expect(await read()).toEqual({
      page: 1,
      limit: 100,
      totalRecords: 2,
      hasNextPage: false,
      hasPreviousPage: false,
      items: [
        { connectedAt: at(3), disconnectedAt: null, ...common, closeCode: null, closeReason: null },
        {
          connectedAt: at(1),
          disconnectedAt: at(2),
          ...common,
          closeCode: 1006,
          closeReason: 'lost without a close frame',
        },
      ],
    });
  });

  it.each([
    [`?from=${at(2)}`, [at(3)]],
    [`?to=${at(1)}`, [at(1)]],
    ['?sortDescending=false', [at(1), at(3)]],
    ['?limit=1&page=2', [at(1)]],
  ])('finds by %s', async (query, found) => {
    expect(await begins(query)).toEqual(found);
  });

  it("hides other clients' chargers", async () => {
    const headers = { 'x-api-key': world.other.secret };
    expect(codeOf(await world.call('GET', '/chargers/ACME_1/connections', { headers }))).toBe('404 not_found');
    expect(codeOf(await world.call('GET', '/chargers/NOBODY/connections'))).toBe('404 not_found');
    expect(codeOf(await world.call('GET', '/chargers/ACME_1/connections?from=x'))).toBe('400 invalid_request');
  });
});
