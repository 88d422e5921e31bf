// Wrong requests get their documented errors and change nothing.
import { Agent } from 'node:https';
import { eventually } from '@busbar/testing';
import { http, type HttpReply } from './harness/http';
import { inBothOwnWorlds } from './harness/in-both-worlds';
import { connect, legacy, readV2, registerCharger, uniqueId, v2, type World } from './harness/world';

/** Requests a second for one key. Low, so that a busy machine exceeds it too; every test has a key of its own. */
const RATE = 15;
const BURST = 2 * RATE;
const PERMISSIONS = ['sites:read', 'sites:write', 'chargers:read', 'chargers:write', 'keys:write'];

inBothOwnWorlds(
  (shared) => {
    let own: World;
    beforeEach(async () => {
      own = await withNewKey(shared());
    });
    tests(() => own);
  },
  { RATE_LIMIT_PER_KEY: String(RATE) },
);

/** The same network as seen with another key. */
async function withNewKey(world: World, more: object = {}): Promise<World> {
  const body = { name: uniqueId('key'), permissions: PERMISSIONS, ...more };
  const made = await v2(world, '/api-keys', { method: 'POST', body });
  expect(made.status).toBe(200);
  return { ...world, apiKey: (made.json as { key: string }).key };
}

function tests(world: () => World): void {
  it('refuses plain HTTP with 403 https_required on every path, and never redirects', async () => {
    const { plain } = world().addresses();
    for (const url of [`${plain.v2}/sites`, `${plain.v2}/nowhere`, `${plain.v2}/docs`]) {
      const reply = await http(url, { headers: { 'x-api-key': world().apiKey, 'x-forwarded-proto': 'https' } });
      expect(reply).toMatchObject({ status: 403, json: { code: 'https_required' } });
    }
    for (const path of ['/statistics', '/nowhere', '/swagger.json']) {
      const reply = await http(`${plain.api}${path}`);
      expect(reply).toMatchObject({ status: 403, json: { errorCode: 'https_required' } });
    }
  });

  it('responds 401 to a missing or wrong key, code or clientId', async () => {
    const { v2: newer, api } = world().addresses();
    expect(await http(`${newer}/statistics`)).toMatchObject({ status: 401, json: { code: 'unauthenticated' } });
    expect((await http(`${newer}/statistics`, { headers: { 'x-api-key': 'wrong-key-0123456789' } })).status).toBe(401);
    const { apiKey, clientId } = world();
    for (const query of [
      '',
      `?code=${apiKey}`,
      `?clientId=${clientId}`,
      `?code=${apiKey}x&clientId=${clientId}`,
      `?code=${apiKey}&clientId=x`,
    ]) {
      const reply = await http(`${api}/statistics${query}`);
      expect(reply).toMatchObject({ status: 401, json: { errorCode: 'unauthenticated' } });
    }
    const bearer = await http(`${newer}/statistics`, { headers: { authorization: `Bearer ${apiKey}` } });
    expect(bearer.status).toBe(200);
  });

  it('accepts a key in both APIs until it expires, and responds 401 from then on', async () => {
    const expiresAt = new Date(Date.now() + 1_000);
    const expiring = await withNewKey(world(), { expiresAt: expiresAt.toISOString() });
    const ask = async (read: typeof v2, path: string): Promise<HttpReply> => {
      const reply = await read(expiring, path);
      if (Date.now() < expiresAt.getTime()) expect(reply.status).toBe(200);
      return reply;
    };
    const [newer, older] = await eventually(async () => {
      const replies = [await ask(v2, '/sites'), await ask(legacy, '/group')] as const;
      return replies.every(({ status }) => status === 401) && replies;
    });
    expect(newer).toMatchObject({ json: { code: 'unauthenticated' } });
    expect(older).toMatchObject({ json: { errorCode: 'unauthenticated' } });
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime());
  });

  it('creates no key that expires in the past, or at no timestamp', async () => {
    for (const expiresAt of ['2020-01-01T00:00:00Z', 'tomorrow']) {
      const body = { name: 'Late', permissions: ['sites:read'], expiresAt };
      const refused = await v2(world(), '/api-keys', { method: 'POST', body });
      expect(refused).toMatchObject({
        status: 400,
        json: { code: 'invalid_request', errors: [{ path: '/expiresAt' }] },
      });
    }
  });

  it('responds 429 with Retry-After to too many requests with one key, in both APIs', async () => {
    const limited = await withNewKey(world());
    const site = String((await registerCharger(world())).siteId);
    const agent = new Agent({ keepAlive: true });
    const begin = Date.now();
    let granted = 0;
    const [newer, older] = await eventually(async () => {
      const both = () => [v2(limited, `/sites/${site}`, { agent }), legacy(limited, `/group/${site}`, { agent })];
      // Many at once: one after the other a busy machine makes fewer than the limit allows.
      const replies = await Promise.all(Array.from({ length: BURST }, both).flat());
      granted += replies.filter(({ status }) => status === 200).length;
      const refused = [0, 1].map((api) => replies.find(({ status }, i) => i % 2 === api && status === 429));
      return refused.every((reply) => reply !== undefined) && refused;
    });
    agent.destroy();
    const refilled = ((Date.now() - begin) / 1_000) * RATE;
    expect(granted).toBeGreaterThanOrEqual(BURST);
    // Each process counts by itself: where the two APIs are two processes, they grant two bursts.
    expect(granted).toBeLessThanOrEqual(2 * (BURST + refilled));
    expect(newer).toMatchObject({ json: { code: 'rate_limited' } });
    expect(older).toMatchObject({ json: { errorCode: 'rate_limited' } });
    for (const headers of [newer?.headers ?? {}, older?.headers ?? {}]) {
      expect(headers['retry-after']).toMatch(/^[1-9]$/);
      const policy = `"key";q=${String(BURST)};w=2, "client";q=${String(4 * BURST)};w=2`;
      expect(headers['ratelimit-policy']).toBe(policy);
      expect(headers['ratelimit']).toMatch(/^"key";r=0;t=[1-4]$/);
    }
    // Other keys are not limited, and this one is served again.
    expect((await v2(world(), '/sites')).status).toBe(200);
    await eventually(async () => (await v2(limited, '/sites')).status === 200);
  });

  it('responds 400 with its code to an identifier that would break a URL, and to an unknown group', async () => {
    const body = { chargerName: 'x' };
    const group = await legacy(world(), '/group/add', { method: 'POST', body: { name: 'g' } });
    const id = String((group.json as { id: number }).id);
    for (const bad of ['a%2Fb', 'a%20b', 'a%25b', '%00', 'a%3Fb', 'a%23b', 'a'.repeat(49), '%5C']) {
      const reply = await legacy(world(), `/charger/add/${bad}/${id}`, { method: 'POST', body });
      expect(reply).toMatchObject({ status: 400, json: { errorCode: 'invalid_charger_id' } });
    }
    for (const bad of ['x', '1.5', '-1', '99999999', '1e3']) {
      const reply = await legacy(world(), `/charger/add/${uniqueId('B')}/${bad}`, { method: 'POST', body });
      expect(reply).toMatchObject({ status: 400, json: { errorCode: 'invalid_group_id' } });
    }
    expect((await v2(world(), '/chargers', { method: 'POST', body: { name: 'x', chargerId: 'a/b' } })).status).toBe(
      400,
    );
  });

  it('responds 409 to a chargerId of any client in both APIs', async () => {
    const { chargerId, siteId } = await registerCharger(world());
    const again = await v2(world(), '/chargers', { method: 'POST', body: { name: 'x', chargerId } });
    expect(again).toMatchObject({ status: 409, json: { code: 'charger_id_taken' } });
    const old = await legacy(world(), `/charger/add/${chargerId}/${String(siteId)}`, {
      method: 'POST',
      body: { chargerName: 'x' },
    });
    expect(old).toMatchObject({ status: 409, json: { errorCode: 'charger_id_taken' } });
    expect(await readV2(world(), chargerId)).toMatchObject({ name: 'A charger' });
  });

  it('responds to wrong bodies, content types, methods and paths with their documented codes', async () => {
    const post = (call: { body?: unknown; headers?: Record<string, string> }) =>
      v2(world(), '/sites', { method: 'POST', ...call });
    expect((await post({ body: '{"name":' })).status).toBe(400);
    expect((await post({ body: { name: 5 } })).status).toBe(400);
    expect((await post({ body: { name: 'x', surprise: 1 } })).status).toBe(400);
    expect((await post({ body: '[]' })).status).toBe(400);
    expect((await post({ body: 'name=x', headers: { 'content-type': 'text/plain' } })).status).toBe(415);
    expect((await post({ body: { name: 'x'.repeat(110_000) } })).status).toBe(413);
    const method = await v2(world(), '/sites/', { method: 'PATCH', body: {} });
    expect([404, 405]).toContain(method.status);
    const wrongMethod = await v2(world(), '/statistics', { method: 'DELETE' });
    expect(wrongMethod.status).toBe(405);
    expect(wrongMethod.headers['allow']).toContain('GET');
    expect((await v2(world(), '/nowhere')).status).toBe(404);
    expect((await legacy(world(), '/nowhere')).status).toBe(404);
    expect((await v2(world(), '/chargers/%zz')).status).toBe(400);
    expect((await v2(world(), `/chargers/${uniqueId('UNKNOWN')}`)).status).toBe(404);
    expect((await legacy(world(), `/charger/${uniqueId('UNKNOWN')}`)).status).toBe(404);
  });

  it('sends a request id in every response, the caller’s if it is valid', async () => {
    const mine = await v2(world(), '/statistics', { headers: { 'x-request-id': 'my-id-1' } });
    expect(mine.headers['x-request-id']).toBe('my-id-1');
    const error = await v2(world(), '/nowhere', { headers: { 'x-request-id': 'a b\tc' } });
    expect(error.headers['x-request-id']).toMatch(/^[0-9A-Z]{26}$/);
    expect(error.json).toMatchObject({ requestId: error.headers['x-request-id'] });
  });

  it('continues after unreadable frames, floods and garbage', async () => {
    const { chargerId } = await registerCharger(world());
    const charger = await connect(world(), chargerId);
    const answers = ['{}', '"x"', '[]', '[2]', '[2,"id"]', '[2,"a","Heartbeat",{},1]', '[9,"x"]', 'null'];
    for (const frame of answers) charger.send(frame);
    expect(await charger.call('constructor', {})).toMatchObject({ kind: 'error', code: 'NotImplemented' });
    expect(await charger.call('RemoteStartTransaction', {})).toMatchObject({ kind: 'error', code: 'NotSupported' });
    expect(await charger.call('StatusNotification', {})).toMatchObject({ code: 'OccurenceConstraintViolation' });
    expect(await charger.call('Heartbeat', [])).toMatchObject({ code: 'FormationViolation' });
    const flood = await Promise.all(Array.from({ length: 500 }, () => charger.call('Heartbeat', {})));
    expect(flood.every((outcome) => outcome.kind === 'result')).toBe(true);
    await charger.close();
  });
}
