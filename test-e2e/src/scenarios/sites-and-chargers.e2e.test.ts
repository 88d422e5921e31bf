// Sites and chargers as integrators manage them, in both ways of running and through both APIs.
import { eventually } from '@busbar/testing';
import { inBothWorlds } from '../harness/in-both-worlds';
import { connect, legacy, readLegacy, readV2, registerCharger, uniqueId, v2 } from '../harness/world';
import { outcomeOf } from './parity';
import { makeSite } from './registry-parity';

inBothWorlds((world) => {
  const byV2 = (chargerId: string) => v2(world(), `/chargers/${chargerId}`, { method: 'DELETE' });
  const byLegacy = (chargerId: string) => legacy(world(), `/charger/${chargerId}`, { method: 'DELETE' });

  it.each([
    ['v2', 'ocpp1.6', byV2],
    ['v2', 'ocpp2.0.1', byV2],
    ['v2', 'ocpp2.1', byV2],
    ['the v1 API', 'ocpp1.6', byLegacy],
  ] as const)(
    '70. closes the socket of a charger deleted through %s that speaks %s, and refuses it from then on',
    async (_by, version, remove) => {
      const { chargerId } = await registerCharger(world());
      const charger = await connect(world(), chargerId, { subprotocols: [version] });
      await charger.ask('Heartbeat', {});
      await eventually(async () => (await readV2(world(), chargerId)).activeConnection);
      expect((await remove(chargerId)).json).toEqual({ chargerId });
      await charger.waitForClose();
      expect((await v2(world(), `/chargers/${chargerId}`)).status).toBe(404);
      await expect(connect(world(), chargerId)).rejects.toMatchObject({ status: 404 });
    },
  );

  it('starts a recreated charger clean, and keeps the sessions of its predecessor', async () => {
    const { chargerId, siteId } = await registerCharger(world());
    const charger = await connect(world(), chargerId);
    await charger.boot({ chargePointVendor: 'Former' });
    await charger.status(1, 'Available');
    const idTag = chargerId.slice(-20);
    await v2(world(), '/tags', { method: 'POST', body: { idTag } });
    const { transactionId } = await charger.start({ connectorId: 1, idTag, meterStart: 0 });
    expect(transactionId).toBeGreaterThan(0);
    await eventually(async () => (await readV2(world(), chargerId))['manufacturer'] === 'Former');
    await v2(world(), `/chargers/${chargerId}`, { method: 'DELETE' });
    const made = await v2(world(), '/chargers', { method: 'POST', body: { chargerId, name: 'Again', siteId } });
    const clean = { name: 'Again', manufacturer: '', sockets: [], activeConnection: false, lastSeen: null };
    expect(made.json).toMatchObject({ ...clean, ongoingTransactions: [], deviations: [] });
    await charger.waitForClose();
    expect(await readV2(world(), chargerId)).toMatchObject(clean);
    const session = await v2(world(), `/sessions/${String(transactionId)}`);
    expect(session.json).toMatchObject({ transactionId, chargerId, state: 'superseded' });

    const next = await connect(world(), chargerId);
    await next.boot({ chargePointVendor: 'Latter' });
    await eventually(async () => {
      const record = await readV2(world(), chargerId);
      expect(record).toMatchObject({ activeConnection: true, manufacturer: 'Latter', sockets: [] });
      return true;
    });
    await next.close();
  });

  it('never shows messages of a deleted charger in the record of its successor', async () => {
    const { chargerId, siteId } = await registerCharger(world());
    const charger = await connect(world(), chargerId);
    await charger.boot({ chargePointVendor: 'Former' });
    // It keeps sending while it is deleted and made again; what it says is answered or its socket is gone.
    const done = new AbortController();
    const speaking = (async () => {
      for (let connectorId = 1; !done.signal.aborted; connectorId = (connectorId % 8) + 1) {
        await charger.status(connectorId, 'Charging');
      }
    })().catch(() => undefined);
    for (let round = 0; round < 3; round += 1) {
      expect((await v2(world(), `/chargers/${chargerId}`, { method: 'DELETE' })).status).toBe(200);
      const body = { chargerId, name: `Round ${String(round)}`, siteId };
      expect((await v2(world(), '/chargers', { method: 'POST', body })).status).toBe(200);
    }
    await charger.waitForClose();
    done.abort();
    await speaking;
    const next = await connect(world(), chargerId);
    await next.status(1, 'Available');
    await eventually(async () => {
      const { sockets } = await readV2(world(), chargerId);
      return (sockets as unknown[]).length > 0;
    });
    const record = await readV2(world(), chargerId);
    expect(record).toMatchObject({ name: 'Round 2', manufacturer: '', sockets: [{ id: 1, status: 'Available' }] });
    expect(await readLegacy(world(), chargerId)).toMatchObject({ amountOfSockets: 1, manufacturer: '' });
    await next.close();
  });

  it('makes no cycle of sites that are moved below each other at once, through both APIs', async () => {
    const ids = await Promise.all(
      Array.from({ length: 6 }, (_, i) => makeSite(world(), { name: `Ring ${String(i)}` })),
    );
    const replies = await Promise.all(
      ids.map((id, i) => {
        const parent = ids[(i + 1) % ids.length];
        return i % 2 === 0
          ? v2(world(), `/sites/${String(id)}`, { method: 'PATCH', body: { parentSiteId: parent } })
          : legacy(world(), `/group/${String(id)}`, { method: 'PUT', body: { parentGroupId: parent } });
      }),
    );
    const outcomes = replies.map(outcomeOf).sort();
    expect(outcomes).toEqual(['200', '200', '200', '200', '200', '409 site_circle']);
  });

  it('refuses a lost update, and does not count reports of a charger as one', async () => {
    const { chargerId } = await registerCharger(world());
    const charger = await connect(world(), chargerId);
    const path = `/chargers/${chargerId}`;
    const etag = String((await v2(world(), path)).headers['etag']);
    await charger.boot();
    await eventually(async () => (await readV2(world(), chargerId))['manufacturer'] !== '');
    const change = (name: string) =>
      v2(world(), path, { method: 'PATCH', body: { name }, headers: { 'if-match': etag } });
    const outcomes = (await Promise.all([change('A'), change('B'), change('C')])).map(outcomeOf).sort();
    expect(outcomes).toEqual(['200', '412 precondition_failed', '412 precondition_failed']);
    expect(await readV2(world(), chargerId)).toMatchObject({ activeConnection: true, manufacturer: 'Example' });
    await charger.close();
  });

  it('refuses a lost update of a site with If-Match; without it the last writer wins', async () => {
    const id = await makeSite(world(), { name: 'Before' });
    const path = `/sites/${String(id)}`;
    const read = await v2(world(), path);
    const etag = String(read.headers['etag']);
    const ask = (ifMatch: string, method: string, body?: object) =>
      v2(world(), path, { method, headers: { 'if-match': ifMatch }, ...(body && { body }) });
    const replies = await Promise.all(['A', 'B', 'C'].map((name) => ask(etag, 'PATCH', { name })));
    expect(replies.map(outcomeOf).sort()).toEqual(['200', '412 precondition_failed', '412 precondition_failed']);
    const won = replies.find(({ status }) => status === 200);
    const now = await v2(world(), path);
    expect([now.json, now.headers['etag']]).toEqual([won?.json, won?.headers['etag']]);
    expect(now.headers['etag']).not.toBe(etag);

    const changed = await legacy(world(), `/group/${String(id)}`, { method: 'PUT', body: { name: 'Older' } });
    expect(changed.status).toBe(200);
    const stale = String(now.headers['etag']);
    expect(outcomeOf(await ask(stale, 'PATCH', { name: 'Lost' }))).toBe('412 precondition_failed');
    expect(outcomeOf(await ask(stale, 'DELETE'))).toBe('412 precondition_failed');
    expect((await v2(world(), path)).json).toMatchObject({ name: 'Older' });
    const last = await v2(world(), path, { method: 'PATCH', body: { name: 'Last' } });
    expect(last).toMatchObject({ status: 200, json: { name: 'Last' } });
    expect((await ask(String(last.headers['etag']), 'DELETE')).json).toEqual({ id });
  });

  it('finds chargers by what they report, and counts their sockets in the tree of groups', async () => {
    const prefix = uniqueId('FIND');
    const root = await makeSite(world(), { name: 'Root', externalId: prefix });
    const sub = await makeSite(world(), { name: 'Sub', parentSiteId: root });
    const [busy, idle] = [`${prefix}_busy`, `${prefix}_idle`];
    for (const chargerId of [busy, idle]) {
      const made = await v2(world(), '/chargers', {
        method: 'POST',
        body: { chargerId, name: chargerId, siteId: sub },
      });
      expect(made.status).toBe(200);
    }
    const charger = await connect(world(), busy);
    await charger.boot({ chargePointVendor: prefix, chargePointModel: 'M9' });
    await charger.status(1, 'Charging');
    await charger.status(2, 'Faulted');
    const find = async (query: string): Promise<unknown[]> => {
      const { items } = (await v2(world(), `/chargers?${query}`)).json as { items: { chargerId: string }[] };
      return items.map(({ chargerId }) => chargerId);
    };
    await eventually(async () => (await find(`manufacturer=${prefix}&state=Charging`)).length === 1);
    expect(await find(`search=${prefix.toLowerCase()}`)).toEqual([busy, idle]);
    expect(await find(`search=${prefix}&activeConnection=true&model=M9`)).toEqual([busy]);
    expect(await find(`search=${prefix}&ocppVersion=ocpp1.6`)).toEqual([busy]);
    expect(await find(`search=${prefix}&ocppVersion=ocpp2.0.1`)).toEqual([]);
    expect(await find(`siteId=${String(sub)}&state=Offline`)).toEqual([idle]);
    expect(await find(`externalSiteId=${prefix}`)).toEqual([]);
    expect(await find(`externalSiteId=${prefix}&includeSubsites=true&sortDescending=true`)).toEqual([idle, busy]);
    const tree = (await legacy(world(), `/group/${String(root)}`)).json as { subgroups: unknown[] };
    expect(tree.subgroups).toMatchObject([
      {
        id: sub,
        onlineSocket: 1,
        offlineSocket: 0,
        errorSocket: 1,
        chargers: [{ chargerId: busy }, { chargerId: idle }],
      },
    ]);
    await charger.close();
  });
});
