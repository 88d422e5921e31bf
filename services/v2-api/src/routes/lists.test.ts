// All lists of the API: pages, cursors, links.
import { newSession } from '@busbar/domain/testing';
import type { HttpReply } from '@busbar/testing';
import { codeOf, openApp, type TestApp } from '../testing/open-app';

const RECORDS = 5;
const FOLLOWED = ['/chargers', '/sites', '/sessions', '/tags'] as const;

interface Operation {
  readonly parameters: readonly { readonly name: string }[];
}

describe('a list of the v2 API', () => {
  let world: TestApp;
  beforeAll(async () => {
    world = await openApp();
    const { createReportStore } = await import('@busbar/store');
    const { noRows } = await import('@busbar/domain/reports');
    for (let n = 1; n <= RECORDS; n += 1) {
      await world.post('/sites', { name: `Site ${String(n)}` });
      await world.post('/tags', { idTag: `TAG-${String(n)}` });
      await world.post('/chargers', { chargerId: `C-${String(n)}`, name: `Charger ${String(n)}` });
      await world.post('/api-keys', { name: `Key ${String(n)}`, permissions: ['sites:read'] });
    }
    const { incarnationId = '' } = (await world.platform.records.chargers.find('C-1')) ?? {};
    const { clientId } = world.own.client;
    const sessions = Array.from({ length: RECORDS }, (_, n) =>
      newSession({
        sessionId: `s${String(n)}`,
        transactionId: n + 1,
        clientId,
        chargerId: 'C-1',
        incarnationId,
        idTag: 'TAG-1',
        startTime: `2026-01-0${String(n + 1)}T00:00:00.000Z`,
      }),
    );
    const meterValues = Array.from({ length: RECORDS }, (_, n) => ({
      rowId: `m${String(n)}`,
      chargerId: 'C-1',
      incarnationId,
      clientId,
      socketId: 1,
      sessionId: 's0',
      receivedAt: `2026-01-0${String(n + 1)}T00:00:00.000Z`,
      payload: {},
    }));
    await createReportStore(world.platform.store).write({ ...noRows(), sessions, meterValues }, []);
  });
  afterAll(() => world.close());

  const linkOf = ({ headers }: HttpReply): string | undefined =>
    /^<(\/v2\/[^>]+)>; rel="next"$/.exec(String(headers['link'] ?? ''))?.[1];
  const itemsOf = (reply: HttpReply) => reply.json()['items'] as Record<string, unknown>[];

  /** All items of a list, by its links. */
  async function byLinks(path: string): Promise<unknown[]> {
    const items: unknown[] = [];
    for (let next: string | undefined = `/v2${path}`; next !== undefined;) {
      const reply = await world.callRaw('GET', next);
      expect(reply.status).toBe(200);
      items.push(...itemsOf(reply));
      expect(linkOf(reply) !== undefined).toBe(reply.json()['hasNextPage']);
      next = linkOf(reply);
    }
    return items;
  }

  it('has a link to the next page wherever the document says so', () => {
    const paths = world.app.openApi['paths'] as Record<string, Record<string, Operation & { responses: object }>>;
    const lists = Object.entries(paths).flatMap(([path, { get }]) =>
      get?.parameters.some(({ name }) => name === 'page') === true ? [{ path, get }] : [],
    );
    expect(lists.length).toBeGreaterThan(10);
    for (const { get } of lists) expect(JSON.stringify(get.responses)).toContain('#/components/headers/Link');
    const followed = lists.filter(({ get }) => get.parameters.some(({ name }) => name === 'after'));
    expect(followed.map(({ path }) => path).sort()).toEqual(FOLLOWED.map((path) => `/v2${path}`).sort());
  });

  it.each([...FOLLOWED, '/api-keys', '/sessions/1/meter-values'])('is complete by its links: %s', async (path) => {
    const whole = itemsOf(await world.call('GET', path));
    expect(whole.length).toBeGreaterThanOrEqual(RECORDS);
    expect(await byLinks(`${path}?limit=2`)).toEqual(whole);
    expect(await byLinks(`${path}?limit=2&page=1`)).toEqual(whole);
  });

  describe.each(FOLLOWED)('with cursors: %s', (path) => {
    const get = (query: string) => world.call('GET', `${path}?${query}`);

    it('continues after the last item, with the number of the page', async () => {
      const first = (await get('limit=2')).json();
      const second = (await get(`limit=2&after=${String(first['nextCursor'])}`)).json();
      expect(first).toMatchObject({ page: 1, hasPreviousPage: false, hasNextPage: true, nextUpdatedSince: null });
      expect(second).toMatchObject({ page: 2, hasPreviousPage: true, totalRecords: first['totalRecords'] });
      const last = (await get('limit=100')).json();
      expect(last).toMatchObject({ nextCursor: null, nextUpdatedSince: expect.stringMatching(/Z$/) as string });
    });

    it('refuses a cursor with a page, of another query, and what is no cursor', async () => {
      const after = String((await get('limit=2')).json()['nextCursor']);
      const details = [];
      for (const query of [`after=${after}&page=1`, `after=${after}&search=x`, 'after=x', 'after=%3F']) {
        const reply = await get(query);
        expect(codeOf(reply)).toBe('400 invalid_request');
        details.push(reply.json()['detail']);
      }
      expect(details).toEqual([
        'after cannot be combined with page: the cursor says where the page begins.',
        'after belongs to another query: repeat the filters and the order of the request that it comes from.',
        'after is not a cursor: give nextCursor of an earlier response unchanged.',
        'after must be the nextCursor of an earlier response.',
      ]);
    });

    it('has what changed since a time, in the order of change', async () => {
      const all = itemsOf(await get('sortKey=updatedAt'));
      const times = all.map(({ updatedAt }) => String(updatedAt));
      expect(times).toEqual([...times].sort());
      expect(itemsOf(await get('updatedSince=1970-01-01T00:00:00Z'))).toEqual(all);
      const since = times.at(-2) ?? '';
      const changed = itemsOf(await get(`updatedSince=${since}`));
      expect(changed).toEqual(all.filter(({ updatedAt }) => String(updatedAt) >= since));
      expect(itemsOf(await get('updatedSince=2999-01-01T00:00:00Z'))).toEqual([]);
      expect(codeOf(await get('updatedSince=yesterday'))).toBe('400 invalid_request');
    });
  });

  it('shows a change in the next synchronization', async () => {
    const { nextUpdatedSince } = (await world.call('GET', '/tags?updatedSince=1970-01-01T00:00:00Z')).json();
    await world.call('PATCH', '/tags/TAG-2', { body: { blocked: true } });
    const changed = itemsOf(await world.call('GET', `/tags?updatedSince=${String(nextUpdatedSince)}`));
    expect(changed.at(-1)).toMatchObject({ idTag: 'TAG-2', blocked: true });
  });
});
