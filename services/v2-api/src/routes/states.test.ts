import { noRows } from '@busbar/domain/reports';
import { type ChargingState } from '@busbar/domain/chargers';
import { type StateChange } from '@busbar/domain/history';
import { createReportStore } from '@busbar/store';
import { codeOf, openApp, type TestApp } from '../testing/open-app';

const at = (day: number, hour = 0) =>
  `2026-03-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`;
const SPAN = `from=${at(1)}&to=${at(8)}`;

describe('state time series of the v2 API', () => {
  let world: TestApp;
  let yard: number;
  let deck: number;

  beforeAll(async () => {
    world = await openApp();
    yard = Number((await world.post('/sites', { name: 'Yard' })).json()['id']);
    deck = Number((await world.post('/sites', { name: 'Deck', parentSiteId: yard })).json()['id']);
    let rows = 0;
    const change = (state: ChargingState, when: string, over: Partial<StateChange> = {}): StateChange => ({
      rowId: `r${String((rows += 1))}`,
      incarnationId: 'i',
      clientId: world.own.client.clientId,
      chargerId: 'ACME_1',
      siteId: yard,
      socketId: 1,
      state,
      errorCode: '',
      at: when,
      receivedAt: when,
      ...over,
    });
    const stateChanges = [
      change('Available', at(1)),
      change('Charging', at(2, 10)),
      change('Available', at(2, 12)),
      change('Error', at(3), { chargerId: 'ACME_2', siteId: deck, socketId: 2, errorCode: 'GroundFailure' }),
      change('Charging', at(8)),
      change('Reserved', new Date(Date.now() - 86_400_000).toISOString()),
      ...[20, 21].map((day) => change('Error', at(day), { socketId: 0 })),
      change('Reserved', at(2), { clientId: world.other.client.clientId }),
    ];
    await createReportStore(world.platform.store).write({ ...noRows(), stateChanges }, []);
  });

  afterAll(() => world.close());

  const chargers = async (query: string) => (await world.call('GET', `/chargers/state-time-series?${query}`)).json();
  const sites = async (query: string) => (await world.call('GET', `/sites/state-time-series?${query}`)).json();
  const times = async (query: string) => ((await chargers(query))['items'] as { at: string }[]).map((item) => item.at);

  it('lists changes by time and counts them by state', async () => {
    const reply = await chargers(SPAN);
    expect(reply).toMatchObject({ from: at(1), to: at(8), totalRecords: 4 });
    expect(reply['countsByState']).toMatchObject({ Available: 2, Charging: 1, Error: 1, Reserved: 0 });
    expect((reply['items'] as unknown[])[3]).toEqual({
      at: at(3),
      chargerId: 'ACME_2',
      siteId: deck,
      socketId: 2,
      state: 'Error',
      errorCode: 'GroundFailure',
    });
    expect(await times(SPAN)).toEqual([at(1), at(2, 10), at(2, 12), at(3)]);
  });

  it('counts repeated reports, but no states that the service derives', async () => {
    const reply = await chargers(`from=${at(20)}&to=${at(22)}`);
    expect(reply).toMatchObject({ totalRecords: 2, countsByState: { Error: 2, Offline: 0, Booting: 0 } });
  });

  it.each([
    ['chargerIds=ACME_2', [at(3)]],
    ['socketIds=2,3', [at(3)]],
    ['siteIds=YARD', [at(1), at(2, 10), at(2, 12)]],
    ['siteIds=YARD&includeSubsites=true', [at(1), at(2, 10), at(2, 12), at(3)]],
    ['siteIds=YARD&chargerIds=ACME_2', []],
    ['sortDescending=true&limit=2', [at(3), at(2, 12)]],
    ['limit=3&page=2', [at(3)]],
  ])('narrows by %s', async (query, found) => {
    expect(await times(`${SPAN}&${query.replace('YARD', String(yard))}`)).toEqual(found);
  });

  it('covers the last seven days by default', async () => {
    expect((await chargers(''))['countsByState']).toMatchObject({ Reserved: 1, Available: 0 });
    expect(await times(`to=${at(2)}`)).toEqual([at(1)]);
  });

  it('covers the same days for all pages read within a minute', async () => {
    const { from, to } = await chargers('');
    expect(String(to)).toMatch(/:00\.000Z$/);
    expect(Date.parse(String(to)) - Date.parse(String(from))).toBe(7 * 86_400_000);
  });

  it('counts by site and day', async () => {
    const reply = await sites(SPAN);
    expect(reply).toMatchObject({ totalRecords: 2, from: at(1) });
    const zeros = { Preparing: 0, SuspendedCAR: 0, Reserved: 0 };
    expect(reply['items']).toMatchObject([
      {
        siteId: yard,
        siteName: 'Yard',
        countsByState: { ...zeros, Available: 2, Charging: 1, Error: 0 },
        days: [
          { day: '2026-03-01', countsByState: { ...zeros, Available: 1 } },
          { day: '2026-03-02', countsByState: { ...zeros, Available: 1, Charging: 1 } },
        ],
      },
      { siteId: deck, countsByState: { Error: 1 }, days: [{ day: '2026-03-03' }] },
    ]);
    expect((await sites(`${SPAN}&siteIds=${String(deck)}`))['items']).toMatchObject([{ siteId: deck }]);
    const below = (await sites(`${SPAN}&siteIds=${String(yard)}&includeSubsites=true&limit=1&page=2`)) as object;
    expect(below).toMatchObject({ totalRecords: 2, items: [{ siteId: deck }] });
  });

  it('sorts selected sites like all sites', async () => {
    const named = `${SPAN}&siteIds=${String(yard)},${String(deck)}`;
    const order = async (query: string) =>
      ((await sites(query))['items'] as { siteName: string }[]).map(({ siteName }) => siteName);
    for (const sorting of ['', '&sortKey=name', '&sortKey=name&sortDescending=true', '&sortKey=createdAt']) {
      expect([sorting, await order(named + sorting)]).toEqual([sorting, await order(SPAN + sorting)]);
    }
    expect(await order(`${named}&sortKey=name`)).toEqual(['Deck', 'Yard']);
  });

  it("shows nothing of another client's", async () => {
    const headers = { 'x-api-key': world.other.secret };
    const own = await world.call('GET', `/sites/state-time-series?${SPAN}&siteIds=${String(yard)}`, { headers });
    expect(own.json()).toMatchObject({ totalRecords: 0, items: [] });
    const theirs = await world.call('GET', `/chargers/state-time-series?${SPAN}&chargerIds=ACME_1`, { headers });
    expect(theirs.json()).toMatchObject({ totalRecords: 1, countsByState: { Reserved: 1, Available: 0 } });
  });

  it.each([
    ['chargers', `from=${at(2)}&to=${at(1)}`, '400 invalid_request'],
    ['chargers', 'from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z', '400 invalid_request'],
    ['sites', 'from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z', '400 invalid_request'],
    ['chargers', 'to=0000-01-01T00:00:00Z', '400 invalid_request'],
    ['sites', 'from=1969-12-31T23:59:59Z&to=1970-01-02T00:00:00Z', '400 invalid_request'],
    ['sites', 'siteIds=x', '400 invalid_site_id'],
    ['chargers', 'socketIds=1.5', '400 invalid_request'],
    ['chargers', 'chargerIds=a/b', '400 invalid_charger_id'],
  ])('rejects %s with %s', async (what, query, code) => {
    expect(codeOf(await world.call('GET', `/${what}/state-time-series?${query}`))).toBe(code);
  });
});
