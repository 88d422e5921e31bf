// What holds over all processes of this API: `Idempotency-Key` and the rate limit.
import { eventually } from '@busbar/testing';
import { codeOf, openApp, type TestApp } from './testing/open-app';

describe('two processes of the newer API on one store', () => {
  let world: TestApp;
  let second: TestApp['call'];

  beforeAll(async () => {
    world = await openApp();
    second = await world.second();
  });

  afterAll(() => world.close());

  const count = async () => Number((await world.call('GET', '/statistics')).json()['sites']);

  it('answer a creation that is sent again with the first answer, whichever of them gets it', async () => {
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

  it('make one of many requests that come at once', async () => {
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

  it("keep the secret of a new API key from everyone but its maker, and another client's keys apart", async () => {
    const headers = { 'idempotency-key': 'key' };
    const body = { name: 'App', permissions: ['sites:read'] };
    const made = await world.post('/api-keys', body, headers);
    expect((await second('POST', '/api-keys', { body, headers })).json()['key']).toBe(made.json()['key']);
    const others = await world.post('/api-keys', body, { ...headers, 'x-api-key': world.other.secret });
    expect(others.json()['id']).not.toBe(made.json()['id']);
  });

  it('limit a key together, and say how much is left in the headers of the IETF draft', async () => {
    const limited = await Promise.all([world.second({ rateLimitPerKey: 5 }), world.second({ rateLimitPerKey: 5 })]);
    const { secret } = world.other;
    let refused: Awaited<ReturnType<TestApp['call']>> | undefined;
    let granted = 0;
    const begin = Date.now();
    await eventually(async () => {
      for (const call of limited) {
        const reply = await call('GET', '/statistics', { headers: { 'x-api-key': secret } });
        expect(reply.headers['ratelimit-policy']).toBe('"key";q=10;w=2');
        expect(reply.headers.ratelimit).toMatch(/^"key";r=\d+;t=\d+$/);
        if (reply.status === 429) refused = reply;
        else granted += 1;
      }
      return refused !== undefined;
    });
    expect([codeOf(refused as never), refused?.headers['retry-after']]).toEqual(['429 rate_limited', '1']);
    // Two that know nothing of each other refuse nothing before both bursts are used up and twice as much has come back.
    expect(granted).toBeLessThan(20 + ((Date.now() - begin) / 1000) * 5);
  });
});
