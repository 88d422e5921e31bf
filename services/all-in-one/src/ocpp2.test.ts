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

let world: AllInOneWorld;
beforeAll(async () => {
  world = await openAllInOne();
});
afterAll(() => world.close());

async function connected(version: string): Promise<{ id: string; charger: ScriptedCharger; protocol: Protocol }> {
  const id = await world.register();
  const charger = await world.connect(id, { subprotocols: [version, 'ocpp1.6'] });
  const protocol = protocolOf(charger.subprotocol);
  if (protocol === undefined) throw new Error('the gateway chose no version');
  return { id, charger, protocol };
}

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

  it('126. gets an answer that fits its schema to every message it may send, and stays connected', async () => {
    const { id, charger, protocol } = await connected(version);
    const actions = [...protocol.actions.values()].filter(({ from, kind }) => from !== 'us' && kind !== 'send');
    for (const { name } of actions) {
      const payload =
        name === 'BootNotification' ? BOOT : minimalPayload(protocol.schemas.get(name)?.request.schema ?? {});
      const answer = await charger.ask(name, payload);
      expect([name, validateResponse(protocol, name, answer, STRICT)]).toMatchObject([name, { ok: true }]);
    }
    expect(charger.closed()).toBeUndefined();
    const logged = await eventually(async () => {
      const { items } = (await world.v2('GET', `/chargers/${id}/ocpp-logs?limit=100`)).json() as {
        items: readonly { readonly messageType: string }[];
      };
      const names = new Set(items.map(({ messageType }) => messageType));
      return actions.every(({ name }) => names.has(name) || name === 'Heartbeat') ? items : undefined;
    });
    expect(logged.length).toBeGreaterThanOrEqual(actions.length - 1);
  });

  it('130. is sent any action of its version by POST /calls, validated to the letter', async () => {
    const { id, charger, protocol } = await connected(version);
    await charger.ask('BootNotification', BOOT);
    await eventually(() => world.isActive(id));
    const { schemas, actions } = protocol;
    const ours = [...actions.values()].filter(({ from }) => from !== 'charger').map(({ name }) => name);
    for (const name of ours) {
      charger.answer(name, () => minimalPayload(schemas.get(name)?.response.schema ?? {}));
      const payload = minimalPayload(schemas.get(name)?.request.schema ?? {});
      const reply = await world.v2('POST', `/chargers/${id}/calls`, { action: name, payload });
      expect([name, reply.status]).toEqual([name, 200]);
      expect(charger.received.at(-1)).toMatchObject({ action: name, payload });
    }
    const bad = await world.v2('POST', `/chargers/${id}/calls`, { action: 'Reset', payload: { type: 'Soft' } });
    expect([bad.status, bad.json()]).toMatchObject([400, { code: 'invalid_request' }]);
    const other = await world.v2('POST', `/chargers/${id}/calls`, { action: 'ChangeConfiguration', payload: {} });
    expect([other.status, other.json()]).toMatchObject([409, { code: 'not_supported_by_version' }]);
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

  it('129. obeys the commands of both APIs that are built, by its own actions', async () => {
    const { id, charger } = await connected(version);
    await charger.v2.boot();
    await eventually(() => world.isActive(id));
    expect((await world.v2('POST', `/chargers/${id}/reset`, { type: 'Soft' })).json()).toMatchObject({
      status: 'Accepted',
    });
    expect(charger.received.at(-1)).toMatchObject({ action: 'Reset', payload: { type: 'OnIdle' } });
    await world.v2('POST', `/chargers/${id}/availability`, { type: 'Inoperative', socketId: 2 });
    const payload = { operationalStatus: 'Inoperative', evse: { id: 2, connectorId: 1 } };
    expect(charger.received.at(-1)).toMatchObject({ action: 'ChangeAvailability', payload });
    const bad = await world.v2('POST', `/chargers/${id}/unlock`, { socketId: 100 });
    expect([bad.status, bad.json()]).toMatchObject([400, { code: 'invalid_request' }]);
    const unbuilt = await world.v2('GET', `/chargers/${id}/local-list/version`);
    expect([unbuilt.status, unbuilt.json()]).toMatchObject([409, { code: 'not_supported_by_version' }]);
  });
});
