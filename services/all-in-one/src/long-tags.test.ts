// The longest tags of each version of OCPP, on real sockets and through both APIs.
import { json } from 'node:stream/consumers';
import { eventually, serve, type HttpReply, type ScriptedCharger, type Served } from '@busbar/testing';
import { openAllInOne, type AllInOneWorld } from './testing/open-all-in-one';

type Json = Readonly<Record<string, unknown>>;

/** Of the endpoint for real-time authorization, for each tag that the client does not have. */
const ENDPOINT_GROUP = 'E'.repeat(255);

let world: AllInOneWorld;
let endpoint: Served;
let asked: string[];
beforeAll(async () => {
  endpoint = await serve((request, response) => {
    void json(request).then((body) => {
      asked.push((body as { data: { rfidTag: string } }).data.rfidTag);
      response.end(JSON.stringify({ allowed: true, parentIdTag: ENDPOINT_GROUP }));
    });
  });
  world = await openAllInOne({
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    PUSH_ALLOWED_CIDRS: '127.0.0.0/8',
    PUSH_PLAIN_HTTP: 'true',
  });
  await world.v2('PUT', '/real-time-authorization', { url: `${endpoint.origin}/`, format: 'standard' });
});
afterAll(async () => {
  await world.close();
  await endpoint.close();
});
beforeEach(() => {
  asked = [];
});

const pathsOf = (reply: HttpReply) => {
  expect([reply.status, reply.json()['code']]).toEqual([400, 'invalid_request']);
  return (reply.json()['errors'] as { path: string }[]).map(({ path }) => path).sort();
};

/** A text of its own, with spaces and letters of both cases. */
function textOf(length: number, begin: string): string {
  return `${begin}${String(Math.random()).slice(2, 12)}${' aB~'.repeat(64)}`.slice(0, length - 1).padEnd(length, 'z');
}

const is16 = (version: string) => version === 'ocpp1.6';

/** The group that an Authorize is answered with. */
async function groupOf(version: string, charger: ScriptedCharger, tag: string): Promise<unknown> {
  if (is16(version)) {
    const { idTagInfo } = (await charger.authorize(tag)) as { idTagInfo: Json };
    expect(idTagInfo['status']).toBe('Accepted');
    return idTagInfo['parentIdTag'];
  }
  const { idTokenInfo } = (await charger.v2.authorize(tag)) as { idTokenInfo: Json };
  expect(idTokenInfo['status']).toBe('Accepted');
  return (idTokenInfo['groupIdToken'] as { idToken: string } | undefined)?.idToken;
}

async function begin(version: string, charger: ScriptedCharger, tag: string): Promise<void> {
  if (is16(version)) await charger.start({ idTag: tag });
  else {
    const evse = { id: 1, connectorId: 1 };
    await charger.v2.transaction({
      transactionId: tag.slice(0, 12),
      eventType: 'Started',
      seqNo: 0,
      idToken: tag,
      evse,
    });
  }
}

describe.each([
  ['ocpp1.6', 20],
  ['ocpp2.0.1', 36],
  ['ocpp2.1', 255],
])('a charger of %s, whose tags have at most %i characters', (version, most) => {
  async function connected(): Promise<{ id: string; charger: ScriptedCharger }> {
    const id = await world.register();
    const charger = await world.connect(id, { subprotocols: [version] });
    await (is16(version) ? charger.boot() : charger.v2.boot());
    await eventually(() => world.isActive(id));
    return { id, charger };
  }
  const sent = (charger: ScriptedCharger, action16: string, action2 = action16) =>
    JSON.stringify(charger.received.findLast(({ action }) => action === (is16(version) ? action16 : action2))?.payload);

  it('154. charges with the longest tag and the longest group, in any case, and its session is found by it', async () => {
    const { id, charger } = await connected();
    const idTag = textOf(most, 'L');
    const parentIdTag = textOf(most, 'G');
    expect((await world.v2('POST', '/tags', { idTag, parentIdTag })).status).toBe(200);
    expect(await groupOf(version, charger, idTag.toUpperCase())).toBe(parentIdTag);
    await begin(version, charger, idTag);

    const tag = encodeURIComponent(idTag.toLowerCase());
    for (const query of [`rfidTags=${tag}`, `search=${tag}`]) {
      const { items } = await eventually(async () => {
        const found = (await world.v2('GET', `/sessions?${query}`)).json();
        return (found['items'] as Json[]).length > 0 ? (found as { items: Json[] }) : undefined;
      });
      expect(items).toMatchObject([{ chargerId: id, rfidTag: idTag, authorization: { status: 'accepted' } }]);
    }
    const events = (await world.v2('GET', `/events?chargerIds=${id}&limit=100`)).text;
    expect(events).toContain(idTag);
    expect((await world.v2('GET', `/tags/${tag}`)).json()['lastUsedAt']).not.toBeNull();
    expect(asked).toEqual([]);
  });

  it('169. is sent the longest tags by both APIs, and its transactions are found by them', async () => {
    const { id, charger } = await connected();
    const tag = textOf(most, 'S');
    const group = textOf(most, 'G');
    const started = await world.legacy('POST', `/charger/start/${id}/1/${encodeURIComponent(tag)}`);
    expect([started.status, started.json()]).toEqual([200, { status: 'Accepted' }]);
    expect(sent(charger, 'RemoteStartTransaction', 'RequestStartTransaction')).toContain(`"${tag}"`);
    const expiresAt = '2035-01-01T00:00:00.000Z';
    const reservation = { socketId: 1, rfidTag: tag, parentRfidTag: group, expiresAt };
    expect((await world.v2('POST', `/chargers/${id}/reservations`, reservation)).status).toBe(200);
    expect(sent(charger, 'ReserveNow')).toMatch(new RegExp(`${tag}.*${group}|${group}.*${tag}`));
    const tags = [{ rfidTag: tag, status: 'Accepted', parentRfidTag: group }];
    const list = { listVersion: 1, updateType: 'Full', tags };
    expect((await world.v2('POST', `/chargers/${id}/local-list`, list)).status).toBe(200);
    const search = `search=${encodeURIComponent(tag)}`;
    for (const [held, field] of [
      ['reservations', 'reservedAt'],
      ['local-list', 'rfidTag'],
    ] as const) {
      const found = await eventually(async () => {
        const { items } = (await world.v2('GET', `/chargers/${id}/${held}?${search}&sortKey=${field}`)).json();
        return (items as Json[]).at(0);
      });
      expect(found).toMatchObject({ rfidTag: tag, parentRfidTag: group });
    }

    await begin(version, charger, tag);
    const body = { startTime: '2020-01-01T00:00:00Z', rfidTags: [tag.toUpperCase()] };
    const results = await eventually(async () => {
      const found = (await world.legacy('POST', '/statistics/transactions', body)).json()['results'] as Json[];
      return found.length > 0 ? found : undefined;
    });
    expect(results).toMatchObject([{ chargerId: id, rfidTag: tag }]);
  });

  it('169. is not sent a longer tag, which is refused at its path', async () => {
    const { id, charger } = await connected();
    const tag = textOf(most + 1, 'X');
    const post = async (path: string, body: object) => pathsOf(await world.v2('POST', `/chargers/${id}/${path}`, body));
    const start = { socketId: 1, rfidTag: tag };
    expect(await post('start-charging', start)).toEqual(['/rfidTag']);
    const reservation = { socketId: 1, rfidTag: tag, parentRfidTag: tag, expiresAt: '2035-01-01T00:00:00.000Z' };
    expect(await post('reservations', reservation)).toEqual(['/parentRfidTag', '/rfidTag']);
    const tags = [
      { rfidTag: 'A', status: 'Accepted', parentRfidTag: tag },
      { rfidTag: tag, status: 'Accepted' },
    ];
    const list = { listVersion: 1, updateType: 'Full', tags };
    expect(await post('local-list', list)).toEqual(['/tags/0/parentRfidTag', '/tags/1/rfidTag']);
    if (!is16(version)) {
      expect(await post('customer-information', { report: true, clear: false, rfidTag: tag })).toEqual(['/rfidTag']);
    }
    const legacy = await world.legacy('POST', `/charger/start/${id}/1/${encodeURIComponent(tag)}`);
    expect(legacy.json()).toMatchObject({ errorCode: 'invalid_request' });
    expect(legacy.json()['message']).toContain('rfidTag');
    const refused = await (is16(version) ? charger.call('Authorize', { idTag: tag }) : authorizing(charger, tag));
    expect(refused.kind).toBe('error');
    const sentTags = charger.received.filter(({ payload }) => JSON.stringify(payload).includes(tag));
    expect(sentTags).toEqual([]);
  });

  it('154. gets no group that it cannot carry: of a tag, or of real-time authorization', async () => {
    const { id, charger } = await connected();
    const group = textOf(255, 'G');
    const carried = most === 255 ? group : undefined;
    const idTag = textOf(12, 'C');
    await world.v2('POST', '/tags', { idTag, parentIdTag: group });
    expect(await groupOf(version, charger, idTag)).toBe(carried);
    const unknown = textOf(most, 'U');
    expect(await groupOf(version, charger, unknown)).toBe(most === 255 ? ENDPOINT_GROUP : undefined);
    expect(asked).toEqual([unknown]);

    const list = { listVersion: 1, updateType: 'Full', tags: [{ rfidTag: idTag }] };
    expect((await world.v2('POST', `/chargers/${id}/local-list`, list)).status).toBe(200);
    expect(sent(charger, 'SendLocalList').includes(group)).toBe(carried !== undefined);
    const start = { socketId: 1, rfidTag: idTag };
    expect((await world.v2('POST', `/chargers/${id}/start-charging`, start)).status).toBe(200);
    expect(sent(charger, 'RemoteStartTransaction', 'RequestStartTransaction').includes(group)).toBe(
      carried !== undefined,
    );
  });
});

const authorizing = (charger: ScriptedCharger, tag: string) =>
  charger.call('Authorize', { idToken: { idToken: tag, type: 'Central' } });
