import { codeOf, openApp, type TestApp } from '../testing/open-app';

const NOW = '2026-01-31T12:00:00.000Z';
const ROUTES = [
  ['GET', '/operator/dead-letters'],
  ['POST', '/operator/dead-letters/one/replay'],
  ['DELETE', '/operator/dead-letters/one'],
  ['GET', '/operator/processes'],
] as const;

const ENVELOPE = {
  v: 1,
  kind: 'report',
  chargerId: 'ACME_1',
  incarnationId: 'i',
  connectionId: 'c',
  gatewayId: 'g',
  order: 3,
  seq: 7,
  ocppVersion: 'ocpp1.6',
  action: 'DataTransfer',
  messageId: 'm',
  payload: {},
  receivedAt: NOW,
};

let api: TestApp;
let operator: Record<string, string>;
beforeAll(async () => {
  api = await openApp();
  operator = await api.keyHeader('operator');
});
afterAll(() => api.close());

const asOperator = (method: string, path: string) => api.call(method, `/operator${path}`, { headers: operator });

function insert(
  deadLetterId: string,
  over: { readonly chargerId?: string; readonly report?: string; readonly at?: string } = {},
) {
  const raw = '[2,"m","DataTransfer",{"vendorId":"v","data":"AuthorizationKey=0123456789abcdef"}]';
  const report = JSON.stringify({ ...ENVELOPE, id: deadLetterId, raw });
  const letter = { deadLetterId, chargerId: 'ACME_1', action: 'DataTransfer', reason: 'internal: x', at: NOW, report };
  return api.deployment.deadLetters.insert({ ...letter, ...over });
}

describe('the routes of operators', () => {
  it.each(ROUTES)("refuse %s %s with every permission of a client's key", async (method, path) => {
    expect(codeOf(await api.call(method, path))).toBe('403 forbidden');
  });

  it('are not opened by the API: no key grants the permission, not even an operator', async () => {
    const body = { name: 'x', permissions: ['operator'] };
    expect(codeOf(await api.post('/api-keys', body))).toBe('400 invalid_request');
    const headers = await api.keyHeader('operator', 'keys:write', 'keys:read');
    expect(codeOf(await api.post('/api-keys', body, headers))).toBe('400 invalid_request');
    const keys = (await api.call('GET', '/api-keys', { headers })).json()['items'];
    expect(JSON.stringify(keys)).toContain('"operator"');
  });

  it("show nothing of a client that the key's other permissions do not show", async () => {
    for (const path of ['/chargers', '/sites', '/sessions', '/tags', '/api-keys', '/statistics']) {
      const reply = await api.call('GET', path, { headers: operator });
      expect([path, codeOf(reply)]).toEqual([path, '403 forbidden']);
    }
  });
});

describe('dead letters', () => {
  it('are listed from the newest, by pages, with masked frames', async () => {
    await insert('a', { at: '2026-01-01T00:00:00.000Z' });
    await insert('b', { at: '2026-01-02T00:00:00.000Z' });
    await insert('c', { at: '2026-01-03T00:00:00.000Z', chargerId: '', report: 'not { readable' });
    const first = (await asOperator('GET', '/dead-letters?limit=2')).json();
    expect(first).toMatchObject({ totalRecords: 3, nextAfter: 'b', items: [{ id: 'c', chargerId: '' }, { id: 'b' }] });
    const second = (await asOperator('GET', '/dead-letters?limit=2&after=b')).json();
    expect(second).toMatchObject({
      nextAfter: null,
      items: [{ id: 'a', action: 'DataTransfer', reason: 'internal: x' }],
    });
    const text = JSON.stringify([first, second]);
    expect(text).toContain('DataTransfer');
    expect(text).not.toContain('0123456789abcdef');
    expect(codeOf(await asOperator('GET', '/dead-letters?after=gone'))).toBe('404 not_found');
    expect(codeOf(await asOperator('GET', '/dead-letters?limit=101'))).toBe('400 invalid_request');
  });

  it('are dropped once', async () => {
    await insert('dropped');
    expect((await asOperator('DELETE', '/dead-letters/dropped')).json()).toEqual({ id: 'dropped' });
    expect(codeOf(await asOperator('DELETE', '/dead-letters/dropped'))).toBe('404 not_found');
  });

  it('are refused for a replay where they are unreadable, and stay', async () => {
    await insert('unreadable', { chargerId: '', report: 'x' });
    expect(codeOf(await asOperator('POST', '/dead-letters/unreadable/replay'))).toBe('400 invalid_request');
    expect(await api.deployment.deadLetters.find('unreadable')).toBeDefined();
  });
});

describe('a replay', () => {
  it('is of the stored letter', async () => {
    const replayed: unknown[] = [];
    const { deadLetters, processes } = api.deployment;
    const replay = (letter: object) => Promise.resolve(void replayed.push(letter));
    const call = await api.second({ deployment: { deadLetters, processes, replay } });
    await insert('replayed');
    const headers = operator;
    const reply = await call('POST', '/operator/dead-letters/replayed/replay', { headers });
    expect(reply.json()).toEqual({ id: 'replayed' });
    expect(replayed).toMatchObject([{ deadLetterId: 'replayed', chargerId: 'ACME_1' }]);
    expect(codeOf(await call('POST', '/operator/dead-letters/gone/replay', { headers }))).toBe('404 not_found');
  });
});

describe('processes', () => {
  it('are shown with what they announced', async () => {
    const { deadLetters, replay } = api.deployment;
    const gateways = [
      { gatewayId: 'gw_1', chargers: 6, isDead: false, sockets: 7, program: '1.2.3', renewedAt: NOW },
      { gatewayId: 'gw_2', chargers: 1, isDead: true },
    ];
    const report = {
      gateways,
      chargerState: [{ replicaId: 'r_1', partitions: [0, 1] }],
      partitions: [
        { partition: 0, depth: 3 },
        { partition: 1, depth: undefined },
      ],
      push: [{ replicaId: 'p_1', waiting: 12 }, { replicaId: 'p_2' }],
      processes: [{ service: 'v2-api', program: '1.2.3', schema: 1 }],
      storeReachable: true,
      brokerReachable: false,
    };
    const processes = () => Promise.resolve(report);
    const call = await api.second({ deployment: { deadLetters, replay, processes } });
    const reply = await call('GET', '/operator/processes', { headers: operator });
    expect(reply.json()).toEqual({
      gateways: [
        { id: 'gw_1', chargers: 6, sockets: 7, renewedAt: NOW, stopping: false, dead: false, program: '1.2.3' },
        { id: 'gw_2', chargers: 1, sockets: null, renewedAt: null, stopping: false, dead: true, program: null },
      ],
      chargerState: [{ id: 'r_1', partitions: [0, 1] }],
      partitions: [
        { partition: 0, depth: 3 },
        { partition: 1, depth: null },
      ],
      push: [
        { id: 'p_1', waiting: 12 },
        { id: 'p_2', waiting: null },
      ],
      processes: [{ service: 'v2-api', program: '1.2.3', schema: 1 }],
      storeReachable: true,
      brokerReachable: false,
    });
  });

  it('are those of this process itself where there is no other', async () => {
    expect((await asOperator('GET', '/processes')).json()).toMatchObject({
      gateways: [],
      chargerState: [],
      storeReachable: true,
      brokerReachable: true,
    });
  });
});
