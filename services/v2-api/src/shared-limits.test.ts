// `Idempotency-Key` applies over all processes of this API.
import { codeOf, openApp, type TestApp } from './testing/open-app';

describe('two processes of the v2 API on one store', () => {
  let world: TestApp;
  let second: TestApp['call'];

  beforeAll(async () => {
    world = await openApp();
    second = await world.second();
  });

  afterAll(() => world.close());

  const count = async () => Number((await world.call('GET', '/statistics')).json()['sites']);

  it('replays the response to a repeated creation in either process', async () => {
    const headers = { 'idempotency-key': 'make one yard' };
    const before = await count();
    const first = await world.post('/sites', { name: 'Yard' }, headers);
    const again = await second('POST', '/sites', { body: { name: 'Yard' }, headers });
    expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([200, first.text, 'true']);
    expect(again.headers.etag).toBe(first.headers.etag);
    expect(await count()).toBe(before + 1);
    expect(codeOf(await second('POST', '/sites', { body: { name: 'Other' }, headers }))).toBe(
      '409 idempotency_key_reused',
    );
  });

  it('replays the response to another key of the client', async () => {
    const permissions = ['sites:write'];
    const key = String((await world.post('/api-keys', { name: 'App', permissions })).json()['key']);
    const headers = { 'idempotency-key': 'make one dock' };
    const first = await world.post('/sites', { name: 'Dock' }, headers);
    const again = await second('POST', '/sites', { body: { name: 'Dock' }, headers: { ...headers, 'x-api-key': key } });
    expect([again.status, again.text]).toEqual([200, first.text]);
  });

  it('runs one of many concurrent requests', async () => {
    const headers = { 'idempotency-key': 'at once' };
    const before = await count();
    const ask = (i: number) =>
      (i % 2 === 0 ? world.call : second)('POST', '/sites', { body: { name: 'Once' }, headers });
    const replies = await Promise.all(Array.from({ length: 20 }, (_each, i) => ask(i)));
    for (const reply of replies) {
      if (reply.status !== 200) expect(codeOf(reply)).toBe('409 request_in_progress');
    }
    expect(new Set(replies.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1);
    expect(await count()).toBe(before + 1);
  });

  it('replays a new API key only to its creator, and separates clients', async () => {
    const headers = { 'idempotency-key': 'key' };
    const body = { name: 'App', permissions: ['sites:read'] };
    const made = await world.post('/api-keys', body, headers);
    expect((await second('POST', '/api-keys', { body, headers })).json()['key']).toBe(made.json()['key']);
    const others = await world.post('/api-keys', body, { ...headers, 'x-api-key': world.other.secret });
    expect(others.json()['id']).not.toBe(made.json()['id']);
  });
});
