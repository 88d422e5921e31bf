import { openWorld, type GatewayWorld } from '../testing/open-world';

const SECRET = 'pLanTed';

describe("the masking of a charger's secrets", () => {
  let world: GatewayWorld;

  afterEach(() => world.close());

  const everythingReported = () => JSON.stringify(world.reports);

  it.each([
    'APN_Pwd',
    'WifiPSK',
    'SimPIN',
    'MqttToken',
    'VpnSharedKey',
    'private_key',
    'AuthorizationKey',
    'MeterSeed',
  ])('lets no secret leave the gateway in clear: %s', async (key) => {
    world = await openWorld({ settings: { maskKeys: ['meterseed'] } });
    const chargerId = `SECRET_${key}`;
    const configurationKey = [{ key, readonly: false, value: SECRET }];
    const charger = await world.connect({
      url: `${world.origin}/ocpp/${chargerId}`,
      answers: { GetConfiguration: () => ({ configurationKey }) },
    });
    await world.waitFor((report) => report.chargerId === chargerId);
    const answer = await world.command(chargerId, 'GetConfiguration');
    expect(answer).toMatchObject({ payload: { configurationKey: [{ key, value: '***' }] } });
    await world.command(chargerId, 'ChangeConfiguration', { key, value: SECRET });
    expect(charger.received.at(-1)?.payload).toEqual({ key, value: SECRET });
    await charger.ask('DataTransfer', { vendorId: 'X', data: JSON.stringify({ settings: [{ [key]: SECRET }] }) });
    await charger.ask('DataTransfer', { vendorId: 'X', messageId: 'text', data: `a=1;${key}=${SECRET};b=2` });
    await charger.call('NoSuchAction', { [key]: SECRET }, 'refused');
    await world.waitFor(({ messageId }) => messageId === 'refused');
    expect(everythingReported()).toContain(key);
    expect(everythingReported()).not.toContain(SECRET);
  });

  it('leaves harmless settings readable', async () => {
    world = await openWorld();
    const configurationKey = ['WebSocketPingInterval', 'StopTransactionMaxMeterValues', 'MeterSeed'].map((key) => ({
      key,
      readonly: false,
      value: '30',
    }));
    await world.connect({
      url: `${world.origin}/ocpp/HARMLESS`,
      answers: { GetConfiguration: () => ({ configurationKey }) },
    });
    await world.waitFor(({ chargerId }) => chargerId === 'HARMLESS');
    expect(await world.command('HARMLESS', 'GetConfiguration')).toEqual({
      outcome: 'answered',
      payload: { configurationKey },
    });
  });
});
