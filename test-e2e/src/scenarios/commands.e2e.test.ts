// Commands: through any API process to a charger on the gateway, and the charger's own answer back.
import { supportedVersions } from '@busbar/ocpp';
import { eventually, type Payload, type ScriptedCharger, type ScriptedChargerOptions } from '@busbar/testing';
import type { HttpReply } from '../harness/http';
import { inBothWorlds } from '../harness/in-both-worlds';
import { connect, legacy, readV2, registerCharger, v2 } from '../harness/world';

const codeOf = ({ status, json }: HttpReply): string => {
  const { code, errorCode } = json as { code?: string; errorCode?: string };
  return `${String(status)} ${code ?? errorCode ?? ''}`;
};

/** Returns the CALLs of this action, oldest first: the service asks a charger things by itself, too. */
const payloadsOf = (charger: ScriptedCharger, action: string): readonly Payload[] =>
  charger.received.filter((call) => call.action === action).map(({ payload }) => payload);
/** Boots as a charger of the version does; default: OCPP 1.6. */
const boot = (charger: ScriptedCharger, version = 'ocpp1.6'): Promise<Payload> =>
  version === 'ocpp1.6' ? charger.boot() : charger.v2.boot();
const lastOf = (charger: ScriptedCharger, action: string): Payload | undefined => payloadsOf(charger, action).at(-1);

inBothWorlds((world) => {
  const command = (chargerId: string, path: string, body: object = {}): Promise<HttpReply> =>
    v2(world(), `/chargers/${chargerId}/${path}`, { method: 'POST', body });
  const older = (path: string, body?: object): Promise<HttpReply> =>
    legacy(world(), path, { method: 'POST', ...(body === undefined ? {} : { body }) });

  async function connected(
    options: Partial<ScriptedChargerOptions> = {},
  ): Promise<{ chargerId: string; charger: ScriptedCharger }> {
    const { chargerId } = await registerCharger(world());
    const charger = await connect(world(), chargerId, options);
    await boot(charger, options.subprotocols?.[0]);
    await eventually(async () => (await readV2(world(), chargerId)).activeConnection);
    return { chargerId, charger };
  }

  it('starts and stops a session through both APIs, with the charger’s own answers', async () => {
    const { chargerId, charger } = await connected({
      answers: { RemoteStopTransaction: () => ({ status: 'Rejected' }) },
    });
    const started = await command(chargerId, 'start-charging', { socketId: 1, rfidTag: 'TAG' });
    expect(started).toMatchObject({ status: 200, json: { chargerId, socketId: 1, status: 'Accepted' } });
    expect((await charger.waitForCall('RemoteStartTransaction')).payload).toEqual({ connectorId: 1, idTag: 'TAG' });
    expect(await older(`/charger/start/${chargerId}/2/OTHER`)).toMatchObject({
      status: 200,
      json: { status: 'Accepted' },
    });
    expect(lastOf(charger, 'RemoteStartTransaction')).toEqual({ connectorId: 2, idTag: 'OTHER' });

    const { transactionId } = await charger.start({ connectorId: 1, idTag: 'TAG', meterStart: 0 });
    expect(await command(chargerId, 'stop-transaction', { transactionId })).toMatchObject({
      status: 200,
      json: { transactionId, status: 'Rejected' },
    });
    expect(await older(`/charger/stop/${chargerId}/${String(transactionId)}`)).toMatchObject({
      status: 200,
      json: { status: 'Rejected' },
    });
  });

  it('refuses on request a tag that may not start a session, before a CALL is sent', async () => {
    const { chargerId, charger } = await connected();
    const body = { socketId: 1, rfidTag: 'NEVER-SEEN', validateRfid: true };
    expect(codeOf(await command(chargerId, 'start-charging', body))).toBe('409 tag_unknown');
    expect(codeOf(await older(`/charger/start/${chargerId}/1/NEVER-SEEN?action=validateRfId`))).toBe('409 tag_unknown');
    expect(charger.received.map(({ action }) => action)).not.toContain('RemoteStartTransaction');
  });

  it('distinguishes the outcomes of a command', async () => {
    const { chargerId: offline } = await registerCharger(world());
    expect(codeOf(await command(offline, 'reset', { type: 'Soft' }))).toBe('409 charger_offline');
    expect(codeOf(await command(offline, 'stop-transaction', { transactionId: 1 }))).toBe('409 charger_offline');
    expect(codeOf(await older(`/charger/reboot/${offline}`, { type: 'Soft' }))).toBe('409 charger_offline');
    expect(codeOf(await command('NOBODY', 'reset', { type: 'Soft' }))).toBe('404 not_found');

    const { chargerId } = await connected({
      answers: {
        UnlockConnector: () => ({ kind: 'error', code: 'InternalError', description: 'jammed' }),
        GetLocalListVersion: () => ({ listVersion: 'three' }),
      },
    });
    const failed = await command(chargerId, 'unlock', { socketId: 1 });
    expect(codeOf(failed)).toBe('502 charger_error');
    expect(failed.json).toMatchObject({ chargerError: { code: 'InternalError', description: 'jammed' } });
    expect(codeOf(await older(`/charger/unlock/${chargerId}/1`))).toBe('502 charger_error');
    const invalid = await v2(world(), `/chargers/${chargerId}/local-list/version`);
    expect(codeOf(invalid)).toBe('502 charger_invalid_answer');
    expect(codeOf(await command(chargerId, 'calls', { action: 'GetVariables' }))).toBe('409 not_supported_by_version');
  });

  it('26. blocks nothing after a command without an answer in time, and ignores its late answer', async () => {
    const { chargerId, charger } = await connected({ answers: { Reset: () => ({ kind: 'silence' }) } });
    expect(codeOf(await command(chargerId, 'reset?timeoutS=1', { type: 'Soft' }))).toBe('504 charger_timeout');
    const { messageId } = await charger.waitForCall('Reset');
    charger.send(JSON.stringify([3, messageId, { status: 'Accepted' }]));
    expect(await command(chargerId, 'clear-cache')).toMatchObject({ status: 200, json: { status: 'Accepted' } });
  });

  it('27. fails a command at once whose charger disconnects, and does not send it on the next connection', async () => {
    const { chargerId, charger } = await connected({ answers: { Reset: () => ({ kind: 'silence' }) } });
    const waiting = command(chargerId, 'reset?timeoutS=60', { type: 'Soft' });
    await charger.waitForCall('Reset');
    charger.terminate();
    expect(codeOf(await waiting)).toBe('502 charger_disconnected');
    const again = await connect(world(), chargerId);
    await eventually(async () => (await command(chargerId, 'clear-cache')).status === 200);
    expect(again.received.map(({ action }) => action)).not.toContain('Reset');
  });

  it('25. commands are sent one at a time', async () => {
    let max = 0;
    let open = 0;
    const slowly = async () => {
      max = Math.max(max, (open += 1));
      await new Promise(setImmediate);
      open -= 1;
      return { status: 'Accepted' };
    };
    const { chargerId, charger } = await connected({ answers: { ClearCache: slowly, Reset: slowly } });
    await charger.waitForCall('GetConfiguration');
    const sent = Array.from({ length: 10 }, (_, n) =>
      n % 2 === 0 ? command(chargerId, 'clear-cache') : older(`/charger/reboot/${chargerId}`, { type: 'Soft' }),
    );
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(max).toBe(1);
  });

  it.each(supportedVersions())(
    '15. commands go to the newest socket, also while the previous one hangs: %s',
    async (version) => {
      const { chargerId, charger: hanging } = await connected({ subprotocols: [version] });
      hanging.pause();
      const newer = await connect(world(), chargerId, { subprotocols: [version] });
      await boot(newer, version);
      const reply = await command(chargerId, 'reset', { type: 'Soft' });
      expect(reply.status).toBe(200);
      expect(newer.received.map(({ action }) => action)).toContain('Reset');
      hanging.terminate();
    },
  );

  it('70. closes connections that used the old password when it is changed', async () => {
    const { chargerId, charger } = await connected();
    const path = `/chargers/${chargerId}/authentication`;
    expect((await v2(world(), path, { method: 'PUT', body: { password: 'something new' } })).status).toBe(200);
    expect(await charger.waitForClose()).toMatchObject({ reason: 'credentials_changed' });
    await expect(connect(world(), chargerId)).rejects.toMatchObject({ status: 401 });
    const trusted = await connect(world(), chargerId, { password: 'something new' });
    // Without a stored password the gateway asks for none.
    const removed = await v2(world(), path, { method: 'DELETE' });
    expect(removed).toMatchObject({ status: 200, json: { chargerId, securityProfile: 0 } });
    expect(await trusted.waitForClose()).toMatchObject({ reason: 'credentials_changed' });
    await (await connect(world(), chargerId)).close();
  });

  it('triggers a message of the charger, which is recorded as usual', async () => {
    const { chargerId, charger } = await connected();
    charger.answer('TriggerMessage', () => {
      setImmediate(() => void charger.status(2, 'Charging'));
      return { status: 'Accepted' };
    });
    const body = { message: 'StatusNotification', socketId: 2 };
    const asked = await command(chargerId, 'trigger-message', body);
    expect(asked).toMatchObject({ status: 200, json: { chargerId, status: 'Accepted' } });
    const { payload } = await charger.waitForCall('TriggerMessage');
    expect(payload).toEqual({ requestedMessage: 'StatusNotification', connectorId: 2 });
    await eventually(async () => {
      expect((await readV2(world(), chargerId))['sockets']).toMatchObject([{ id: 2, status: 'Charging' }]);
      return true;
    });
    charger.answer('TriggerMessage', () => ({ status: 'NotImplemented' }));
    expect((await command(chargerId, 'trigger-message', { message: 'Heartbeat' })).json).toMatchObject({
      status: 'NotImplemented',
    });
    expect(lastOf(charger, 'TriggerMessage')).toEqual({ requestedMessage: 'Heartbeat' });
    expect(codeOf(await command(chargerId, 'trigger-message', { message: 'Reset' }))).toBe('400 invalid_request');
  });

  it('gets the composite schedule, and shows it as the charger reports it', async () => {
    const { chargerId, charger } = await connected();
    const chargingSchedule = {
      duration: 3600,
      chargingRateUnit: 'A',
      chargingSchedulePeriod: [
        { startPeriod: 0, limit: 16.1 },
        { startPeriod: 60, limit: 8, numberPhases: 1 },
      ],
    };
    const scheduleStart = '2026-01-02T03:04:05.000Z';
    charger.answer('GetCompositeSchedule', () => {
      return { status: 'Accepted', connectorId: 1, scheduleStart, chargingSchedule };
    });
    const body = { socketId: 1, durationS: 3600, chargingRateUnit: 'A' };
    const asked = await command(chargerId, 'composite-schedule', body);
    expect(asked.status).toBe(200);
    expect(asked.json).toMatchObject({ chargerId, status: 'Accepted', socketId: 1, scheduleStart, chargingSchedule });
    const { payload } = await charger.waitForCall('GetCompositeSchedule');
    expect(payload).toEqual({ connectorId: 1, duration: 3600, chargingRateUnit: 'A' });
    charger.answer('GetCompositeSchedule', () => ({ status: 'Rejected' }));
    expect((await command(chargerId, 'composite-schedule', { durationS: 60 })).json).toMatchObject({
      status: 'Rejected',
      scheduleStart: null,
      chargingSchedule: null,
    });
    expect(lastOf(charger, 'GetCompositeSchedule')).toEqual({ connectorId: 0, duration: 60 });
    expect(codeOf(await command(chargerId, 'composite-schedule', { socketId: 1 }))).toBe('400 invalid_request');

    charger.answer('ClearChargingProfile', () => ({ status: 'Unknown' }));
    const which = 'socketId=1&chargingProfilePurpose=TxDefaultProfile&stackLevel=2';
    const cleared = await v2(world(), `/chargers/${chargerId}/charging-profile?${which}`, { method: 'DELETE' });
    expect(cleared).toMatchObject({ status: 200, json: { chargerId, status: 'Unknown' } });
    expect(lastOf(charger, 'ClearChargingProfile')).toEqual({
      connectorId: 1,
      chargingProfilePurpose: 'TxDefaultProfile',
      stackLevel: 2,
    });
  });

  it('sends a vendor message to the charger and returns its answer', async () => {
    const { chargerId, charger } = await connected({
      answers: { DataTransfer: ({ data }) => ({ status: 'Accepted', data: `received ${String(data)}` }) },
    });
    const message = { vendorId: 'com.example', messageId: 'SetLight', data: '{"on":true}' };
    const sent = await command(chargerId, 'data-transfer', message);
    expect(sent.status).toBe(200);
    expect(sent.json).toMatchObject({ chargerId, status: 'Accepted', data: 'received {"on":true}' });
    expect((await charger.waitForCall('DataTransfer')).payload).toEqual(message);
    charger.answer('DataTransfer', () => ({ status: 'UnknownVendorId' }));
    const unknown = await command(chargerId, 'data-transfer', { vendorId: 'com.example' });
    expect(unknown.json).toMatchObject({ chargerId, status: 'UnknownVendorId', data: null });
    expect(codeOf(await command(chargerId, 'data-transfer', { data: 'x' }))).toBe('400 invalid_request');
  });

  it('stores a changed configuration, and refreshes it on request', async () => {
    const { chargerId, charger } = await connected();
    const change = { configName: 'HeartbeatInterval', configValue: '60' };
    expect(await older(`/charger/changeConfig/${chargerId}`, change)).toMatchObject({ json: { status: 'Accepted' } });
    const fresh = await v2(world(), `/chargers/${chargerId}/configuration?refresh=true`);
    expect(fresh.json).toMatchObject({
      chargerId,
      chargerConfigurations: [{ configName: 'HeartbeatInterval', configValue: '300', canBeChanged: true }, {}],
    });
    charger.answer('GetConfiguration', () => {
      return { configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '42' }], unknownKey: ['Own'] };
    });
    const some = '/configuration?refresh=true&configNames=HeartbeatInterval,Own&timeoutS=60';
    expect((await v2(world(), `/chargers/${chargerId}${some}`)).json).toMatchObject({
      chargerId,
      chargerConfigurations: [{ configName: 'HeartbeatInterval', configValue: '42', canBeChanged: true }],
      unknownConfigNames: ['Own'],
    });
    // The one that follows the boot may come after it.
    expect(payloadsOf(charger, 'GetConfiguration')).toContainEqual({ key: ['HeartbeatInterval', 'Own'] });
    expect((await v2(world(), `/chargers/${chargerId}${some}1`)).status).toBe(400);
  });
});
