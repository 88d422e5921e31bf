// Chargers that speak OCPP 2.x, against the service as a whole: every message is answered, and both APIs show the charger.
import { protocolOf, STRICT, validateResponse, type Protocol } from '@busbar/ocpp';
import { eventually, minimalPayload, type ScriptedCharger } from '@busbar/testing';
import { openAllInOne, type AllInOneWorld } from './testing/open-all-in-one';

const VERSIONS = ['ocpp2.0.1', 'ocpp2.1'] as const;
const BOOT = {
  reason: 'PowerUp',
  chargingStation: {
    vendorName: 'Vendor',
    model: 'Model',
    serialNumber: 'S-1',
    firmwareVersion: '1.2',
    modem: { iccid: 'I', imsi: 'M' },
  },
};
const TX_PROFILE = {
  chargingProfileId: 3,
  stackLevel: 0,
  chargingProfilePurpose: 'TxProfile',
  chargingProfileKind: 'Relative',
  chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 6 }] },
};

let world: AllInOneWorld;
beforeAll(async () => {
  world = await openAllInOne();
});
afterAll(() => world.close());

async function connected(version: string): Promise<{ id: string; charger: ScriptedCharger }> {
  const id = await world.register();
  return { id, charger: await world.connect(id, { subprotocols: [...new Set([version, 'ocpp1.6'])] }) };
}

function spoken(version: string): Protocol {
  const protocol = protocolOf(version);
  if (protocol === undefined) throw new Error(`there is no ${version}`);
  return protocol;
}

/** The service asks for the configuration beside it. */
const lastCall = ({ received }: ScriptedCharger, name: string) => received.findLast(({ action }) => action === name);

const record = async (id: string) => (await world.v2('GET', `/chargers/${id}`)).json();

describe.each(VERSIONS)('a charger that speaks %s', (version) => {
  it('105. is connected with its version, and shown in both APIs', async () => {
    const { id, charger } = await connected(version);
    expect(charger.subprotocol).toBe(version);
    await charger.ask('BootNotification', BOOT);
    await charger.ask('Heartbeat', {});
    const shown = await eventually(async () => {
      const found = await record(id);
      return found['model'] === null ? undefined : found;
    });
    expect(shown).toMatchObject({
      activeConnection: true,
      ocppVersion: version,
      manufacturer: 'Vendor',
      model: 'Model',
      serial: 'S-1',
      firmware: '1.2',
    });
    expect(shown['lastSeen']).not.toBeNull();
    const legacy = (await world.legacy('GET', `/charger/${id}`)).json();
    expect(JSON.stringify(legacy)).toContain(version);
  });

  it('141. gets the same verdict on another token when it sends an event again after a reconnect', async () => {
    const { id, charger } = await connected(version);
    await charger.v2.boot();
    const [own, other] = [`${id}A`, `${id}B`];
    for (const idTag of [own, other]) await world.v2('POST', '/tags', { idTag });
    const transaction = { transactionId: id, evse: { id: 1, connectorId: 1 } };
    await charger.v2.transaction({ ...transaction, eventType: 'Started', seqNo: 0, idToken: own });
    const timestamp = new Date().toISOString();
    const stop = { ...transaction, eventType: 'Ended', seqNo: 1, idToken: other, timestamp } as const;
    const answer = await charger.v2.transaction(stop);
    expect(answer).toEqual({ idTokenInfo: { status: 'Accepted' } });
    expect((await world.v2('PATCH', `/tags/${other}`, { blocked: true })).status).toBe(200);
    await charger.close();
    const again = await world.connect(id, { subprotocols: [version] });
    await again.v2.boot();
    expect(await again.v2.transaction(stop)).toEqual(answer);
    expect(await again.v2.transaction({ ...stop, transactionId: `${id}-2` })).toEqual({
      idTokenInfo: { status: 'Blocked' },
    });
  });

  describe('with a message of each kind', () => {
    const { actions, schemas } = spoken(version);
    const rows = [...actions.values()];
    const named = (fits: (row: (typeof rows)[number]) => boolean) => rows.filter(fits).map(({ name }) => name);
    const fromCharger = named(({ from, kind }) => from !== 'us' && kind !== 'send');
    const minimal = (name: string, side: 'request' | 'response' = 'request') =>
      minimalPayload(schemas.get(name)?.[side].schema ?? {});
    let id: string;
    let charger: ScriptedCharger;
    beforeAll(async () => {
      ({ id, charger } = await connected(version));
      await charger.ask('BootNotification', BOOT);
      await eventually(() => world.isActive(id));
    });

    it.each(fromCharger)('126. gets an answer to %s that fits its schema', async (name) => {
      const answer = await charger.ask(name, minimal(name));
      expect(validateResponse(spoken(version), name, answer, STRICT)).toMatchObject({ ok: true });
    });

    it.each(named(({ from }) => from !== 'charger'))('130. is sent %s by POST /calls', async (name) => {
      const [payload, answer] = [minimal(name), minimal(name, 'response')];
      charger.answer(name, () => answer);
      const reply = await world.v2('POST', `/chargers/${id}/calls`, { action: name, payload });
      expect([reply.status, reply.json()['payload']]).toEqual([200, answer]);
      // Busbar has questions of its own after a boot, which may come last.
      expect(charger.received).toContainEqual(expect.objectContaining({ action: name, payload }));
    });

    it('126. has each message in its log, and stays connected', async () => {
      for (const name of fromCharger) await charger.ask(name, minimal(name));
      expect(charger.closed()).toBeUndefined();
      await eventually(async () => {
        const { items } = (await world.v2('GET', `/chargers/${id}/ocpp-logs?limit=100`)).json() as {
          items: readonly { readonly messageType: string }[];
        };
        const logged = new Set(items.map(({ messageType }) => messageType));
        return fromCharger.every((name) => logged.has(name) || name === 'Heartbeat');
      });
    });

    it('130. is sent no action by POST /calls that its schema or its version does not have', async () => {
      const bad = await world.v2('POST', `/chargers/${id}/calls`, { action: 'Reset', payload: { type: 'Soft' } });
      expect([bad.status, bad.json()]).toMatchObject([400, { code: 'invalid_request' }]);
      const other = await world.v2('POST', `/chargers/${id}/calls`, { action: 'ChangeConfiguration', payload: {} });
      expect([other.status, other.json()]).toMatchObject([409, { code: 'not_supported_by_version' }]);
    });
  });

  it('133. shows the sockets that it reports by status or by event, and itself, in both APIs', async () => {
    const { id, charger } = await connected(version);
    await charger.v2.boot();
    await charger.v2.status(1, 1, 'Available');
    await charger.v2.status(1, 2, 'Faulted');
    const timestamp = new Date().toISOString();
    const component = { name: 'Connector', evse: { id: 2, connectorId: 1 } };
    const event = { eventId: 1, timestamp, trigger: 'Delta', actualValue: 'Occupied', component };
    const eventData = [
      { ...event, eventNotificationType: 'HardWiredNotification', variable: { name: 'AvailabilityState' } },
    ];
    expect(await charger.ask('NotifyEvent', { generatedAt: timestamp, seqNo: 0, eventData })).toEqual({});
    const sockets = await eventually(async () => {
      const shown = (await record(id))['sockets'] as readonly Readonly<Record<string, unknown>>[];
      return shown.length === 3 && shown;
    });
    expect(sockets).toMatchObject([
      { id: 1, status: 'Available', deviceEvseId: 1, deviceConnectorId: 1 },
      { id: 2, status: 'Preparing', deviceEvseId: 2, deviceConnectorId: 1 },
      { id: 102, status: 'Error', deviceEvseId: 1, deviceConnectorId: 2 },
    ]);
    expect(JSON.stringify((await world.legacy('GET', `/charger/${id}`)).json())).toContain('Preparing');
  });

  it('134. has EVSEs with the states of their sockets, or their own', async () => {
    const { id, charger } = await connected(version);
    await charger.v2.boot();
    await charger.v2.status(1, 1, 'Available');
    await charger.v2.status(1, 2, 'Occupied');
    await charger.v2.status(2, 1, 'Available');
    const timestamp = new Date().toISOString();
    const event = { timestamp, trigger: 'Delta', eventNotificationType: 'HardWiredNotification' };
    const variable = { name: 'AvailabilityState' };
    const evse = { name: 'EVSE', evse: { id: 2 } };
    const lock = { name: 'ConnectorPlugRetentionLock', evse: { id: 2, connectorId: 1 } };
    const eventData = [
      { ...event, eventId: 1, component: evse, variable, actualValue: 'Unavailable' },
      { ...event, eventId: 2, component: lock, variable: { name: 'Problem' }, actualValue: 'true', techCode: 'L7' },
    ];
    expect(await charger.ask('NotifyEvent', { generatedAt: timestamp, seqNo: 0, eventData })).toEqual({});
    const evses = await eventually(async () => {
      const shown = (await world.v2('GET', `/chargers/${id}/evses`)).json() as unknown as readonly unknown[];
      return JSON.stringify(shown).includes('Unavailable') && shown;
    });
    expect(evses).toEqual([
      { evseId: 1, state: 'Preparing', sockets: [1, 102] },
      { evseId: 2, state: 'Unavailable', sockets: [2] },
    ]);
    const { sockets } = await record(id);
    expect(sockets).toMatchObject([{}, { id: 2, status: 'Available', errorCode: 'L7' }, {}]);
  });

  // The source is TC_B_30 and TC_B_31 of OCPP 2.0.1 Part 6, not a requirement of Part 2.
  it('123. boots as its owner decides, and again when it is accepted', async () => {
    const { id, charger } = await connected(version);
    const patch = (admission: string) => world.v2('PATCH', `/chargers/${id}`, { admission });
    expect((await patch('pending')).json()).toMatchObject({ admission: 'pending', bootReason: null });
    expect(await charger.ask('BootNotification', BOOT)).toMatchObject({ status: 'Pending', interval: 300 });
    expect(await charger.call('Heartbeat', {})).toMatchObject({ kind: 'error', code: 'SecurityError' });
    const triggered = new Promise((resolve) =>
      charger.answer('TriggerMessage', (payload) => {
        resolve(payload);
        return { status: 'Accepted' };
      }),
    );
    expect((await patch('accept')).status).toBe(200);
    expect(await triggered).toEqual({ requestedMessage: 'BootNotification' });
    expect(await charger.ask('BootNotification', { ...BOOT, reason: 'Triggered' })).toMatchObject({
      status: 'Accepted',
    });
    await charger.ask('Heartbeat', {});
    await eventually(async () => (await record(id))['bootReason'] === 'Triggered');
    await patch('reject');
    expect(await charger.ask('BootNotification', BOOT)).toMatchObject({ status: 'Rejected' });
    expect(await charger.call('Heartbeat', {})).toMatchObject({ kind: 'error', code: 'SecurityError' });
  });

  it('175. is spoken by the scripted charger: boot, status, tag and transaction are answered', async () => {
    const { charger } = await connected(version);
    expect(await charger.v2.boot()).toMatchObject({ status: 'Accepted' });
    expect(await charger.v2.status(1, 1, 'Occupied')).toEqual({});
    expect(await charger.v2.authorize('TAG')).toMatchObject({ idTokenInfo: { status: 'Unknown' } });
    const event = { transactionId: 'T', evse: { id: 1, connectorId: 1 } };
    const started = await charger.v2.transaction({ ...event, eventType: 'Started', seqNo: 0, idToken: 'TAG' });
    expect(started).toHaveProperty('idTokenInfo');
    expect(await charger.v2.transaction({ ...event, eventType: 'Ended', seqNo: 1, energyWh: 1_000 })).toEqual({});
  });

  it('139. is shown with its sessions and their meter values in both APIs; 64. begun while offline or not', async () => {
    const { id, charger } = await connected(version);
    await world.v2('POST', '/tags', { idTag: `TAG-${id}` });
    await charger.v2.boot();
    const event = { transactionId: 'T-1', evse: { id: 1, connectorId: 1 } };
    const charging = { transactionInfo: { chargingState: 'Charging' }, energyWh: 2_500.5 };
    // The end of a transaction of before, whose start comes last.
    const early = { transactionId: 'T-0', evse: { id: 1 }, offline: true };
    const [from, to] = [new Date(Date.now() - 900_000).toISOString(), new Date(Date.now() - 600_000).toISOString()];
    const last = { ...early, eventType: 'Ended' as const, seqNo: 1, timestamp: to, energyWh: 900 };
    expect(await charger.v2.transaction(last)).toEqual({});
    const idToken = `TAG-${id}`;
    const started = await charger.v2.transaction({
      ...event,
      eventType: 'Started',
      seqNo: 0,
      idToken,
      energyWh: 1_000,
    });
    expect(started).toEqual({ idTokenInfo: { status: 'Accepted' } });
    expect(await charger.v2.transaction({ ...event, eventType: 'Updated', seqNo: 1, ...charging })).toEqual({});
    await charger.v2.transaction({ ...early, eventType: 'Started', seqNo: 0, timestamp: from, energyWh: 400, idToken });
    const shown = await eventually(async () => {
      const found = await record(id);
      const [socket] = found['sockets'] as readonly Readonly<Record<string, unknown>>[];
      return socket?.['status'] === 'Charging' && found;
    });
    expect(shown['ongoingTransactions']).toMatchObject([{ socketId: 1, evseTransactionId: 'T-1' }]);
    const sessionsOf = async () =>
      (await world.v2('GET', `/sessions?chargerIds=${id}&sortKey=startTime`)).json()['items'] as readonly Readonly<
        Record<string, unknown>
      >[];
    const both = await eventually(async () => {
      const items = await sessionsOf();
      return items.every(({ startKnown }) => startKnown) && items.length === 2 && items;
    });
    const byId = new Map(both.map((session) => [session['deviceTransactionId'], session]));
    expect(byId.get('T-0')).toMatchObject({
      state: 'ended',
      consumptionWh: 500,
      startedOffline: true,
      rfidTag: idToken,
    });
    expect(byId.get('T-1')).toMatchObject({
      state: 'ongoing',
      chargingState: 'Charging',
      meterStart: 1_000,
      evseId: 1,
    });
    const transactionId = String(byId.get('T-1')?.['transactionId']);
    const values = (await world.v2('GET', `/sessions/${transactionId}/meter-values`)).json()['items'];
    expect(values).toHaveLength(2);
    // Sent again, as after a lost answer.
    await charger.v2.transaction({ ...early, eventType: 'Started', seqNo: 0, timestamp: from, energyWh: 400, idToken });
    const earlier = String(byId.get('T-0')?.['transactionId']);
    const events = (await world.v2('GET', `/sessions/${earlier}/events`)).json();
    expect(events['items']).toMatchObject([
      { seqNo: 0, eventType: 'Started', offline: true, timestamp: from },
      { seqNo: 1, eventType: 'Ended', offline: true, timestamp: to },
    ]);
    await charger.v2.transaction({ ...event, eventType: 'Ended', seqNo: 2, energyWh: 3_000.25 });
    await eventually(async () => ((await sessionsOf()).every(({ state }) => state === 'ended') ? true : undefined));
    const ended = (await world.v2('GET', `/sessions/${transactionId}`)).json();
    expect(ended).toMatchObject({
      meterStop: 3_000.25,
      consumptionWh: 2_000.25,
      stopReason: 'Local',
      missingEvents: [],
    });
    const legacy = (
      await world.legacy('POST', '/statistics/transactions', {
        startTimeSearchEnd: new Date(Date.now() + 60_000).toISOString(),
        chargerIDs: [id],
      })
    ).json();
    expect(JSON.stringify(legacy)).toContain('2000.25');
  });

  it('129. starts and stops a session by the commands of the API, which both name', async () => {
    const { id, charger } = await connected(version);
    await world.v2('POST', '/tags', { idTag: `REMOTE-${id}` });
    await charger.v2.boot();
    await eventually(() => world.isActive(id));
    charger.answer('RequestStartTransaction', () => ({ status: 'Accepted' }));
    charger.answer('RequestStopTransaction', () => ({ status: 'Accepted' }));
    const rfidTag = `REMOTE-${id}`;
    const start = await world.v2('POST', `/chargers/${id}/start-charging`, { rfidTag, socketId: 1 });
    expect(start.json()).toMatchObject({ status: 'Accepted' });
    const { remoteStartId } = lastCall(charger, 'RequestStartTransaction')?.payload ?? {};
    // A remote start names an EVSE, and the session begins at any connector of it.
    const event = { transactionId: 'T-R', evse: { id: 1, connectorId: 2 }, idToken: rfidTag };
    const transactionInfo = { remoteStartId };
    await charger.v2.transaction({ ...event, eventType: 'Started', seqNo: 0, transactionInfo });
    const [ongoing] = await eventually(async () => {
      const found = (await record(id))['ongoingTransactions'] as readonly { readonly transactionId: number }[];
      return found.length === 1 && found;
    });
    const transactionId = ongoing?.transactionId;
    const missing = await world.v2('POST', `/chargers/${id}/stop-transaction`, { transactionId: 2_000_000_000 });
    expect(missing.status).toBe(404);
    charger.answer('SetChargingProfile', () => ({ status: 'Accepted' }));
    await world.v2('POST', `/chargers/${id}/charging-profile`, { socketId: 1, chargingProfile: TX_PROFILE });
    const { chargingProfile } = lastCall(charger, 'SetChargingProfile')?.payload ?? {};
    expect(chargingProfile).toMatchObject({ chargingProfilePurpose: 'TxProfile', transactionId: 'T-R' });
    charger.answer('CostUpdated', () => ({}));
    const cost = await world.v2('POST', `/sessions/${String(transactionId)}/cost`, { totalCost: 12.5 });
    expect([cost.status, cost.json()]).toMatchObject([200, { transactionId, status: 'Accepted' }]);
    expect(lastCall(charger, 'CostUpdated')).toMatchObject({ payload: { transactionId: 'T-R', totalCost: 12.5 } });
    const stop = await world.v2('POST', `/chargers/${id}/stop-transaction`, { transactionId });
    expect(lastCall(charger, 'RequestStopTransaction')).toMatchObject({ payload: { transactionId: 'T-R' } });
    await charger.v2.transaction({ ...event, eventType: 'Ended', seqNo: 1, triggerReason: 'RemoteStop' });
    const ended = await eventually(async () => {
      const session = (await world.v2('GET', `/sessions/${String(transactionId)}`)).json();
      return session['state'] === 'ended' && session;
    });
    const { commandId: stopCommandId } = stop.json();
    const { commandId } = start.json();
    expect(ended).toMatchObject({ startedBy: 'remote', commandId, stopCommandId, stopReason: 'Remote' });
  });

  it('129. obeys the commands of both APIs that are built, by its own actions', async () => {
    const { id, charger } = await connected(version);
    await charger.v2.boot();
    await eventually(() => world.isActive(id));
    expect((await world.v2('POST', `/chargers/${id}/reset`, { type: 'Soft' })).json()).toMatchObject({
      status: 'Accepted',
    });
    expect(lastCall(charger, 'Reset')).toMatchObject({ payload: { type: 'OnIdle' } });
    await world.legacy('POST', `/charger/reboot/${id}`, { type: 'Hard' });
    expect(lastCall(charger, 'Reset')).toMatchObject({ payload: { type: 'Immediate' } });
    await world.v2('POST', `/chargers/${id}/availability`, { type: 'Inoperative', socketId: 2 });
    const payload = { operationalStatus: 'Inoperative', evse: { id: 2, connectorId: 1 } };
    expect(lastCall(charger, 'ChangeAvailability')).toMatchObject({ payload });
    charger.answer('ReserveNow', () => ({ status: 'Accepted' }));
    const card = `CARD-${id}`;
    await world.v2('POST', '/tags', { idTag: card, type: 'ISO14443' });
    const reservation = { rfidTag: card, expiresAt: '2035-01-01T00:00:00.000Z' };
    await world.v2('POST', `/chargers/${id}/reservations`, reservation);
    expect(lastCall(charger, 'ReserveNow')).toMatchObject({
      payload: { idToken: { idToken: card, type: 'ISO14443' } },
    });
    const bad = await world.v2('POST', `/chargers/${id}/unlock`, { socketId: 100 });
    expect([bad.status, bad.json()]).toMatchObject([400, { code: 'invalid_request' }]);
  });

  it('129. sets variables by the configuration of both APIs, and shows what the charger reports', async () => {
    const { id, charger } = await connected(version);
    await charger.v2.boot();
    await eventually(() => world.isActive(id));
    const variable = { component: { name: 'OCPPCommCtrlr' }, variable: { name: 'HeartbeatInterval' } };
    charger.answer('SetVariables', () => ({ setVariableResult: [{ attributeStatus: 'Accepted', ...variable }] }));
    const change = { configName: 'HeartbeatInterval', configValue: '77' };
    const changed = await world.v2('PATCH', `/chargers/${id}/configuration`, change);
    expect([changed.status, changed.json()]).toMatchObject([200, { status: 'Accepted' }]);
    const attribute = { value: 'ocpp2', mutability: 'ReadOnly' };
    const reportData = [{ component: { name: 'A' }, variable: { name: 'B' }, variableAttribute: [attribute] }];
    await charger.ask('NotifyReport', { requestId: 1, generatedAt: new Date().toISOString(), seqNo: 0, reportData });
    const shown = await eventually(async () => {
      const items = (await record(id))['chargerConfigurations'] as readonly object[];
      return items.length === 2 && items;
    });
    expect(shown).toMatchObject([
      { configName: 'OCPPCommCtrlr.HeartbeatInterval', configValue: '77' },
      { configName: 'A.B', configValue: 'ocpp2', canBeChanged: false },
    ]);
    charger.answer('GetLocalListVersion', () => ({ versionNumber: 4 }));
    const list = await world.v2('GET', `/chargers/${id}/local-list/version`);
    expect(list.json()).toMatchObject({ listVersion: 4 });
  });

  it('129. reads and changes several variables, and is asked about a session', async () => {
    const { id, charger } = await connected(version);
    await charger.v2.boot();
    await eventually(() => world.isActive(id));
    const [component, variable] = [{ name: 'AuthCtrlr' }, { name: 'LocalPreAuthorize' }];
    const asked = { component, variable, attributeStatus: 'Accepted' };
    charger.answer('GetVariables', () => ({ getVariableResult: [{ ...asked, attributeValue: 'true' }] }));
    charger.answer('SetVariables', () => ({ setVariableResult: [{ ...asked, attributeStatus: 'Rejected' }] }));
    charger.answer('GetTransactionStatus', () => ({ messagesInQueue: false }));
    const shown = { name: 'AuthCtrlr.LocalPreAuthorize', attributeType: 'Actual' };
    const variables = [{ component: 'AuthCtrlr', variable: 'LocalPreAuthorize' }, 'LocalPreAuthorize'];
    const read = await world.v2('POST', `/chargers/${id}/variables/read`, { variables });
    expect([read.status, read.json()]).toEqual([200, [{ ...shown, value: 'true', status: 'Accepted' }]]);
    const change = { variables: [{ name: 'LocalPreAuthorize', value: 'false' }] };
    const changed = await world.v2('PATCH', `/chargers/${id}/variables`, change);
    expect([changed.status, changed.json()]).toEqual([200, [{ ...shown, status: 'Rejected', statusInfo: null }]]);
    const none = await world.v2('POST', `/chargers/${id}/transaction-status`, {});
    expect([none.status, none.json()]).toMatchObject([200, { ongoing: null, messagesInQueue: false }]);
    const unknown = await world.v2('POST', `/chargers/${id}/transaction-status`, { transactionId: 999_999 });
    expect([unknown.status, unknown.json()]).toMatchObject([404, { code: 'not_found' }]);
    const cost = await world.v2('POST', '/sessions/999999/cost', { totalCost: 1 });
    expect([cost.status, cost.json()]).toMatchObject([404, { code: 'not_found' }]);
    const bad = await world.v2('POST', `/chargers/${id}/variables/read`, { variables: ['Nothing'] });
    expect([bad.status, bad.json()]).toMatchObject([400, { errors: [{ path: '/variables/0/name' }] }]);
    const invalid = await world.v2('POST', `/chargers/${id}/variables/read`, { variables: [7] });
    expect([invalid.status, invalid.json()]).toMatchObject([400, { code: 'invalid_request' }]);
  });

  it('168. reports its whole configuration on request, or refuses; 66. in parts in any order', async () => {
    const { id, charger } = await connected(version);
    await charger.v2.boot();
    await eventually(() => world.isActive(id));
    const refresh = (query = '') => world.v2('GET', `/chargers/${id}/configuration?refresh=true${query}`);
    const part = (requestId: unknown, seqNo: number, name: string, tbc: boolean) =>
      charger.ask('NotifyReport', {
        requestId,
        generatedAt: new Date().toISOString(),
        seqNo,
        tbc,
        reportData: [{ component: { name: 'C' }, variable: { name }, variableAttribute: [{ value: name }] }],
      });
    charger.answer('GetBaseReport', ({ requestId }) => {
      void part(requestId, 1, 'Last', false).then(() => part(requestId, 0, 'First', true));
      return { status: 'Accepted' };
    });
    const whole = await refresh();
    expect([whole.status, whole.json()]).toMatchObject([200, { status: 'Accepted', unknownConfigNames: [] }]);
    const names = (whole.json()['chargerConfigurations'] as readonly { configName: string }[]).map(
      (each) => each.configName,
    );
    expect(names).toEqual(expect.arrayContaining(['C.First', 'C.Last']));
    charger.answer('GetBaseReport', () => ({ status: 'EmptyResultSet' }));
    expect((await refresh()).json()).toMatchObject({ status: 'EmptyResultSet', chargerConfigurations: [] });
    charger.answer('GetBaseReport', () => ({ status: 'NotSupported' }));
    const refused = (await refresh()).json();
    expect(refused).toMatchObject({ status: 'NotSupported' });
    expect(refused['chargerConfigurations']).toHaveLength(2);
    charger.answer('GetBaseReport', ({ requestId }) => {
      void part(requestId, 1, 'Third', false);
      return { status: 'Accepted' };
    });
    const late = await refresh('&timeoutS=1');
    expect([late.status, late.json()]).toMatchObject([504, { code: 'charger_timeout' }]);
  });
});

it.each([...VERSIONS, 'ocpp1.6'])('166. shows what OCPP 2.x adds to records, of a charger of %s', async (version) => {
  const { id, charger } = await connected(version);
  const idTag = `NEW-${id.slice(-8)}`;
  const tag = await world.v2('POST', '/tags', { idTag, type: 'ISO14443' });
  expect(tag.json()).toMatchObject({ type: 'ISO14443' });
  const is16 = version === 'ocpp1.6';
  if (is16) {
    await charger.boot();
    await charger.status(1, 'Charging');
    await charger.start({ idTag });
  } else {
    await charger.ask('BootNotification', BOOT);
    const event = { transactionId: 'T-1', evse: { id: 1, connectorId: 2 }, idToken: idTag };
    const transactionInfo = { chargingState: 'Charging', timeSpentCharging: 5 };
    await charger.v2.transaction({ ...event, eventType: 'Started', seqNo: 0 });
    await charger.v2.transaction({ ...event, eventType: 'Updated', seqNo: 2, transactionInfo });
  }
  const session = await eventually(async () => {
    const { items } = (await world.v2('GET', `/sessions?chargerIds=${id}`)).json();
    const [found] = items as readonly Readonly<Record<string, unknown>>[];
    return (is16 || found?.['chargingState'] === 'Charging') && found;
  });
  const of16 = { deviceTransactionId: null, evseId: null, connectorId: null, idTokenType: null, chargingState: null };
  const ofTransaction = { deviceTransactionId: 'T-1', evseId: 1, connectorId: 2, idTokenType: 'ISO14443' };
  expect(session).toMatchObject(
    is16
      ? { ...of16, timeSpentChargingS: null, startKnown: null, missingEvents: null }
      : { ...ofTransaction, chargingState: 'Charging', timeSpentChargingS: 5, startKnown: true, missingEvents: [1] },
  );
  const own = { admission: 'accept', securityProfile: 0, bootReason: is16 ? null : 'PowerUp' };
  const place = is16 ? { deviceEvseId: null, deviceConnectorId: 1 } : { deviceEvseId: 1, deviceConnectorId: 2 };
  const ongoingTransactions = [{ evseTransactionId: is16 ? null : 'T-1' }];
  expect(await record(id)).toMatchObject({ ...own, ongoingTransactions, sockets: [place] });
});
