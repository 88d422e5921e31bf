// Commands of the v1 (legacy) API to a charger on a real socket: the same use cases, with the field names of v1.
import { eventually, type HttpReply } from '@busbar/testing';
import { openAllInOne, type AllInOneWorld } from './testing/open-all-in-one';

let world: AllInOneWorld;
beforeAll(async () => {
  world = await openAllInOne();
});
afterAll(() => world.close());

const codeOf = (reply: HttpReply) => `${String(reply.status)} ${String(reply.json()['errorCode'])}`;

describe('a command of the v1 API', () => {
  it('reaches the charger, and returns its status', async () => {
    const { id, charger } = await world.connected();
    const at = { connectorId: 1, idTag: 'TAG', meterStart: 0, timestamp: new Date().toISOString() };
    const { transactionId } = await charger.ask('StartTransaction', at);
    const rows = [
      [`/charger/start/${id}/1/TAG%201`, undefined, 'RemoteStartTransaction', { connectorId: 1, idTag: 'TAG 1' }],
      [`/charger/stop/${id}/${String(transactionId)}`, undefined, 'RemoteStopTransaction', { transactionId }],
      [`/charger/reboot/${id}`, { type: 'Hard', why: 'ignored' }, 'Reset', { type: 'Hard' }],
      [`/charger/unlock/${id}/2`, undefined, 'UnlockConnector', { connectorId: 2 }],
      [
        `/charger/changeConfig/${id}`,
        { configName: 'HeartbeatInterval', configValue: '60' },
        'ChangeConfiguration',
        { key: 'HeartbeatInterval', value: '60' },
      ],
    ] as const;
    for (const [path, body, action, payload] of rows) {
      const reply = await world.legacy('POST', path, body);
      const status = action === 'UnlockConnector' ? 'Unlocked' : 'Accepted';
      expect([path, reply.status, reply.json()]).toEqual([path, 200, { status }]);
      expect(charger.received).toContainEqual(expect.objectContaining({ action, payload }));
    }
  });

  it('validates the tag only on request', async () => {
    const { id } = await world.connected();
    const start = (query: string) => world.legacy('POST', `/charger/start/${id}/1/NEVER-SEEN${query}`);
    expect(codeOf(await start('?action=validateRfId'))).toBe('409 tag_unknown');
    expect((await start('')).status).toBe(200);
    expect(codeOf(await start('?action=somethingElse'))).toBe('400 invalid_request');
  });

  it('distinguishes its failures', async () => {
    const offline = await world.register();
    expect(codeOf(await world.legacy('POST', `/charger/start/${offline}/1/TAG`))).toBe('409 charger_offline');
    expect(codeOf(await world.legacy('POST', `/charger/stop/${offline}/1`))).toBe('409 charger_offline');
    expect(codeOf(await world.legacy('POST', '/charger/reboot/NOBODY', { type: 'Soft' }))).toBe('404 not_found');
    const { id } = await world.connected({
      answers: { Reset: () => ({ kind: 'silence' }), UnlockConnector: () => ({ kind: 'error', code: 'NotSupported' }) },
    });
    const silent = await world.legacy('POST', `/charger/reboot/${id}?timeoutS=1`, { type: 'Soft' });
    expect(codeOf(silent)).toBe('504 charger_timeout');
    const unlock = await world.legacy('POST', `/charger/unlock/${id}/1`);
    expect(codeOf(unlock)).toBe('502 charger_error');
    expect(unlock.json()['message']).toContain('NotSupported');
    expect(codeOf(await world.legacy('POST', `/charger/stop/${id}/123`))).toBe('404 not_found');
    expect(codeOf(await world.legacy('POST', `/charger/unlock/${id}/first`))).toBe('400 invalid_request');
    expect(codeOf(await world.legacy('POST', `/charger/reboot/${id}`, { type: 'Warm' }))).toBe('400 invalid_request');
  });
});

describe.each(['ocpp2.0.1', 'ocpp2.1'])('the configuration of a charger of %s in the v1 API', (version) => {
  const setTo = (attributeStatus: string) => (payload: Readonly<Record<string, unknown>>) => {
    const data = payload['setVariableData'] as readonly { component: object; variable: object }[];
    return { setVariableResult: data.map(({ component, variable }) => ({ attributeStatus, component, variable })) };
  };

  it('169. is changed by names of OCPP 1.6 and by those of variables, with the word of the charger', async () => {
    const id = await world.register();
    const charger = await world.connect(id, { subprotocols: [version] });
    await charger.v2.boot();
    await eventually(() => world.isActive(id));
    const change = (configName: string, configValue: string) =>
      world.legacy('POST', `/charger/changeConfig/${id}`, { configName, configValue });

    charger.answer('SetVariables', setTo('Accepted'));
    const accepted = await change('MeterValueSampleInterval', '60');
    expect([accepted.status, accepted.json()]).toEqual([200, { status: 'Accepted' }]);
    charger.answer('SetVariables', setTo('RebootRequired'));
    const later = await change('Connector@1.2.Enabled', 'false');
    expect([later.status, later.json()]).toEqual([200, { status: 'RebootRequired' }]);
    const sent = charger.received.filter(({ action }) => action === 'SetVariables').map(({ payload }) => payload);
    const value = (attributeValue: string, component: object, name: string) => ({
      setVariableData: [{ attributeValue, component, variable: { name } }],
    });
    expect(sent).toMatchObject([
      value('60', { name: 'SampledDataCtrlr' }, 'TxUpdatedInterval'),
      value('false', { name: 'Connector', evse: { id: 1, connectorId: 2 } }, 'Enabled'),
    ]);
    expect(codeOf(await change('NoSuchName', '1'))).toBe('400 invalid_request');
    await eventually(async () => {
      const shown = JSON.stringify((await world.legacy('GET', `/charger/${id}`)).json());
      return shown.includes('"configName":"SampledDataCtrlr.TxUpdatedInterval","configValue":"60"');
    });
  });
});

describe.each(['ocpp2.0.1', 'ocpp2.1'])('a session of a charger of %s in the v1 API', (version) => {
  it('169. has no socket yet, is stopped by its integer, and ends with the reason of the charger', async () => {
    const id = await world.register();
    const charger = await world.connect(id, { subprotocols: [version] });
    await charger.v2.boot();
    await eventually(() => world.isActive(id));
    const shown = async () => {
      const search = { startTimeSearchEnd: new Date(Date.now() + 60_000).toISOString(), chargerIDs: [id] };
      const found = (await world.legacy('POST', '/statistics/transactions', search)).json()['results'];
      return (found as readonly Readonly<Record<string, unknown>>[])[0];
    };
    await charger.v2.transaction({ transactionId: 'T-1', eventType: 'Started', seqNo: 0 });
    const { transactionId, socketId } = await eventually(shown);
    expect(socketId).toBe(0);

    const rows = [
      [
        `/charger/stop/${id}/${String(transactionId)}`,
        undefined,
        'RequestStopTransaction',
        { transactionId: 'T-1' },
        'Rejected',
      ],
      [`/charger/reboot/${id}`, { type: 'Soft' }, 'Reset', { type: 'OnIdle' }, 'Scheduled'],
      [`/charger/reboot/${id}`, { type: 'Hard' }, 'Reset', { type: 'Immediate' }, 'Accepted'],
      [`/charger/unlock/${id}/102`, undefined, 'UnlockConnector', { evseId: 1, connectorId: 2 }, 'UnknownConnector'],
      [`/charger/unlock/${id}/1`, undefined, 'UnlockConnector', { evseId: 1, connectorId: 1 }, 'UnlockFailed'],
    ] as const;
    for (const [path, body, action, payload, status] of rows) {
      charger.answer(action, () => ({ status }));
      const reply = await world.legacy('POST', path, body);
      expect([path, reply.status, reply.json()]).toEqual([path, 200, { status }]);
      expect(charger.received.findLast((each) => each.action === action)).toMatchObject({ payload });
    }
    expect(codeOf(await world.legacy('POST', `/charger/unlock/${id}/100`))).toBe('400 invalid_request');

    const transactionInfo = { stoppedReason: 'EVDisconnected' };
    await charger.v2.transaction({ transactionId: 'T-1', eventType: 'Ended', seqNo: 1, transactionInfo });
    await eventually(async () => (await shown())?.['stopReason'] === 'EVDisconnected');
  });
});
