// Cases of the certification tests for a central system of OCPP 2.0.1 (OCA, Part 6 of 2023-06-30), named by their ids: a scripted charger on
// a real socket on one side, the v2 API as the operator on the other. The texts of the cases are their owner's: each test says in its own
// words what it does. Part 6 was not to be had here; what a case is about comes from published lists of the ids.
import { eventually, UpgradeRejected, type ScriptedCharger } from '@busbar/testing';
import { openAllInOne, type AllInOneWorld } from './testing/open-all-in-one';
import { newTag, openStation, VERSION, type Json, type Station } from './testing/open-station';

const PASSWORD = 'a first password 1';
const NEXT_PASSWORD = 'a second password 2';

let world: AllInOneWorld;
beforeAll(async () => {
  world = await openAllInOne();
});
afterAll(() => world.close());

const station = (): Promise<Station> => openStation(world);
const tag = (fields: object = {}): Promise<string> => newTag(world, fields);
const connect = (id: string, options: object = {}) => world.connect(id, { subprotocols: [VERSION], ...options });

const verdict = async ({ charger }: Station, idTag: string): Promise<unknown> =>
  ((await charger.v2.authorize(idTag))['idTokenInfo'] as Json)['status'];

const statusOf = (opened: Promise<ScriptedCharger>): Promise<number> =>
  opened.then(
    () => 101,
    (error: unknown) => (error instanceof UpgradeRejected ? error.status : 0),
  );

describe('A. Security', () => {
  async function secured(): Promise<string> {
    const id = await world.register();
    const body = { password: PASSWORD, securityProfile: 1 };
    expect((await world.v2('PUT', `/chargers/${id}/authentication`, body)).status).toBe(200);
    return id;
  }

  it('TC_A_01. accepts the right password', async () => {
    expect(await statusOf(connect(await secured(), { password: PASSWORD }))).toBe(101);
  });

  it('TC_A_02. refuses the name of another charger', async () => {
    expect(await statusOf(connect(await secured(), { password: PASSWORD, username: 'ANOTHER' }))).toBe(401);
  });

  it('TC_A_03. refuses a wrong password, and none', async () => {
    const id = await secured();
    expect(await statusOf(connect(id, { password: 'a wrong password 1' }))).toBe(401);
    expect(await statusOf(connect(id))).toBe(401);
  });

  it.each([
    ['TC_A_09. uses a password that the charger accepted', 'Accepted', 101, 401],
    ['TC_A_10. keeps the password where the charger refuses another', 'Rejected', 401, 101],
  ])('%s', async (_title, attributeStatus, withNew, withOld) => {
    const id = await secured();
    const charger = await connect(id, { password: PASSWORD });
    await charger.v2.boot();
    await eventually(() => world.isActive(id));
    const named = { component: { name: 'SecurityCtrlr' }, variable: { name: 'BasicAuthPassword' } };
    charger.answer('SetVariables', () => ({ setVariableResult: [{ attributeStatus, ...named }] }));
    const variables = [{ name: 'SecurityCtrlr.BasicAuthPassword', value: NEXT_PASSWORD }];
    const changed = await world.v2('PATCH', `/chargers/${id}/variables`, { variables });
    expect([changed.status, changed.json()]).toMatchObject([200, [{ status: attributeStatus }]]);
    expect(changed.text).not.toContain(NEXT_PASSWORD);
    await charger.close();
    expect(await statusOf(connect(id, { password: NEXT_PASSWORD }))).toBe(withNew);
    expect(await statusOf(connect(id, { password: PASSWORD }))).toBe(withOld);
  });
});

describe('B. Provisioning', () => {
  const boot = { reason: 'PowerUp', chargingStation: { vendorName: 'V', model: 'M' } };

  it('TC_B_01. accepts a boot, with the time and an interval', async () => {
    const charger = await connect(await world.register());
    const answer = await charger.ask('BootNotification', boot);
    expect(answer).toMatchObject({ status: 'Accepted', interval: expect.any(Number) as number });
    expect(Math.abs(Date.parse(String(answer['currentTime'])) - Date.now())).toBeLessThan(60_000);
  });

  it('TC_B_02. TC_B_30. TC_B_31. holds a charger at Pending, refuses its messages, and lets it boot again', async () => {
    const id = await world.register();
    await world.v2('PATCH', `/chargers/${id}`, { admission: 'pending' });
    const charger = await connect(id);
    expect(await charger.ask('BootNotification', boot)).toMatchObject({ status: 'Pending' });
    const status = { evseId: 1, connectorId: 1, connectorStatus: 'Available', timestamp: new Date().toISOString() };
    expect(await charger.call('StatusNotification', status)).toMatchObject({ kind: 'error', code: 'SecurityError' });
    const triggered = charger.waitForCall('TriggerMessage');
    await world.v2('PATCH', `/chargers/${id}`, { admission: 'accept' });
    expect(await triggered).toMatchObject({ payload: { requestedMessage: 'BootNotification' } });
    expect(await charger.ask('BootNotification', { ...boot, reason: 'Triggered' })).toMatchObject({
      status: 'Accepted',
    });
    expect(await charger.ask('StatusNotification', status)).toEqual({});
  });

  const variable = { component: { name: 'OCPPCommCtrlr' }, variable: { name: 'HeartbeatInterval' } };
  const other = { component: { name: 'EVSE', evse: { id: 1 } }, variable: { name: 'Power' } };

  it.each([
    ['TC_B_06. reads one variable', ['OCPPCommCtrlr.HeartbeatInterval'], [variable]],
    ['TC_B_07. reads several variables', ['OCPPCommCtrlr.HeartbeatInterval', 'EVSE@1.Power'], [variable, other]],
  ])('%s', async (_title, variables, getVariableData) => {
    const { charger, post, sent } = await station();
    const getVariableResult = getVariableData.map((each) => ({
      ...each,
      attributeStatus: 'Accepted',
      attributeValue: '7',
    }));
    charger.answer('GetVariables', () => ({ getVariableResult }));
    const read = await post('variables/read', { variables });
    expect(read).toMatchObject({
      status: 200,
      body: variables.map((name) => ({ name, value: '7', status: 'Accepted' })),
    });
    expect(sent('GetVariables')).toEqual({ getVariableData });
  });

  it.each([
    ['TC_B_09. changes one variable', [{ name: 'OCPPCommCtrlr.HeartbeatInterval', value: '33' }], [variable]],
    [
      'TC_B_10. changes several variables',
      [
        { name: 'OCPPCommCtrlr.HeartbeatInterval', value: '33' },
        { name: 'EVSE@1.Power', value: '33' },
      ],
      [variable, other],
    ],
  ])('%s', async (_title, variables, named) => {
    const { id, charger, sent } = await station();
    charger.answer('SetVariables', () => ({
      setVariableResult: named.map((each) => ({ ...each, attributeStatus: 'Accepted' })),
    }));
    const changed = await world.v2('PATCH', `/chargers/${id}/variables`, { variables });
    expect([changed.status, changed.json()]).toMatchObject([200, variables.map(() => ({ status: 'Accepted' }))]);
    expect(sent('SetVariables')).toEqual({ setVariableData: named.map((each) => ({ ...each, attributeValue: '33' })) });
  });

  it('TC_B_12. takes the report of what can be configured', async () => {
    const { id, charger } = await station();
    const report = { generatedAt: new Date().toISOString(), seqNo: 0 };
    const reportData = [{ ...variable, variableAttribute: [{ value: '300' }] }];
    charger.answer('GetBaseReport', ({ requestId }) => {
      void charger.ask('NotifyReport', { requestId, ...report, reportData });
      return { status: 'Accepted' };
    });
    const read = await world.v2('GET', `/chargers/${id}/configuration?refresh=true`);
    const shown = { configName: 'OCPPCommCtrlr.HeartbeatInterval', configValue: '300' };
    expect([read.status, read.json()]).toMatchObject([200, { status: 'Accepted', chargerConfigurations: [shown] }]);
  });

  it('TC_B_13. takes a full report', async () => {
    const { charger, post } = await station();
    charger.answer('GetBaseReport', () => ({ status: 'Accepted' }));
    const payload = { requestId: 5, reportBase: 'FullInventory' };
    expect(await post('calls', { action: 'GetBaseReport', payload })).toMatchObject({ status: 200 });
    const report = { requestId: 5, generatedAt: new Date().toISOString(), reportData: [] };
    const reportData = [{ ...other, variableAttribute: [{ value: '11' }] }];
    expect(await charger.ask('NotifyReport', { ...report, reportData, seqNo: 0, tbc: true })).toEqual({});
    expect(await charger.ask('NotifyReport', { ...report, reportData, seqNo: 1 })).toEqual({});
  });

  it.each([
    ['TC_B_20. resets an idle charger', { type: 'Soft' }, { type: 'OnIdle' }, 'Accepted'],
    ['TC_B_21. resets when the transactions have ended', { type: 'Soft' }, { type: 'OnIdle' }, 'Scheduled'],
    ['TC_B_22. resets at once', { type: 'Hard' }, { type: 'Immediate' }, 'Accepted'],
    ['TC_B_25. resets an idle EVSE', { type: 'Soft', socketId: 2 }, { type: 'OnIdle', evseId: 2 }, 'Accepted'],
    ['TC_B_26. resets an EVSE on idle', { type: 'Soft', socketId: 2 }, { type: 'OnIdle', evseId: 2 }, 'Scheduled'],
    ['TC_B_27. resets an EVSE at once', { type: 'Hard', socketId: 1 }, { type: 'Immediate', evseId: 1 }, 'Accepted'],
  ])('%s', async (_title, body, payload, status) => {
    const { charger, post, sent } = await station();
    charger.answer('Reset', () => ({ status }));
    expect(await post('reset', body)).toMatchObject({ status: 200, body: { status } });
    expect(sent('Reset')).toEqual(payload);
  });

  it.each([
    ['TC_B_42. sets a network profile', 'Accepted'],
    ['TC_B_44. shows that a network profile failed', 'Failed'],
  ])('%s', async (_title, status) => {
    const { id, charger, sent } = await station();
    charger.answer('SetNetworkProfile', () => ({ status }));
    const profile = {
      ocppCsmsUrl: 'wss://csms.example/ocpp',
      messageTimeout: 30,
      securityProfile: 2,
      ocppInterface: 'Wired0',
    };
    const set = await world.v2('PUT', `/chargers/${id}/network-profiles/1`, profile);
    expect([set.status, set.json()]).toMatchObject([200, { status }]);
    const connectionData = { ...profile, ocppVersion: 'OCPP20', ocppTransport: 'JSON' };
    expect(sent('SetNetworkProfile')).toEqual({ configurationSlot: 1, connectionData });
  });
});

describe('C. Authorization', () => {
  it('TC_C_02. answers Unknown for a tag that nobody knows', async () => {
    expect(await verdict(await station(), 'NOBODY')).toBe('Unknown');
  });

  it('TC_C_06. answers Blocked for a blocked tag', async () => {
    expect(await verdict(await station(), await tag({ blocked: true }))).toBe('Blocked');
  });

  it('TC_C_07. answers Expired for an expired tag', async () => {
    expect(await verdict(await station(), await tag({ expiringDate: '2020-01-01T00:00:00.000Z' }))).toBe('Expired');
  });

  it('TC_C_20. refuses a tag that the charger has cached as accepted', async () => {
    const one = await station();
    const idTag = await tag();
    expect(await verdict(one, idTag)).toBe('Accepted');
    await world.v2('PATCH', `/tags/${idTag}`, { blocked: true });
    const transactionId = `C-${one.id}`;
    const started = { transactionId, eventType: 'Started', seqNo: 0, idToken: idTag } as const;
    expect(await one.charger.v2.transaction(started)).toMatchObject({ idTokenInfo: { status: 'Blocked' } });
  });

  it('TC_C_08. says until when a charger may cache a tag', async () => {
    const { charger } = await station();
    const expiringDate = '2035-01-01T00:00:00.000Z';
    const answer = await charger.v2.authorize(await tag({ expiringDate }));
    expect(answer).toMatchObject({ idTokenInfo: { status: 'Accepted', cacheExpiryDateTime: expiringDate } });
  });

  it.each([
    ['TC_C_37. clears the cache', 'Accepted'],
    ['TC_C_38. shows that the cache was not cleared', 'Rejected'],
  ])('%s', async (_title, status) => {
    const { charger, post } = await station();
    charger.answer('ClearCache', () => ({ status }));
    expect(await post('clear-cache')).toMatchObject({ status: 200, body: { status } });
  });

  it('TC_C_39. names the group of each tag of it', async () => {
    const parentIdTag = 'MASTER';
    const one = await station();
    for (const idTag of [await tag({ parentIdTag }), await tag({ parentIdTag })]) {
      const answer = await one.charger.v2.authorize(idTag);
      expect(answer).toMatchObject({ idTokenInfo: { groupIdToken: { idToken: parentIdTag, type: 'Central' } } });
    }
  });
});

describe('C. Master pass', () => {
  it.each<[string, readonly number[]]>([
    ['TC_C_47. ends all transactions that the driver selects', [1, 2]],
    ['TC_C_48. ends the one transaction that the driver selects', [2]],
    ['TC_C_49. ends all transactions of a charger without a display', [1, 2]],
  ])('%s, by a tag of the group of the master pass', async (_title, ended) => {
    const one = await station();
    const [driver, master] = [await tag(), await tag({ parentIdTag: 'MASTER-PASS' })];
    const idTokenInfo = { status: 'Accepted', groupIdToken: { idToken: 'MASTER-PASS', type: 'Central' } };
    const event = (evseId: number) => ({
      transactionId: `C-${one.id}-${String(evseId)}`,
      evse: { id: evseId, connectorId: 1 },
    });
    for (const evseId of [1, 2]) {
      const token = evseId === 1 ? driver : await tag();
      await one.charger.v2.transaction({ ...event(evseId), eventType: 'Started', seqNo: 0, idToken: token });
    }
    expect(await one.charger.v2.authorize(master)).toEqual({ idTokenInfo });
    for (const evseId of ended) {
      const end = { eventType: 'Ended' as const, seqNo: 1, triggerReason: 'StopAuthorized', idToken: master };
      const transactionInfo = { stoppedReason: 'MasterPass' };
      expect(await one.charger.v2.transaction({ ...event(evseId), ...end, transactionInfo })).toEqual({ idTokenInfo });
    }
    for (const evseId of [1, 2]) {
      const { transactionId } = event(evseId);
      const stopReason = ended.includes(evseId) ? 'MasterPass' : null;
      const session = await one.session(
        (each) => each['deviceTransactionId'] === transactionId && each['stopReason'] === stopReason,
      );
      expect(session).toMatchObject({ state: stopReason === null ? 'ongoing' : 'ended' });
      if (evseId === 1) expect(session).toMatchObject({ rfidTag: driver });
    }
  });
});

describe('G. Availability', () => {
  it.each([
    ['TC_G_03. an EVSE: unavailable', { evseId: 1, type: 'Inoperative' }, { evse: { id: 1 } }, 'Accepted'],
    ['TC_G_04. an EVSE: available', { evseId: 1, type: 'Operative' }, { evse: { id: 1 } }, 'Accepted'],
    ['TC_G_05. the station: unavailable', { type: 'Inoperative' }, {}, 'Accepted'],
    ['TC_G_06. the station: available', { type: 'Operative' }, {}, 'Accepted'],
    [
      'TC_G_07. a connector: unavailable',
      { socketId: 2, type: 'Inoperative' },
      { evse: { id: 2, connectorId: 1 } },
      'Accepted',
    ],
    [
      'TC_G_08. a connector: available',
      { socketId: 2, type: 'Operative' },
      { evse: { id: 2, connectorId: 1 } },
      'Accepted',
    ],
    ['TC_G_11. an EVSE with a transaction', { evseId: 1, type: 'Inoperative' }, { evse: { id: 1 } }, 'Scheduled'],
    ['TC_G_14. the station with a transaction', { type: 'Inoperative' }, {}, 'Scheduled'],
    [
      'TC_G_17. a connector with a transaction',
      { socketId: 1, type: 'Inoperative' },
      { evse: { id: 1, connectorId: 1 } },
      'Scheduled',
    ],
  ])('changes %s', async (_title, body, payload, status) => {
    const { charger, post, sent } = await station();
    charger.answer('ChangeAvailability', () => ({ status }));
    expect(await post('availability', body)).toMatchObject({ body: { status } });
    expect(sent('ChangeAvailability')).toEqual({ operationalStatus: body.type, ...payload });
  });

  it('TC_G_20. shows a lock that failed, beside the state', async () => {
    const { charger, record } = await station();
    const timestamp = new Date().toISOString();
    const component = { name: 'ConnectorPlugRetentionLock', evse: { id: 1, connectorId: 1 } };
    const event = { eventId: 1, timestamp, trigger: 'Alerting', eventNotificationType: 'HardWiredNotification' };
    const eventData = [{ ...event, component, variable: { name: 'Problem' }, actualValue: 'true' }];
    expect(await charger.ask('NotifyEvent', { generatedAt: timestamp, seqNo: 0, eventData })).toEqual({});
    await eventually(async () => {
      const [socket] = (await record())['sockets'] as readonly Json[];
      return socket?.['errorCode'] === 'ConnectorPlugRetentionLock' && socket['status'] === 'Available';
    });
  });
});
