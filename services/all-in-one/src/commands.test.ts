// Commands of the v2 API to a charger on a real socket, through all services.
import { createId } from '@busbar/core';
import { eventually, type HttpReply } from '@busbar/testing';
import { openAllInOne, type AllInOneWorld } from './testing/open-all-in-one';

let world: AllInOneWorld;
beforeAll(async () => {
  world = await openAllInOne();
});
afterAll(() => world.close());

const codeOf = (reply: HttpReply) => `${String(reply.status)} ${String(reply.json()['code'])}`;
const AT = '2030-01-31T12:00:00.000Z';
const PROFILE = {
  chargingProfileId: 1,
  stackLevel: 0,
  chargingProfilePurpose: 'TxDefaultProfile',
  chargingProfileKind: 'Relative',
  chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
};

interface Row {
  readonly route: readonly [method: string, path: string, body?: object];
  readonly call: readonly [action: string, payload: object];
  readonly reply: object;
}

const ACCEPTED = { status: 'Accepted' };
/** The id of a command. */
const ID = expect.stringMatching(/^[0-9A-Z]{26}$/) as string;
const ROWS: readonly Row[] = [
  {
    route: ['POST', '/start-charging', { socketId: 1, rfidTag: 'TAG' }],
    call: ['RemoteStartTransaction', { connectorId: 1, idTag: 'TAG' }],
    reply: { socketId: 1, status: 'Accepted' },
  },
  { route: ['POST', '/reset', { type: 'Soft' }], call: ['Reset', { type: 'Soft' }], reply: ACCEPTED },
  {
    route: ['POST', '/unlock', { socketId: 1 }],
    call: ['UnlockConnector', { connectorId: 1 }],
    reply: { status: 'Unlocked' },
  },
  {
    route: ['POST', '/availability', { type: 'Inoperative', socketId: 2 }],
    call: ['ChangeAvailability', { type: 'Inoperative', connectorId: 2 }],
    reply: ACCEPTED,
  },
  {
    route: ['POST', '/trigger-message', { message: 'Heartbeat' }],
    call: ['TriggerMessage', { requestedMessage: 'Heartbeat' }],
    reply: ACCEPTED,
  },
  { route: ['POST', '/clear-cache', {}], call: ['ClearCache', {}], reply: ACCEPTED },
  {
    route: ['POST', '/data-transfer', { vendorId: 'com.example' }],
    call: ['DataTransfer', { vendorId: 'com.example' }],
    reply: { status: 'UnknownVendorId', data: null },
  },
  {
    route: ['POST', '/diagnostics', { location: 'ftp://files' }],
    call: ['GetDiagnostics', { location: 'ftp://files' }],
    reply: { status: null, fileName: null, requestId: null },
  },
  {
    route: ['POST', '/firmware', { location: 'ftp://files', retrieveAt: AT }],
    call: ['UpdateFirmware', { location: 'ftp://files', retrieveDate: AT }],
    reply: { status: null, requestId: null },
  },
  {
    route: ['POST', '/reservations', { socketId: 1, rfidTag: 'TAG', expiresAt: AT, reservationId: 7 }],
    call: ['ReserveNow', { connectorId: 1, idTag: 'TAG', expiryDate: AT, reservationId: 7 }],
    reply: { reservationId: 7, status: 'Accepted' },
  },
  {
    route: ['DELETE', '/reservations/7'],
    call: ['CancelReservation', { reservationId: 7 }],
    reply: { reservationId: 7, status: 'Accepted' },
  },
  {
    route: [
      'POST',
      '/local-list',
      { listVersion: 1, updateType: 'Full', tags: [{ rfidTag: 'A', status: 'Accepted' }] },
    ],
    call: [
      'SendLocalList',
      {
        listVersion: 1,
        updateType: 'Full',
        localAuthorizationList: [{ idTag: 'A', idTagInfo: { status: 'Accepted' } }],
      },
    ],
    reply: ACCEPTED,
  },
  { route: ['GET', '/local-list/version'], call: ['GetLocalListVersion', {}], reply: { listVersion: 0 } },
  {
    route: ['POST', '/charging-profile', { socketId: 1, chargingProfile: PROFILE }],
    call: ['SetChargingProfile', { connectorId: 1, csChargingProfiles: PROFILE }],
    reply: ACCEPTED,
  },
  {
    route: ['DELETE', '/charging-profile?chargingProfileId=1&socketId=0'],
    call: ['ClearChargingProfile', { id: 1, connectorId: 0 }],
    reply: ACCEPTED,
  },
  {
    route: ['POST', '/composite-schedule', { socketId: 1, durationS: 60 }],
    call: ['GetCompositeSchedule', { connectorId: 1, duration: 60 }],
    reply: { status: 'Accepted', socketId: null, scheduleStart: null, chargingSchedule: null },
  },
  {
    route: ['PATCH', '/configuration', { configName: 'HeartbeatInterval', configValue: '60' }],
    call: ['ChangeConfiguration', { key: 'HeartbeatInterval', value: '60' }],
    reply: { configName: 'HeartbeatInterval', status: 'Accepted' },
  },
];

describe('a command of the v2 API', () => {
  it('reaches the charger as an OCPP CALL, and its answer is returned in the terms of v2', async () => {
    const { id, charger } = await world.connected();
    for (const { route, call, reply } of ROWS) {
      const [method, path, body] = route;
      const answered = await world.v2(method, `/chargers/${id}${path}`, body);
      expect([path, answered.status, answered.json()]).toEqual([path, 200, { chargerId: id, commandId: ID, ...reply }]);
      const [action] = call;
      const { payload } = charger.received.filter((received) => received.action === action).at(-1) ?? {};
      expect([action, payload]).toEqual(call);
    }
  });

  it('gets the stored response when it is repeated with its Idempotency-Key, for every method', async () => {
    const { id, charger } = await world.connected();
    for (const { route, call } of ROWS.filter(({ route: [method] }) => method !== 'GET')) {
      const [method, path, body] = route;
      const headers = { 'idempotency-key': createId() };
      const send = () => world.v2(method, `/chargers/${id}${path}`, body, headers);
      const [first, again] = [await send(), await send()];
      expect([path, again.text, again.headers['idempotency-replayed']]).toEqual([path, first.text, 'true']);
      expect([path, charger.received.filter(({ action }) => action === call[0]).length]).toEqual([path, 1]);
    }
  });

  it('129. has several schedules of a charging profile for a charger of OCPP 2.x alone', async () => {
    const { chargingSchedule } = PROFILE;
    const set = async (id: string, schedules: readonly object[]) => {
      const chargingProfile = { ...PROFILE, chargingSchedule: schedules };
      return world.v2('POST', `/chargers/${id}/charging-profile`, { socketId: 1, chargingProfile });
    };
    const paths = (reply: HttpReply) => (reply.json()['errors'] as { path: string }[]).map(({ path }) => path);
    const { id, charger } = await world.connected();
    expect((await set(id, [chargingSchedule])).status).toBe(200);
    const { payload } = await charger.waitForCall('SetChargingProfile');
    expect(payload).toEqual({ connectorId: 1, csChargingProfiles: PROFILE });
    const several = await set(id, [chargingSchedule, chargingSchedule]);
    expect([several.status, paths(several)]).toEqual([400, ['/chargingProfile/chargingSchedule']]);
    const invalid = await set(id, [chargingSchedule, { ...chargingSchedule, duration: -1 }]);
    expect([invalid.status, paths(invalid)]).toEqual([400, ['/chargingProfile/chargingSchedule/1/duration']]);

    const ofCharger2 = await world.register();
    const charger2 = await world.connect(ofCharger2, { subprotocols: ['ocpp2.1'] });
    await charger2.v2.boot();
    await eventually(() => world.isActive(ofCharger2));
    charger2.answer('SetChargingProfile', () => ({ status: 'Accepted' }));
    expect((await set(ofCharger2, [chargingSchedule, chargingSchedule])).status).toBe(200);
    const sent = await charger2.waitForCall('SetChargingProfile');
    const schedules = [1, 2].map((n) => ({ id: n, ...chargingSchedule }));
    expect(sent.payload).toMatchObject({ evseId: 1, chargingProfile: { chargingSchedule: schedules } });
    const profiles = await eventually(async () => {
      const { items } = (await world.v2('GET', `/chargers/${ofCharger2}/charging-profiles`)).json();
      return (items as { chargingProfile: object }[]).length > 0 && items;
    });
    expect(profiles).toMatchObject([{ chargingProfile: { chargingSchedule: [chargingSchedule, chargingSchedule] } }]);
  });

  it('gets a rejection of the charger as a normal response', async () => {
    const { id } = await world.connected({ answers: { Reset: () => ({ status: 'Rejected' }) } });
    const reply = await world.v2('POST', `/chargers/${id}/reset`, { type: 'Hard' });
    expect([reply.status, reply.json()]).toEqual([200, { chargerId: id, status: 'Rejected', commandId: ID }]);
  });

  it('is refused immediately for a disconnected charger, before its transaction is read', async () => {
    const id = await world.register();
    expect(codeOf(await world.v2('POST', `/chargers/${id}/reset`, { type: 'Soft' }))).toBe('409 charger_offline');
    const stop = await world.v2('POST', `/chargers/${id}/stop-transaction`, { transactionId: 1 });
    expect(codeOf(stop)).toBe('409 charger_offline');
    expect(codeOf(await world.v2('POST', '/chargers/NOBODY/reset', { type: 'Soft' }))).toBe('404 not_found');
    expect(codeOf(await world.v2('POST', `/chargers/${id}/reset`, { type: 'Warm' }))).toBe('400 invalid_request');
  });

  it('26. times out without an answer, and does not block the next one', async () => {
    const { id, charger } = await world.connected({ answers: { Reset: () => ({ kind: 'silence' }) } });
    const late = await world.v2('POST', `/chargers/${id}/reset?timeoutS=1`, { type: 'Soft' });
    expect(codeOf(late)).toBe('504 charger_timeout');
    const { messageId } = await charger.waitForCall('Reset');
    charger.send(JSON.stringify([3, messageId, { status: 'Accepted' }]));
    const next = await world.v2('POST', `/chargers/${id}/clear-cache`, {});
    expect(next.json()).toEqual({ chargerId: id, status: 'Accepted', commandId: ID });
  });

  it('27. fails immediately when its charger disconnects, and is not sent again', async () => {
    const { id, charger } = await world.connected({ answers: { Reset: () => ({ kind: 'silence' }) } });
    const waiting = world.v2('POST', `/chargers/${id}/reset?timeoutS=60`, { type: 'Soft' });
    await charger.waitForCall('Reset');
    charger.terminate();
    expect(codeOf(await waiting)).toBe('502 charger_disconnected');
    const again = await world.connect(id);
    await eventually(() => world.isActive(id));
    const next = await world.v2('POST', `/chargers/${id}/clear-cache`, {});
    expect(next.status).toBe(200);
    expect(again.received.map(({ action }) => action)).not.toContain('Reset');
  });

  it('25. waits behind another one; beyond the queue limit it fails as not sent', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { id, charger } = await world.connected({ answers: { Reset: () => held.then(() => ACCEPTED) } });
    // charger-state's own question after the boot is complete.
    await charger.waitForCall('GetConfiguration');
    const first = world.v2('POST', `/chargers/${id}/reset`, { type: 'Soft' });
    await charger.waitForCall('Reset');
    const replies: HttpReply[] = [];
    const others = Array.from({ length: 25 }, async () => {
      replies.push(await world.v2('POST', `/chargers/${id}/clear-cache`, {}));
    });
    await eventually(() => replies.length === 5);
    for (const busy of replies) {
      expect([codeOf(busy), busy.headers['retry-after']]).toEqual(['503 charger_busy', '5']);
    }
    expect(charger.received.filter(({ action }) => action === 'ClearCache')).toEqual([]);
    release();
    expect((await first).status).toBe(200);
    await Promise.all(others);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(charger.received.filter(({ action }) => action === 'ClearCache')).toHaveLength(20);
  });

  it('reports code and description of a CALLERROR', async () => {
    const error = { kind: 'error', code: 'NotImplemented', description: 'unknown action' } as const;
    const { id } = await world.connected({ answers: { ClearCache: () => error } });
    const reply = await world.v2('POST', `/chargers/${id}/clear-cache`, {});
    expect(codeOf(reply)).toBe('502 charger_error');
    expect(reply.json()).toMatchObject({
      detail: 'The charger answered with the error NotImplemented: unknown action',
      chargerError: { code: 'NotImplemented', description: 'unknown action' },
    });
  });

  it('35. distinguishes an answer that violates OCPP from a CALLERROR', async () => {
    const { id } = await world.connected({ answers: { GetLocalListVersion: () => ({ listVersion: 'three' }) } });
    const reply = await world.v2('GET', `/chargers/${id}/local-list/version`);
    expect(codeOf(reply)).toBe('502 charger_invalid_answer');
    expect(reply.json()['detail']).toContain('/listVersion');
  });

  it('sends a local list without a parent of a tag that OCPP 1.6 cannot carry', async () => {
    const { id, charger } = await world.connected();
    const tagWith = async (parentIdTag: string): Promise<string> => {
      const idTag = createId().slice(-20);
      await world.v2('POST', '/tags', { idTag, parentIdTag });
      return idTag;
    };
    const [short, long] = [await tagWith('P'.repeat(20)), await tagWith('P'.repeat(21))];
    const tags = [{ rfidTag: short }, { rfidTag: long }];
    const reply = await world.v2('POST', `/chargers/${id}/local-list`, { listVersion: 1, updateType: 'Full', tags });
    expect([reply.status, reply.json()['status']]).toEqual([200, 'Accepted']);
    const sent = charger.received.filter(({ action }) => action === 'SendLocalList').at(-1);
    expect(sent?.payload).toMatchObject({
      localAuthorizationList: [
        { idTag: short, idTagInfo: { status: 'Accepted', parentIdTag: 'P'.repeat(20) } },
        { idTag: long, idTagInfo: { status: 'Accepted' } },
      ],
    });
    expect(JSON.stringify(sent?.payload)).not.toContain('P'.repeat(21));
  });

  it('15. goes to the newest connection immediately, also while the previous one hangs', async () => {
    const { id, charger: older } = await world.connected();
    older.pause();
    const newer = await world.connect(id);
    const reply = await world.v2('POST', `/chargers/${id}/reset`, { type: 'Soft' });
    expect(reply.status).toBe(200);
    expect(newer.received.map(({ action }) => action)).toContain('Reset');
    older.terminate();
  });

  it('needs its own permission', async () => {
    const made = await world.v2('POST', '/api-keys', { name: 'reader', permissions: ['chargers:read'] });
    const { id } = await world.connected();
    const headers = { 'x-api-key': String(made.json()['key']) };
    const asReader = (method: string, path: string, body?: object) =>
      world.v2(method, `/chargers/${id}${path}`, body, headers);
    expect(codeOf(await asReader('POST', '/reset', { type: 'Soft' }))).toBe('403 forbidden');
    expect(codeOf(await asReader('GET', '/configuration?refresh=true'))).toBe('403 forbidden');
    expect((await asReader('GET', '/configuration')).status).toBe(200);
  });
});

describe('remote start and stop of a session', () => {
  it('rejects a tag that may not start one with validation, before a CALL is sent', async () => {
    const { id, charger } = await world.connected();
    const start = (rfidTag: string) =>
      world.v2('POST', `/chargers/${id}/start-charging`, { socketId: 1, rfidTag, validateRfid: true });
    const tag = async (over: object) => {
      const idTag = createId().slice(-20);
      expect((await world.v2('POST', '/tags', { idTag, ...over })).status).toBe(200);
      return idTag;
    };
    expect(codeOf(await start('NEVER-SEEN'))).toBe('409 tag_unknown');
    expect(codeOf(await start(await tag({ blocked: true })))).toBe('409 tag_blocked');
    expect(codeOf(await start(await tag({ expiringDate: '2020-01-01T00:00:00.000Z' })))).toBe('409 tag_expired');
    expect(codeOf(await start(await tag({ startDate: AT })))).toBe('409 tag_not_yet_valid');
    const good = await tag({});
    const begun = await charger.ask('StartTransaction', {
      connectorId: 2,
      idTag: good,
      meterStart: 0,
      timestamp: new Date().toISOString(),
    });
    expect(begun).toMatchObject({ idTagInfo: { status: 'Accepted' } });
    expect(codeOf(await start(good))).toBe('409 tag_in_use');
    expect(charger.received.map(({ action }) => action)).not.toContain('RemoteStartTransaction');
    expect((await start(await tag({}))).json()).toEqual({
      chargerId: id,
      socketId: 1,
      status: 'Accepted',
      commandId: ID,
    });
  });

  it('authorizes the session, also where the charger starts before it answers; a blocked or expired tag is not sent', async () => {
    const started: unknown[] = [];
    const { id, charger } = await world.connected();
    // The outcome comes after the question.
    charger.answer('RemoteStartTransaction', async ({ connectorId, idTag }) => {
      const start = { connectorId, idTag, meterStart: 0, timestamp: new Date().toISOString() };
      started.push(await charger.ask('StartTransaction', start));
      return { status: 'Accepted' };
    });
    const tag = async (over: object) => {
      const idTag = createId().slice(-20);
      expect((await world.v2('POST', '/tags', { idTag, ...over })).status).toBe(200);
      return idTag;
    };
    const blocked = await tag({ blocked: true });
    const expired = await tag({ expiringDate: '2020-01-01T00:00:00.000Z' });
    const start = (rfidTag: string) => world.v2('POST', `/chargers/${id}/start-charging`, { socketId: 1, rfidTag });
    expect(codeOf(await start(blocked))).toBe('409 tag_blocked');
    expect(codeOf(await start(expired))).toBe('409 tag_expired');
    const v1Start = async (idTag: string) =>
      (await world.legacy('POST', `/charger/start/${id}/1/${idTag}`)).json()['errorCode'];
    expect([await v1Start(blocked), await v1Start(expired)]).toEqual(['tag_blocked', 'tag_expired']);
    const payload = { connectorId: 1, idTag: blocked };
    const raw = world.v2('POST', `/chargers/${id}/calls`, { action: 'RemoteStartTransaction', payload });
    expect(codeOf(await raw)).toBe('409 tag_blocked');
    expect(charger.received.map(({ action }) => action)).not.toContain('RemoteStartTransaction');
    expect((await start('NEVER-SEEN')).json()).toMatchObject({ status: 'Accepted' });
    expect(started).toMatchObject([{ idTagInfo: { status: 'Accepted' } }]);
    const [{ transactionId }] = started as [{ transactionId: number }];
    const session = await world.v2('GET', `/sessions/${String(transactionId)}`);
    expect(session.json()).toMatchObject({
      state: 'ongoing',
      authorization: { status: 'accepted', reason: null, source: 'remote_start' },
      startedBy: 'remote',
      commandId: expect.any(String) as string,
    });
  });

  it('stops a transaction of this charger only', async () => {
    const { id, charger } = await world.connected();
    const other = await world.connected();
    const at = { connectorId: 1, idTag: 'TAG', meterStart: 0, timestamp: new Date().toISOString() };
    const { transactionId } = await charger.ask('StartTransaction', at);
    const stop = (chargerId: string, number: unknown) =>
      world.v2('POST', `/chargers/${chargerId}/stop-transaction`, { transactionId: number });
    expect(codeOf(await stop(other.id, transactionId))).toBe('404 not_found');
    expect(codeOf(await stop(id, 2_000_000_000))).toBe('404 not_found');
    expect((await stop(id, transactionId)).json()).toEqual({ transactionId, status: 'Accepted', commandId: ID });
    expect((await charger.waitForCall('RemoteStopTransaction')).payload).toEqual({ transactionId });
    await charger.ask('StopTransaction', { transactionId, meterStop: 5, timestamp: new Date().toISOString() });
    expect(codeOf(await stop(id, transactionId))).toBe('409 transaction_ended');
  });
});

describe('the configuration of a charger', () => {
  it('is read from the store, refreshed on request, and follows a change', async () => {
    const { id, charger } = await world.connected();
    await charger.waitForCall('GetConfiguration');
    const read = async (query = ''): Promise<unknown> =>
      (await world.v2('GET', `/chargers/${id}/configuration${query}`)).json();
    await eventually(async () => JSON.stringify(await read()).includes('HeartbeatInterval'));
    charger.answer('GetConfiguration', () => ({
      configurationKey: [
        { key: 'HeartbeatInterval', readonly: false, value: '777' },
        { key: 'AuthorizationKey', readonly: false, value: 'very secret' },
      ],
      unknownKey: ['Nothing'],
    }));
    const changedAt = expect.stringMatching(/Z$/) as string;
    expect(await read('?refresh=true')).toEqual({
      chargerId: id,
      chargerConfigurations: [
        { configName: 'HeartbeatInterval', configValue: '777', canBeChanged: true, changedAt },
        { configName: 'AuthorizationKey', configValue: '***', canBeChanged: true, changedAt: null },
      ],
      unknownConfigNames: ['Nothing'],
      commandId: ID,
    });
    expect(await read('?configNames=HeartbeatInterval,Missing')).toEqual({
      chargerId: id,
      chargerConfigurations: [{ configName: 'HeartbeatInterval', configValue: '777', canBeChanged: true, changedAt }],
      unknownConfigNames: ['Missing'],
      commandId: null,
    });
    const change = { configName: 'HeartbeatInterval', configValue: '600' };
    expect((await world.v2('PATCH', `/chargers/${id}/configuration`, change)).json()).toMatchObject(ACCEPTED);
    const changed = { configName: 'HeartbeatInterval', configValue: '600', canBeChanged: true, changedAt };
    await eventually(async () => JSON.stringify(await read()).includes('600'));
    expect(await read('?configNames=HeartbeatInterval')).toHaveProperty('chargerConfigurations', [changed]);
  });

  it('shows a new key neither in the log, nor the record, nor the response', async () => {
    const { id } = await world.connected();
    const configValue = '000102030405060708090A0B0C0D0E0F';
    const change = { configName: 'AuthorizationKey', configValue };
    expect((await world.v2('PATCH', `/chargers/${id}/configuration`, change)).json()).toMatchObject(ACCEPTED);
    expect((await world.v2('GET', `/chargers/${id}`)).text).not.toContain(configValue);
    expect(JSON.stringify(world.logger.lines)).not.toContain(configValue);
  });
});

describe('a raw call', () => {
  it('is sent unchanged, and returns the whole answer', async () => {
    const hashes = { status: 'NotFound' };
    const { id, charger } = await world.connected({ answers: { GetInstalledCertificateIds: () => hashes } });
    const payload = { certificateType: 'ManufacturerRootCertificate' };
    const body = { action: 'GetInstalledCertificateIds', payload };
    const reply = await world.v2('POST', `/chargers/${id}/calls`, body);
    expect([reply.status, reply.json()]).toEqual([200, { status: 'NotFound', payload: hashes, commandId: ID }]);
    expect((await charger.waitForCall('GetInstalledCertificateIds')).payload).toEqual(payload);
  });

  it('is refused when it violates the schema, with the path of the error', async () => {
    const { id, charger } = await world.connected();
    const call = (body: object) => world.v2('POST', `/chargers/${id}/calls`, body);
    const unfit = await call({ action: 'Reset', payload: { type: 'Warm' } });
    expect(codeOf(unfit)).toBe('400 invalid_request');
    expect(unfit.json()['errors']).toEqual([{ path: '/payload/type', message: 'must be one of Hard, Soft' }]);
    expect(codeOf(await call({ action: 'Heartbeat' }))).toBe('400 invalid_request');
    expect(codeOf(await call({ action: 'GetVariables' }))).toBe('409 not_supported_by_version');
    expect(charger.received.map(({ action }) => action)).not.toContain('Reset');
  });
});
