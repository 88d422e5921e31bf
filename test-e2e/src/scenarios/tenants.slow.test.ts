// Isolation of clients: no call of either API shows, counts or changes data of another client.
import { eventually, type ScriptedCharger } from '@busbar/testing';
import { asNewClient } from '../harness/clients';
import type { HttpReply } from '../harness/http';
import { inBothWorlds } from '../harness/in-both-worlds';
import { connect, legacy, readV2, uniqueId, v2, type World } from '../harness/world';
import { probesOf, send, type Named, type Probe } from './tenant-probes';

interface Owner {
  readonly client: World;
  readonly named: Named;
  readonly charger: ScriptedCharger;
}

/** A reply without what differs between any two replies, and with the name of each named value in its place. */
function shown({ status, text, headers }: HttpReply, named: Partial<Named>): string {
  const values = Object.entries(named)
    .map(([name, value]) => [String(value), name] as const)
    .sort(([a], [b]) => b.length - a.length);
  let body = text.replace(/"(?:requestId|generatedAt|from|to|nextUpdatedSince|cursor)":"[^"]*"/g, '');
  for (const [value, name] of values)
    body = body.replace(new RegExp(`(?<![\\w-])${value}(?![\\w-])`, 'g'), `{${name}}`);
  return [status, headers['etag'] ?? '', headers['content-type'] ?? '', body].join(' ');
}

/**
 * Returns the resource that the call names, in its path or in its body. `distinct` has no two equal values: otherwise a
 * site may have a session's number.
 */
function namedBy(probe: Probe, named: Named, distinct: Named): Partial<Named> {
  const sent = `${probe.path(distinct)} ${JSON.stringify(probe.body?.(distinct) ?? '')}`;
  const names = Object.entries(distinct).filter(([, value]) =>
    new RegExp(`(?<![\\w-])${String(value)}(?![\\w-])`).test(sent),
  );
  return Object.fromEntries(names.map(([name]) => [name, named[name as keyof Named]]));
}

inBothWorlds((world) => {
  let owner: Owner;
  let charger: ScriptedCharger | undefined;
  let stranger: World;
  let nobody: Named;

  beforeAll(async () => {
    stranger = await asNewClient(world(), 'Stranger');
    // Ids that are no other number of an answer: not the first of anything.
    for (let n = 0; n < 6; n += 1) await make(stranger, '/sites', { name: `Own ${String(n)}` });
    await make(stranger, '/chargers', { chargerId: uniqueId('OWN'), name: 'Own' });
    owner = await openOwner(await asNewClient(world(), 'Owner'));
    charger = owner.charger;
    nobody = {
      chargerId: uniqueId('NOBODY'),
      freshId: uniqueId('FRESH'),
      siteId: 987_654,
      transactionId: 987_655,
      idTag: 'NOBODYS',
      keyId: 'nobodyskey',
      reservationId: 987_656,
      word: 'Nobodysword',
      commandId: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      webhookId: 'wh_nobodys',
    };
  }, 120_000);

  afterAll(() => {
    charger?.terminate();
  });

  it('responds to every call that names a resource of another client as if it did not exist, and changes nothing', async () => {
    const before = await Promise.all([everythingOf(owner.client, owner.named), everythingOf(stranger, nobody)]);
    const commands = owner.charger.received.length;
    const probes = await probesOf(world());
    expect(probes.length).toBeGreaterThan(80);
    const outcomes: string[] = [];
    for (const probe of probes) {
      const [foreign, missing] = [await send(stranger, probe, owner.named), await send(stranger, probe, nobody)];
      const title = `${probe.title}: `;
      expect(title + shown(foreign, namedBy(probe, owner.named, nobody))).toBe(
        title + shown(missing, namedBy(probe, nobody, nobody)),
      );
      // Its own words it may say back; the owner's it cannot know.
      expect(title + foreign.text).not.toContain(`${owner.named.word} `);
      outcomes.push(`${String(foreign.status)} ${probe.title}`);
    }
    const served = outcomes.filter((outcome) => outcome.startsWith('200') && /\{/.test(outcome));
    expect(served).toEqual([]);
    expect(outcomes.filter((outcome) => !/^(?:200|400|404) /.test(outcome))).toEqual([]);
    expect(await Promise.all([everythingOf(owner.client, owner.named), everythingOf(stranger, nobody)])).toEqual(
      before,
    );
    expect(owner.charger.received).toHaveLength(commands);
    expect(owner.charger.closed()).toBeUndefined();
  }, 240_000);

  it('reveals nothing of another client’s records by a precondition', async () => {
    const { siteId, chargerId } = owner.named;
    const etag = String((await v2(owner.client, `/sites/${String(siteId)}`)).headers['etag']);
    for (const value of [etag, '*', '"other"']) {
      const call = { method: 'PATCH', body: { name: 'Mine now' }, headers: { 'if-match': value } };
      for (const path of [`/sites/${String(siteId)}`, `/chargers/${chargerId}`]) {
        expect((await v2(stranger, path, call)).status).toBe(404);
      }
    }
  });

  it('refuses a chargerId of another client like one’s own', async () => {
    const own = uniqueId('TAKEN');
    await make(stranger, '/chargers', { chargerId: own, name: 'Own' });
    const sites = (await v2(stranger, '/sites')).json as { items: { id: number }[] };
    const siteId = sites.items[0]?.id ?? 0;
    const attempt = async (chargerId: string): Promise<string[]> => {
      const named = { ...nobody, chargerId };
      const body = { chargerId, name: 'Mine', siteId };
      const newer = await v2(stranger, '/chargers', { method: 'POST', body });
      const path = `/charger/add/${chargerId}/${String(siteId)}`;
      const older = await legacy(stranger, path, { method: 'POST', body: { chargerName: 'Mine' } });
      return [shown(newer, named), shown(older, named)];
    };
    const taken = await attempt(owner.named.chargerId);
    expect(taken).toEqual(await attempt(own));
    expect(taken).toEqual([
      expect.stringMatching(/^409 .*charger_id_taken/),
      expect.stringMatching(/^409 .*charger_id_taken/),
    ]);
    expect((await v2(stranger, `/chargers/${own}`, { method: 'DELETE' })).status).toBe(200);
  });

  it('keeps the Idempotency-Keys of clients apart', async () => {
    const call = { method: 'POST', body: { name: 'Same' }, headers: { 'idempotency-key': uniqueId('key') } };
    const first = await v2(owner.client, '/sites', call);
    const second = await v2(stranger, '/sites', call);
    const ids = [first, second].map(({ json }) => (json as { id: number }).id);
    expect(second.headers['idempotency-replayed']).toBeUndefined();
    expect(new Set(ids).size).toBe(2);
    expect((await v2(stranger, `/sites/${String(ids[0])}`)).status).toBe(404);
    const other = await v2(stranger, '/sites', { ...call, body: { name: 'Other' } });
    expect(other.json).toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('keeps tags of the same id apart, and gives a key of one client no access to another', async () => {
    const { idTag } = owner.named;
    const before = (await v2(owner.client, `/tags/${idTag}`)).json;
    expect((await v2(stranger, '/tags', { method: 'POST', body: { idTag, blocked: true } })).status).toBe(200);
    expect((await v2(owner.client, `/tags/${idTag}`)).json).toEqual(before);
    expect((await v2(stranger, `/tags/${idTag}`, { method: 'DELETE' })).status).toBe(200);
    expect((await v2(owner.client, `/tags/${idTag}`)).json).toEqual(before);
    for (const crossed of [
      { ...stranger, clientId: owner.client.clientId },
      { ...owner.client, clientId: stranger.clientId },
    ]) {
      const refused = await legacy(crossed, '/group');
      const unknown = await legacy({ ...crossed, clientId: 'nobody' }, '/group');
      expect(shown(refused, nobody)).toBe(shown(unknown, nobody));
      expect(refused.status).toBe(401);
    }
  });
});

async function make(client: World, path: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const made = await v2(client, path, { method: 'POST', body });
  if (made.status !== 200) throw new Error(`${path}: ${made.text}`);
  return made.json as Readonly<Record<string, unknown>>;
}

/** A client that has something of everything, and a charger with a session in progress. */
async function openOwner(client: World): Promise<Owner> {
  const word = uniqueId('Owners');
  const site = await make(client, '/sites', { name: `${word} yard`, externalId: word, city: word, country: word });
  const siteId = Number(site['id']);
  await make(client, '/sites', { name: `${word} below`, parentSiteId: siteId });
  const chargerId = uniqueId('OWNED');
  const idTag = uniqueId('TAG').toUpperCase();
  await make(client, '/chargers', { chargerId, name: `${word} charger`, siteId, sockets: [{ id: 1, name: word }] });
  await make(client, '/tags', { idTag, tokenName: `${word} card`, externalId: word });
  const key = await make(client, '/api-keys', { name: `${word} key`, permissions: ['sites:read'] });
  const charger = await connect(client, chargerId);
  await charger.boot({ chargePointVendor: word.slice(0, 20), chargePointModel: word.slice(0, 20) });
  for (const connectorId of [0, 1, 2]) await charger.status(connectorId, 'Available');
  await eventually(async () => (await readV2(client, chargerId)).activeConnection);
  for (let n = 0; n < 4; n += 1) {
    const { transactionId } = await charger.start({ connectorId: 2, idTag, meterStart: 0 });
    await charger.stop({ transactionId: Number(transactionId), meterStop: 100 });
  }
  const transactionId = Number((await charger.start({ connectorId: 1, idTag, meterStart: 0 }))['transactionId']);
  await charger.meter({ connectorId: 1, transactionId, energyWh: 50 });
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const below = `/chargers/${chargerId}`;
  const reserved = await make(client, `${below}/reservations`, { socketId: 2, rfidTag: idTag, expiresAt });
  const tags = [{ rfidTag: idTag, status: 'Accepted' }];
  await make(client, `${below}/local-list`, { listVersion: 1, updateType: 'Full', tags });
  await make(client, `${below}/firmware`, { location: `https://files.example/${word}` });
  await make(client, `${below}/diagnostics`, { location: `ftp://files.example/${word}` });
  // Disabled: nothing of it is sent.
  const hook = { url: `https://hooks.example.com/${word}`, description: word, enabled: false };
  const webhook = await make(client, '/webhooks', hook);
  const named = {
    chargerId,
    freshId: uniqueId('FRESH'),
    siteId,
    transactionId,
    idTag,
    word,
    keyId: String(key['id']),
    reservationId: Number(reserved['reservationId']),
    commandId: String(reserved['commandId']),
    webhookId: String(webhook['id']),
  };
  await charger.heartbeat();
  // The requests after each charger's boot are over, and everything is stored.
  await eventually(async () => JSON.stringify(await readV2(client, chargerId)).includes('HeartbeatInterval'));
  await eventually(async () => {
    const listed = await v2(client, `${below}/reservations`);
    return (listed.json as { totalRecords: number }).totalRecords === 1;
  });
  return { client, named, charger };
}

/** All that a client can read, through both APIs; without what reading itself changes. */
async function everythingOf(client: World, { chargerId, transactionId }: Named): Promise<unknown> {
  const below = `/chargers/${chargerId}`;
  const newer = [
    '/sites',
    '/chargers?includeChargerConfigurations=true',
    '/sessions',
    '/tags',
    '/api-keys',
    '/webhooks',
    '/statistics',
  ];
  const ofCharger = [
    '',
    '/ocpp-logs',
    '/reservations',
    '/charging-profiles',
    '/local-list',
    '/firmware',
    '/diagnostics',
  ];
  const ofSession = [`/sessions/${String(transactionId)}/meter-values`];
  const series = ['/chargers/state-time-series', '/sites/state-time-series'];
  const replies = await Promise.all([
    ...[...newer, ...ofCharger.map((rest) => below + rest), ...ofSession].map((path) => v2(client, path)),
    ...series.map((path) => v2(client, `${path}?from=2026-01-01T00:00:00Z&to=2026-01-08T00:00:00Z`)),
    ...['/group', '/charger', '/statistics'].map((path) => legacy(client, path)),
  ]);
  return replies.map(({ status, text }) => [
    status,
    text.replace(/"(?:requestId|generatedAt|lastUsedAt|nextUpdatedSince)":(?:"[^"]*"|null)/g, ''),
  ]);
}
