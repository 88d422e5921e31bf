// Tests the records of a charger's day: sessions, meter values, log, states, tags and numbers, through both APIs.
import { eventually, type ScriptedCharger } from '@busbar/testing';
import { inBothWorlds } from './harness/in-both-worlds';
import { expectPaged } from './harness/pages';
import { connect, legacy, registerCharger, uniqueId, v2, type World } from './harness/world';

type Json = Readonly<Record<string, unknown>>;

interface Day {
  readonly chargerId: string;
  readonly siteId: number;
  readonly charger: ScriptedCharger;
  readonly idTag: string;
  readonly ended: number;
  readonly ongoing: number;
}

const begun = new Date();

/** One session from start to stop with its meter values, and one that continues. */
async function liveThroughADay(world: World): Promise<Day> {
  const idTag = uniqueId('T').slice(0, 12);
  await v2(world, '/tags', { method: 'POST', body: { idTag, tokenName: 'A card' } });
  const { chargerId, siteId } = await registerCharger(world);
  const charger = await connect(world, chargerId);
  await charger.boot();
  for (const connectorId of [1, 2]) await charger.status(connectorId, 'Available');
  const started = await charger.start({ connectorId: 1, idTag, meterStart: 1000 });
  const ended = started['transactionId'] as number;
  await charger.status(1, 'Charging');
  await charger.meter({ connectorId: 1, transactionId: ended, energyWh: 1500 });
  await charger.meter({ connectorId: 1, transactionId: ended, energyWh: 2500 });
  await charger.stop({ transactionId: ended, meterStop: 3500, reason: 'Local' });
  const again = await charger.start({ connectorId: 2, idTag: idTag.toLowerCase(), meterStart: 7 });
  const ongoing = again['transactionId'] as number;
  await charger.heartbeat();
  await eventually(async () => (await v2(world, `/sessions/${String(ongoing)}`)).status === 200);
  return { chargerId, siteId, charger, idTag, ended, ongoing };
}

inBothWorlds((world) => {
  let day: Day;

  beforeAll(async () => {
    day = await liveThroughADay(world());
  });

  afterAll(async () => {
    await day.charger.close();
  });

  const read = async (path: string): Promise<Json> => {
    const reply = await v2(world(), path);
    expect(reply.status).toBe(200);
    return reply.json as Json;
  };

  it('shows each session, and the same as a transaction of the v1 API', async () => {
    const { chargerId, siteId, idTag, ended, ongoing } = day;
    const session = await read(`/sessions/${String(ended)}`);
    const common = { transactionId: ended, chargerId, socketId: 1, rfidTag: idTag, meterStart: 1000, meterStop: 3500 };
    expect(session).toMatchObject({ ...common, consumptionWh: 2500, stopReason: 'Local', state: 'ended', siteId });
    const found = await legacy(world(), '/statistics/transactions', {
      method: 'POST',
      body: { startTime: begun.toISOString(), chargerIDs: [chargerId] },
    });
    const [first, second, ...more] = (found.json as { results: Json[] }).results;
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      ...common,
      consumptionWH: 2500,
      consumptionKWH: 2.5,
      stopReason: 'Local',
      groupId: siteId,
      groupName: 'A site',
      startTimeUTC: session['startTime'],
      endTimeUTC: session['endTime'],
    });
    expect(second).toMatchObject({ transactionId: ongoing, endTimeUTC: '', stopReason: '' });
    expect(second).not.toHaveProperty('meterStop');
  });

  // Each way to search is given in both APIs: what is found must be the same.
  it.each<[string, (day: Day) => string, (day: Day) => Json]>([
    ['charger', ({ chargerId }) => `chargerIds=${chargerId}`, ({ chargerId }) => ({ chargerIDs: [chargerId] })],
    ['site', ({ siteId }) => `siteIds=${String(siteId)}`, ({ siteId }) => ({ groupIDs: [siteId] })],
    ['tag', ({ idTag }) => `rfidTags=${idTag}`, ({ idTag }) => ({ rfidTags: [idTag.toUpperCase()] })],
    ['nobody', () => 'chargerIds=NOBODY', () => ({ chargerIDs: ['NOBODY'] })],
  ])('finds by %s the same sessions in both APIs', async (_what, query, body) => {
    const since = begun.toISOString();
    const list = await read(`/sessions?startTime=${since}&sortKey=startTime&${query(day)}`);
    const search = { startTime: since, ...body(day) };
    const found = await legacy(world(), '/statistics/transactions', { method: 'POST', body: search });
    const ids = (items: unknown) => (items as { transactionId: number }[]).map(({ transactionId }) => transactionId);
    expect(ids((found.json as Json)['results'])).toEqual(ids(list['items']));
    expect(list['totalRecords']).toBe(ids(list['items']).length);
  });

  it('finds sessions by search text and by state', async () => {
    const { chargerId, idTag, ended, ongoing } = day;
    const find = async (query: string) =>
      ((await read(`/sessions?sortKey=startTime&${query}`))['items'] as Json[]).map((item) => item['transactionId']);
    expect(await find(`search=${chargerId}`)).toEqual([ended, ongoing]);
    expect(await find(`search=${idTag.toLowerCase()}`)).toEqual([ended, ongoing]);
    expect(await find(`search=${String(ongoing)}`)).toEqual([ongoing]);
    expect(await find(`search=${chargerId}X`)).toEqual([]);
    expect(await find(`chargerIds=${chargerId}&state=ended`)).toEqual([ended]);
    expect(await find(`search=${idTag}&state=ongoing`)).toEqual([ongoing]);
    expect(await find(`chargerIds=${chargerId}&state=superseded`)).toEqual([]);
    expect((await v2(world(), '/sessions?state=over')).status).toBe(400);
  });

  it('lists the history of a charger page by page', async () => {
    const { chargerId, siteId, charger, ended, ongoing } = await liveThroughADay(world());
    const { transactionId } = await charger.start({ connectorId: 1, idTag: 'NOBODYS', meterStart: 9 });
    await charger.meter({ connectorId: 1, transactionId: ended, energyWh: 9500 });
    const lists = {
      sessions: { path: `/sessions?chargerIds=${chargerId}`, sortKey: 'startTime' },
      meterValues: { path: `/sessions/${String(ended)}/meter-values`, sortKey: 'receivedAt' },
      logs: { path: `/chargers/${chargerId}/ocpp-logs?messageTypes=StatusNotification`, sortKey: 'requestTimestamp' },
      states: { path: `/chargers/state-time-series?chargerIds=${chargerId}`, sortKey: 'at' },
    };
    const sessions = await expectPaged(world(), lists.sessions);
    expect(sessions.map((each) => each['transactionId'])).toEqual([ended, ongoing, transactionId]);
    const values = await eventually(() => expectPaged(world(), lists.meterValues));
    expect(values.map(({ message }) => JSON.stringify(message).includes('9500'))).toEqual([false, false, true]);
    expect(await expectPaged(world(), lists.logs)).toHaveLength(3);
    expect(await expectPaged(world(), lists.states)).toHaveLength(3);
    const sites = await read(
      `/sites/state-time-series?siteIds=${String(siteId)}&socketIds=2&limit=1&page=1&sortKey=id`,
    );
    expect(sites).toMatchObject({ page: 1, limit: 1, items: [{ siteId, countsByState: { Available: 1 } }] });
    for (const query of ['limit=0', 'limit=101', 'page=0', 'sortKey=rfidTag']) {
      expect((await v2(world(), `/sessions?${query}`)).status).toBe(400);
    }
    await charger.close();
  });

  it('stores meter values exactly as sent', async () => {
    const { items } = await eventually(async () => {
      const list = await read(`/sessions/${String(day.ended)}/meter-values`);
      return list['totalRecords'] === 2 ? (list as { items: { message: Json }[] }) : undefined;
    });
    expect(items.map(({ message }) => message['transactionId'])).toEqual([day.ended, day.ended]);
    expect(JSON.stringify(items[1]?.message)).toContain('2500');
  });

  it('counts the same network in both APIs', async () => {
    // Other test files may change the network between the two requests.
    const now = await eventually(async () => {
      const statistics = await read('/statistics');
      const before = (await legacy(world(), '/statistics')).json as Json;
      expect(before).toMatchObject({
        groups: statistics['sites'],
        chargers: statistics['chargers'],
        connectedChargers: statistics['connectedChargers'],
        sockets: statistics['sockets'],
        socketsByStatus: statistics['socketsByState'],
        transactionsInProgress: statistics['sessionsInProgress'],
        transactionsToday: statistics['sessionsToday'],
        energyTodayWh: statistics['energyTodayWh'],
      });
      return statistics;
    });
    expect(now['sessionsInProgress']).toBeGreaterThanOrEqual(1);
  });

  it('logs both frames of each exchange, commands included', async () => {
    const { chargerId, charger } = day;
    charger.answer('UnlockConnector', () => ({ status: 'Unlocked' }));
    await v2(world(), `/chargers/${chargerId}/unlock`, { method: 'POST', body: { socketId: 2 } });
    const path = `/chargers/${chargerId}/ocpp-logs`;
    const unlock = await eventually(async () => {
      const [found] = (await read(`${path}?messageTypes=UnlockConnector`))['items'] as Json[];
      return found;
    });
    expect(unlock).toMatchObject({ source: 'service', request: { connectorId: 2 }, response: { status: 'Unlocked' } });
    expect(Date.parse(String(unlock['requestTimestamp']))).toBeLessThanOrEqual(
      Date.parse(String(unlock['responseTimestamp'])),
    );
    const [start] = (await read(`${path}?messageTypes=StartTransaction&sortDescending=false`))['items'] as Json[];
    expect(start).toMatchObject({
      source: 'charger',
      request: { connectorId: 1 },
      response: { transactionId: day.ended },
    });
    expect((await read(`${path}?messageTypes=Heartbeat`))['totalRecords']).toBe(1);
    const all = Number((await read(path))['totalRecords']);
    expect((await read(`${path}?includeHeartbeats=true`))['totalRecords']).toBe(all + 1);
  });

  it('filters the log by time, and by text in a frame of either side', async () => {
    const path = `/chargers/${day.chargerId}/ocpp-logs?sortDescending=false`;
    const find = async (query: string) => (await read(`${path}&${query}`))['items'] as Json[];
    const typesOf = (items: readonly Json[]) => items.map(({ messageType }) => messageType);
    const all = await find('messageTypes=BootNotification,StartTransaction,StopTransaction');
    expect(typesOf(all)).toEqual(['BootNotification', 'StartTransaction', 'StopTransaction', 'StartTransaction']);
    const [boot, , stop, last] = all.map(({ requestTimestamp }) => String(requestTimestamp));
    const restricted = (query: string) => find(`messageTypes=BootNotification,StopTransaction&${query}`);
    expect(typesOf(await restricted(`endDate=${String(boot)}`))).toEqual(['BootNotification']);
    expect(typesOf(await restricted(`startDate=${String(stop)}`))).toEqual(['StopTransaction']);
    expect(await restricted(`startDate=${new Date(Date.parse(String(last)) + 1).toISOString()}`)).toEqual([]);
    expect(await find('endDate=2020-01-01T00:00:00Z')).toEqual([]);
    // A word of a request, and one that stands in an answer alone.
    expect(typesOf(await find('search=METERSTOP'))).toEqual(['StopTransaction']);
    await eventually(async () => {
      expect(typesOf(await find('search=heartbeatinterval'))).toEqual(['GetConfiguration']);
      return true;
    });
    expect(await find('search=nobody-says-this')).toEqual([]);
  });

  it('filters states by time, and includes subsites on request', async () => {
    const { chargerId, siteId } = day;
    const parent = await v2(world(), '/sites', { method: 'POST', body: { name: 'Above' } });
    const above = String((parent.json as { id: number }).id);
    const moved = await v2(world(), `/sites/${String(siteId)}`, {
      method: 'PATCH',
      body: { parentSiteId: Number(above) },
    });
    expect(moved.status).toBe(200);
    const series = async (query: string) =>
      (await read(`/chargers/state-time-series?${query}`)) as {
        items: { at: string; state: string; socketId: number }[];
      };
    const whole = await series(`chargerIds=${chargerId}`);
    const charging = whole.items.find(({ state }) => state === 'Charging')?.at ?? '';
    expect(whole.items.length).toBeGreaterThan(2);
    // `from` counts, `to` does not.
    const since = await series(`chargerIds=${chargerId}&socketIds=1&from=${charging}`);
    expect(since).toMatchObject({ from: charging, countsByState: { Charging: 1 }, items: [{ state: 'Charging' }] });
    const until = await series(`chargerIds=${chargerId}&socketIds=1&to=${charging}`);
    expect(until).toMatchObject({ to: charging, items: [{ state: 'Available' }] });
    expect((await series(`siteIds=${above}`)).items).toEqual([]);
    expect((await series(`siteIds=${above}&includeSubsites=true`)).items).toEqual(whole.items);
    const sites = async (query: string) =>
      (await read(`/sites/state-time-series?siteIds=${above}${query}`))['items'] as Json[];
    const counted = async (query: string) =>
      (await sites(query)).map(({ siteId: id, countsByState }) => [id, countsByState]);
    expect(await counted('&includeSubsites=true')).toContainEqual([siteId, expect.objectContaining({ Charging: 1 })]);
    expect(await counted('')).not.toContainEqual([siteId, expect.anything()]);
    expect(await counted(`&includeSubsites=true&from=2020-01-01T00:00:00Z&to=2020-01-08T00:00:00Z`)).not.toContainEqual(
      [siteId, expect.objectContaining({ Charging: 1 })],
    );
    expect((await v2(world(), `/sites/state-time-series?from=${charging}&to=2020-01-01T00:00:00Z`)).status).toBe(400);
  });

  it('lists the states of sockets', async () => {
    const { chargerId, siteId } = day;
    const series = await read(`/chargers/state-time-series?chargerIds=${chargerId}&socketIds=1`);
    const states = (series['items'] as { state: string }[]).map(({ state }) => state);
    expect(states).toEqual(['Available', 'Charging']);
    expect(series['countsByState']).toMatchObject({ Available: 1, Charging: 1 });
    const sites = await read(`/sites/state-time-series?siteIds=${String(siteId)}`);
    expect(sites['items']).toMatchObject([{ siteId, countsByState: { Available: 2, Charging: 1 } }]);
  });

  it('47. accepts a tag until it is blocked, without case (rule 61)', async () => {
    const { charger, idTag } = day;
    const authorize = async () => ((await charger.authorize(idTag.toLowerCase())) as { idTagInfo: Json }).idTagInfo;
    expect(await authorize()).toMatchObject({ status: 'Accepted' });
    const change = { method: 'PATCH', body: { blocked: true } };
    expect((await v2(world(), `/tags/${idTag.toUpperCase()}`, change)).status).toBe(200);
    expect(await authorize()).toMatchObject({ status: 'Blocked' });
    await v2(world(), `/tags/${idTag}`, { method: 'DELETE' });
    expect(await authorize()).toMatchObject({ status: 'Invalid' });
  });

  it('sends a command once for repeated requests with one Idempotency-Key', async () => {
    const { chargerId, charger } = day;
    let sent = 0;
    charger.answer('ClearCache', () => {
      sent += 1;
      return { status: sent === 1 ? 'Accepted' : 'Rejected' };
    });
    const headers = { 'idempotency-key': uniqueId('key') };
    const clear = () => v2(world(), `/chargers/${chargerId}/clear-cache`, { method: 'POST', headers, body: {} });
    const first = await clear();
    expect(first).toMatchObject({ status: 200, json: { status: 'Accepted' } });
    const again = await clear();
    expect([again.status, again.text, sent]).toEqual([200, first.text, 1]);
  });

  it('creates once for repeated requests with one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': uniqueId('key') };
    const call = { method: 'POST', headers, body: { name: uniqueId('Site') } };
    const first = await v2(world(), '/sites', call);
    const again = await v2(world(), '/sites', call);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(first.headers['ratelimit-policy']).toMatch(/^"key";q=\d+;w=2, "client";q=\d+;w=2$/);
    const other = await v2(world(), '/sites', { ...call, body: { name: 'Other' } });
    expect(other).toMatchObject({ status: 409, json: { code: 'idempotency_key_reused' } });
  });
});
