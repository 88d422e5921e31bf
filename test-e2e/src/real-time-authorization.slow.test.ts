// An endpoint for real-time authorization that responds at once, late, never and with garbage, and chargers that must not wait for it.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { partitionOf } from '@busbar/contracts';
import { eventually, type ScriptedCharger } from '@busbar/testing';
import { inBothOwnWorlds } from './harness/in-both-worlds';
import { connect, registerCharger, uniqueId, v2, type World } from './harness/world';

const ENV = {
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  PUSH_ALLOWED_CIDRS: '127.0.0.0/8',
  PUSH_PLAIN_HTTP: 'true',
};
const PARTITIONS = 16;
const CHARGERS = 500;
/** Fewer than the requests of a client that may be in flight. */
const WAITING = 60;

type Question = { readonly data: { readonly rfidTag: string; readonly action: string } };
type TagCheck = { readonly rfidTag: string; readonly source: string; readonly tookMs: number | null };
type Respond = (response: ServerResponse) => void;

inBothOwnWorlds((world) => {
  let server: Server;
  let asked: string[];
  /** By tag. */
  let behaviour: Readonly<Record<string, Respond>>;
  const allow: Respond = (response) => void response.end('{"allowed":true}');

  beforeAll(async () => {
    server = createServer((request, response) => {
      void json(request).then((body) => {
        const { rfidTag } = (body as Question).data;
        asked.push(rfidTag);
        (behaviour[rfidTag] ?? allow)(response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    asked = [];
    behaviour = {};
  });

  async function setEndpoint(settings: object): Promise<void> {
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
    const body = { url, format: 'standard', cacheS: 0, ...settings };
    const reply = await v2(world(), '/real-time-authorization', { method: 'PUT', body });
    expect(reply).toMatchObject({ status: 200 });
  }

  const statusOf = async (charger: ScriptedCharger, idTag: string): Promise<unknown> => {
    const answer = await charger.ask('Authorize', { idTag });
    return (answer as { idTagInfo: { status: string } }).idTagInfo.status;
  };

  it('answers a charger by the endpoint that responds at once or late, and by onFailure otherwise', async () => {
    const late: Respond = (response) => void setTimeout(() => allow(response), 2_000);
    const refuse: Respond = (response) => void response.end('{"allowed":false,"reason":"expired"}');
    behaviour = { LATE: late, NEVER: () => undefined, GARBAGE: (response) => void response.end('%'), NO: refuse };
    await setEndpoint({ timeoutS: 4 });
    const { chargerId } = await registerCharger(world());
    const charger = await connect(world(), chargerId);
    const statuses: unknown[] = [];
    for (const tag of ['NOW', 'NO', 'LATE', 'GARBAGE', 'NEVER']) statuses.push(await statusOf(charger, tag));
    expect(statuses).toEqual(['Accepted', 'Expired', 'Accepted', 'Invalid', 'Invalid']);
    const start = { connectorId: 1, idTag: 'NO', meterStart: 0, timestamp: new Date().toISOString() };
    const refused = await charger.ask('StartTransaction', start);
    expect(refused).toMatchObject({ transactionId: expect.any(Number) as number, idTagInfo: { status: 'Expired' } });
    const session = await v2(world(), `/sessions/${String(refused['transactionId'])}`);
    expect(session.json).toMatchObject({
      state: 'refused',
      authorization: { status: 'refused', reason: 'expired', source: 'endpoint' },
    });
    expect(asked).toEqual(['NOW', 'NO', 'LATE', 'GARBAGE', 'NEVER', 'NO']);
    await eventually(async () => {
      const { json: shown } = await v2(world(), '/real-time-authorization');
      return (shown as { failures: number; lastAskedAt: string | null }).lastAskedAt !== null;
    });
    const { json: feed } = await v2(world(), '/events?types=tag.checked&limit=100');
    const checked = (feed as { items: { data: TagCheck }[] }).items;
    expect(checked.map(({ data }) => [data.rfidTag, data.source])).toEqual([
      ['NOW', 'endpoint'],
      ['NO', 'endpoint'],
      ['LATE', 'endpoint'],
      ['GARBAGE', 'fallback'],
      ['NEVER', 'fallback'],
    ]);
    expect(checked.every(({ data }) => data.tookMs !== null)).toBe(true);
  }, 120_000);

  it('asks for a remote start with validation, and refuses it as the endpoint does', async () => {
    behaviour = { NO: (response) => void response.end('{"allowed":false}') };
    await setEndpoint({ timeoutS: 4 });
    const { chargerId } = await registerCharger(world());
    await connect(world(), chargerId);
    const start = (rfidTag: string) =>
      v2(world(), `/chargers/${chargerId}/start-charging`, {
        method: 'POST',
        body: { socketId: 1, rfidTag, validateRfid: true },
      });
    await eventually(async () => (await start('YES')).status === 200);
    expect((await start('NO')).json).toMatchObject({ status: 409, code: 'tag_refused' });
  }, 120_000);

  it('answers all other chargers of a partition while some wait for the endpoint', async () => {
    const waiting: ServerResponse[] = [];
    behaviour = { SLOW: (response) => void waiting.push(response) };
    await setEndpoint({ timeoutS: 7 });
    await v2(world(), '/tags', { method: 'POST', body: { idTag: 'OWN' } });
    const chargers = await connectAll(world());
    const [slow, others] = [chargers.slice(0, WAITING), chargers.slice(WAITING)];
    let released = 0;
    const held = slow.map((charger) => statusOf(charger, 'SLOW').finally(() => void (released += 1)));
    await eventually(() => waiting.length === WAITING);
    const status = { connectorId: 1, status: 'Available', errorCode: 'NoError' };
    await Promise.all(others.map((charger) => charger.ask('StatusNotification', status)));
    expect(await Promise.all(others.slice(0, 20).map((charger) => statusOf(charger, 'OWN')))).toEqual(
      Array.from({ length: 20 }, () => 'Accepted'),
    );
    // All of them are done, and none of those that wait.
    expect(released).toBe(0);
    waiting.forEach(allow);
    expect(new Set(await Promise.all(held))).toEqual(new Set(['Accepted']));
    expect(asked.filter((tag) => tag === 'OWN')).toEqual([]);
    await Promise.all(chargers.map((charger) => charger.close()));
  }, 240_000);

  it('answers by onFailure at once while no process of push is there', async () => {
    // In one process it is always there.
    if (world().kind === 'one process') return;
    await setEndpoint({ timeoutS: 7, onFailure: 'accept' });
    const { chargerId } = await registerCharger(world());
    const charger = await connect(world(), chargerId);
    await world().program('push').end('SIGKILL');
    const checkOf = async (rfidTag: string) => {
      expect(await statusOf(charger, rfidTag)).toBe('Accepted');
      let check: TagCheck | undefined;
      await eventually(async () => {
        const { json: feed } = await v2(world(), `/events?types=tag.checked&chargerIds=${chargerId}&newest=true`);
        check = (feed as { items: { data: TagCheck }[] }).items.find(({ data }) => data.rfidTag === rfidTag)?.data;
        return check !== undefined;
      });
      return check;
    };
    // Until RabbitMQ notices that the process was killed, its queue has a consumer: a question is waited for in vain.
    const checks: (TagCheck | undefined)[] = [];
    do checks.push(await checkOf(`ANY${String(checks.length)}`));
    while (checks.at(-1)?.tookMs !== null && checks.length < 5);
    expect(checks.at(-1)).toMatchObject({ source: 'fallback', tookMs: null });
    expect(asked).toEqual([]);
  }, 120_000);
}, ENV);

/** Chargers of one partition. */
async function connectAll(world: World): Promise<ScriptedCharger[]> {
  const ids: string[] = [];
  while (ids.length < CHARGERS) {
    const id = uniqueId('RTA');
    if (partitionOf(id, PARTITIONS) === 0) ids.push(id);
  }
  const connected: ScriptedCharger[] = [];
  for (let first = 0; first < CHARGERS; first += 50) {
    const some = ids.slice(first, first + 50);
    await Promise.all(some.map((chargerId) => registerCharger(world, chargerId)));
    connected.push(...(await Promise.all(some.map((id) => connect(world, id, { handshakeTimeoutMs: 120_000 })))));
  }
  return connected;
}
