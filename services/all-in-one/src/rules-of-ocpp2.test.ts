// Rules on the messages of chargers that hold in each version, over real sockets for those of OCPP 2.x.
import { eventually, type ScriptedCharger } from '@busbar/testing';
import { openAllInOne, type AllInOneWorld } from './testing/open-all-in-one';

let world: AllInOneWorld;
beforeAll(async () => {
  world = await openAllInOne();
});
afterAll(() => world.close());

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

/** The record, once it has these parts. */
const shown = (id: string, parts: object) =>
  eventually(async () => {
    const record = (await world.v2('GET', `/chargers/${id}`)).json();
    expect(record).toMatchObject(parts);
    return record;
  });

describe.each(['ocpp2.0.1', 'ocpp2.1'])('a charger that speaks %s', (version) => {
  let id: string;
  let charger: ScriptedCharger;
  beforeEach(async () => {
    id = await world.register();
    charger = await world.connect(id, { subprotocols: [version] });
  });
  afterEach(() => charger.close());

  it('51. shows nothing of an outdated status, and replaces a wrong clock by the time of receipt', async () => {
    await charger.v2.boot();
    const report = (evseId: number, connectorStatus: string, timestamp: string) =>
      charger.ask('StatusNotification', { evseId, connectorId: 1, connectorStatus, timestamp });
    await report(1, 'Unavailable', ago(10_000));
    await report(1, 'Available', ago(20_000));
    await report(2, 'Available', '2010-01-01T00:00:00Z');
    const { sockets } = await shown(id, {
      sockets: [
        { id: 1, status: 'Unavailable' },
        { id: 2, status: 'Available' },
      ],
      deviations: expect.arrayContaining([expect.objectContaining({ kind: 'clock_off', count: 1 })]) as unknown,
    });
    const [, second] = sockets as readonly { lastUpdated: string }[];
    expect(Math.abs(Date.now() - Date.parse(second?.lastUpdated ?? ''))).toBeLessThan(60_000);
  });

  it('52. is asked for its device model after a boot', async () => {
    await charger.v2.boot();
    expect((await charger.waitForCall('GetBaseReport')).payload).toMatchObject({ reportBase: 'FullInventory' });
  });

  it('58. ends a session once by an end before its start, and by a repeated end', async () => {
    await charger.v2.boot();
    const meter = (value: number, timestamp: string) => [{ timestamp, sampledValue: [{ value }] }];
    const event = (eventType: string, seqNo: number, value: number) => {
      const timestamp = ago(1_000 - seqNo);
      const common = {
        triggerReason: 'Trigger',
        transactionInfo: { transactionId: 'T' },
        evse: { id: 1, connectorId: 1 },
      };
      return { ...common, eventType, seqNo, timestamp, meterValue: meter(value, timestamp) };
    };
    const [started, ended] = [event('Started', 0, 100), event('Ended', 1, 350)];
    for (const payload of [ended, started, ended, { ...ended, seqNo: 2, meterValue: meter(999, ended.timestamp) }]) {
      expect(await charger.ask('TransactionEvent', payload)).toEqual({});
    }
    await eventually(async () => {
      const { items } = (await world.v2('GET', `/sessions?chargerIds=${id}`)).json();
      expect(items).toMatchObject([{ state: 'ended', meterStop: 350, consumptionWh: 250 }]);
      return true;
    });
  });

  it('62. is accepted and stored by a boot; a second one updates it', async () => {
    const station = { vendorName: 'V', model: 'M', serialNumber: 'S-1', firmwareVersion: '1' };
    const boot = (chargingStation: object) => charger.ask('BootNotification', { reason: 'PowerUp', chargingStation });
    expect(await boot({ ...station, modem: { iccid: '89', imsi: '26' } })).toMatchObject({
      status: 'Accepted',
      interval: 300,
    });
    await shown(id, { manufacturer: 'V', model: 'M', serial: 'S-1', firmware: '1', iccid: '89', imsi: '26' });
    await boot({ ...station, serialNumber: 'S-2', firmwareVersion: '2' });
    await shown(id, { serial: 'S-2', firmware: '2', iccid: '' });
  });
});
