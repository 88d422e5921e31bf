// Rules 42 to 48 and counted deviations, as an integrator reads them.
import { eventually, type ScriptedCharger } from '@busbar/testing';
import { inBothWorlds } from './harness/in-both-worlds';
import { connect, readV2, registerCharger, v2, type World } from './harness/world';

interface Connected {
  readonly chargerId: string;
  readonly charger: ScriptedCharger;
}

async function connected(world: World): Promise<Connected> {
  const { chargerId } = await registerCharger(world);
  return { chargerId, charger: await connect(world, chargerId) };
}

interface Counted {
  readonly kind: string;
  readonly count: number;
  readonly lastAt: string;
}

async function deviationsOf(world: World, chargerId: string): Promise<Readonly<Record<string, number>>> {
  const list = (await readV2(world, chargerId))['deviations'] as readonly Counted[];
  return Object.fromEntries(list.map(({ kind, count }) => [kind, count]));
}

inBothWorlds((world) => {
  it('42. stores timestamps in every form that chargers write in UTC', async () => {
    const { chargerId, charger } = await connected(world());
    const forms: readonly [written: string, stored: string][] = [
      ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
      ['2026-01-02T03:04:05.123Z', '2026-01-02T03:04:05.123Z'],
      ['2026-01-02T03:04:05.1234567Z', '2026-01-02T03:04:05.123Z'],
      ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05.000Z'],
      ['2026-01-02T03:04:05+02', '2026-01-02T01:04:05.000Z'],
      ['2026-01-02T03:04:05', '2026-01-02T03:04:05.000Z'],
    ];
    for (const [index, [timestamp]] of forms.entries()) await charger.status(index + 1, 'Available', { timestamp });
    await eventually(async () => {
      const sockets = (await readV2(world(), chargerId))['sockets'] as readonly { lastUpdated: string }[];
      expect(sockets.map(({ lastUpdated }) => lastUpdated)).toEqual(forms.map(([, stored]) => stored));
      return true;
    });
    expect(await deviationsOf(world(), chargerId)).toEqual({ zoneless_timestamp: 1 });
    await charger.close();
  });

  it('43. ends every currentTime in Z with at most three decimals', async () => {
    const { charger } = await connected(world());
    const times = [(await charger.boot())['currentTime'], (await charger.heartbeat())['currentTime']];
    for (const time of times) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/);
    await charger.close();
  });

  it('44. answers a boot with an integer interval, and takes a stop without a reason as Local', async () => {
    const { charger } = await connected(world());
    expect(Number.isInteger((await charger.boot())['interval'])).toBe(true);
    const { transactionId } = await charger.start();
    for (const unit of ['Celsius', 'Celcius']) {
      const sampledValue = [{ value: '20.5', measurand: 'Temperature', unit }];
      const meterValue = [{ timestamp: new Date().toISOString(), sampledValue }];
      expect(await charger.ask('MeterValues', { connectorId: 1, transactionId, meterValue })).toEqual({});
    }
    await charger.stop({ transactionId: Number(transactionId) });
    await eventually(async () => {
      const session = await v2(world(), `/sessions/${String(transactionId)}`);
      expect(session.json).toMatchObject({ state: 'ended', stopReason: 'Local' });
      return true;
    });
    await charger.close();
  });

  it('45. stores unknown fields and values as sent, answers and counts them, so that no message is resent forever', async () => {
    const { chargerId, charger } = await connected(world());
    const own = { vendorOwn: { depth: [1.5, null] } };
    expect(await charger.status(1, 'Dreaming', own)).toEqual({});
    expect(await charger.status(2, 'Available', own)).toEqual({});
    await eventually(async () => {
      const record = await readV2(world(), chargerId);
      expect(record['sockets']).toMatchObject([
        { id: 1, status: 'Info', errorCode: 'Dreaming' },
        { id: 2, status: 'Available' },
      ]);
      expect(record.lastMessage).toContain('"vendorOwn":{"depth":[1.5,null]}');
      return true;
    });
    expect(await deviationsOf(world(), chargerId)).toEqual({ vendor_field: 2, unknown_enum_value: 1 });
    await charger.close();
  });

  it('45. refuses deviations of a charger with tolerance switched off, from its next connection on', async () => {
    const { chargerId, charger } = await connected(world());
    const path = `/chargers/${chargerId}`;
    const compatibility = { vendorFields: false, zonelessIsUtc: false };
    const changed = await v2(world(), path, { method: 'PATCH', body: { compatibility } });
    expect(changed).toMatchObject({ status: 200, json: { compatibility: { ...compatibility, acceptHexKey: true } } });
    expect(await charger.status(1, 'Available', { own: 1 })).toEqual({});
    await charger.close();
    const again = await connect(world(), chargerId);
    const status = { connectorId: 1, status: 'Available', errorCode: 'NoError' };
    expect(await again.call('StatusNotification', { ...status, own: 1 })).toMatchObject({
      code: 'OccurenceConstraintViolation',
    });
    expect(await again.call('StatusNotification', { ...status, timestamp: '2026-01-02T03:04:05' })).toMatchObject({
      code: 'PropertyConstraintViolation',
    });
    await again.close();
  });

  it('45. lets a charger that sends null, long texts and numbers as texts boot, charge and stop, with repaired values', async () => {
    const { chargerId, charger } = await connected(world());
    await charger.boot({ chargePointVendor: 'V'.repeat(36), iccid: null, imsi: null });
    const timestamp = new Date().toISOString();
    const { transactionId } = await charger.ask('StartTransaction', {
      connectorId: '1',
      idTag: 'NOBODY',
      meterStart: 0.2,
      timestamp,
    });
    const stop = { transactionId: String(transactionId), meterStop: 2500.5, timestamp, reason: null, idTag: null };
    expect(await charger.ask('StopTransaction', stop)).toEqual({});
    await eventually(async () => {
      expect(await readV2(world(), chargerId)).toMatchObject({ manufacturer: 'V'.repeat(36) });
      // The log, since what the charger answers after its boot may be its last message.
      const log = await v2(world(), `/chargers/${chargerId}/ocpp-logs`);
      expect(JSON.stringify(log.json)).toMatch(/meterStop[^,]{1,8}2500\.5/);
      return true;
    });
    const session = await v2(world(), `/sessions/${String(transactionId)}`);
    expect(session.json).toMatchObject({ meterStart: 0, meterStop: 2500 });
    expect(await deviationsOf(world(), chargerId)).toMatchObject({
      null_field: 2,
      overlong_text: 1,
      number_text: 2,
      fractional_meter: 2,
    });
    await charger.close();
  });

  it('46. sends a schedule with one decimal, and reads it back', async () => {
    const { chargerId, charger } = await connected(world());
    await eventually(async () => (await readV2(world(), chargerId)).activeConnection);
    const chargingSchedule = { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 8.1 }] };
    charger.answer('GetCompositeSchedule', () => ({ status: 'Accepted', connectorId: 1, chargingSchedule }));
    const body = { action: 'GetCompositeSchedule', payload: { connectorId: 1, duration: 60 } };
    const called = await v2(world(), `/chargers/${chargerId}/calls`, { method: 'POST', body });
    expect(called.text).toContain('"limit":8.1');
    await charger.close();
  });

  it('47. matches a tag without case', async () => {
    const { charger } = await connected(world());
    const idTag = `Tag${Math.random().toString(36).slice(2, 10)}`;
    expect((await v2(world(), '/tags', { method: 'POST', body: { idTag } })).status).toBe(200);
    for (const written of [idTag, idTag.toUpperCase(), idTag.toLowerCase()]) {
      expect(await charger.authorize(written)).toMatchObject({ idTagInfo: { status: 'Accepted' } });
    }
    await charger.close();
  });

  it('48. answers empty texts in optional fields', async () => {
    const { chargerId, charger } = await connected(world());
    await charger.boot({ iccid: '', imsi: '', meterType: '' });
    expect(await charger.status(1, 'Available', { info: '', vendorId: '', timestamp: '' })).toEqual({});
    await eventually(async () => {
      expect((await readV2(world(), chargerId))['sockets']).toMatchObject([{ id: 1, status: 'Available' }]);
      return true;
    });
    expect(await deviationsOf(world(), chargerId)).toEqual({ empty_string: 1 });
    await charger.close();
  });

  it('30. shows deviations of a charger by kind with count and last time', async () => {
    const { chargerId, charger } = await connected(world());
    charger.send('rubbish');
    charger.send('[3,"nobody-asked",{}]');
    charger.send('[9,"no such type"]');
    charger.send('[2,7,"Heartbeat",null]');
    charger.send('[2,8,"Heartbeat",{}]');
    await charger.heartbeat();
    const counts = {
      unreadable_frame: 1,
      unmatched_answer: 1,
      unknown_message_type: 1,
      numeric_message_id: 2,
      null_payload: 1,
    };
    await eventually(async () => {
      expect(await deviationsOf(world(), chargerId)).toEqual(counts);
      return true;
    });
    const list = (await readV2(world(), chargerId))['deviations'] as readonly Counted[];
    for (const { lastAt } of list) expect(lastAt).toMatch(/^\d{4}-.*Z$/);
    const metrics = await textAt(world().addresses().gatewayMetrics);
    expect(metrics).toMatch(/busbar_gateway_deviations_total\{kind="numeric_message_id"\} [1-9]/);
    await charger.close();
  });
});

async function textAt(url: string): Promise<string> {
  const response = await fetch(url);
  return response.text();
}
