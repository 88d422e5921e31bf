import { openApp, type TestApp } from '../testing/open-app';

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
}

let world: TestApp;
beforeAll(async () => {
  world = await openApp();
});
afterAll(() => world.close());

it('refuses a query parameter that an operation does not have', async () => {
  const paths = world.app.openApi['paths'] as Record<string, Record<string, Operation>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) => {
    return Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path }));
  });
  expect(operations.length).toBeGreaterThan(50);
  const headers = await world.keyHeader();
  for (const { method, path } of operations) {
    const reply = await world.callRaw(method, `${path.replace(/\{\w+\}/g, '1')}?limitt=1`, { headers });
    expect({ method, path, status: reply.status }).toEqual({ method, path, status: 400 });
    const issues = reply.json()['errors'] as { path: string; message: string }[];
    const issue = issues.find((each) => each.path === '?limitt');
    const names = paths[path]?.[method.toLowerCase()]?.parameters.filter((each) => each.in === 'query') ?? [];
    for (const { name } of names) expect(issue?.message).toContain(name);
    if (names.some(({ name }) => name === 'limit')) expect(issue?.message).toContain('did you mean limit?');
  }
});

it('refuses a repeated parameter that is no list', async () => {
  const reply = await world.call('GET', '/chargers?limit=1&limit=2');
  expect([reply.status, reply.json()['detail']]).toEqual([400, 'limit is given more than once.']);
});

it.each(['Europe/Nowhere', 'europe/oslo', '+01:00'])('rejects the time zone %s of a site', async (timezone) => {
  const reply = await world.post('/sites', { name: 'Harbour', timezone });
  const message = 'must be the name of an IANA time zone such as Europe/Oslo, with its upper and lower case';
  expect([reply.status, reply.json()['errors']]).toEqual([400, [{ path: '/timezone', message }]]);
});

it.each(['Europe/Oslo', 'Asia/Kolkata', null])('accepts the time zone %s of a site', async (timezone) => {
  const reply = await world.post('/sites', { name: 'Harbour', timezone });
  expect([reply.status, reply.json()['timezone']]).toEqual([200, timezone]);
});
