// The networks that a charger was admitted from, and who may log in from them.
import { channels, type AdmissionRequest } from '@busbar/contracts';
import { createId, systemClock as clock } from '@busbar/core';
import { setChargerAuthentication, type Charger } from '@busbar/domain/chargers';
import { openWorld, type ChargerStateWorld } from '../testing/open-world';

const RIGHT = '00'.repeat(20);
const WRONG = '11'.repeat(20);
const THROTTLED = { knownNetworkOnly: true, suspect: true };

describe('a charger under brute force', () => {
  let world: ChargerStateWorld;
  let charger: Charger;

  beforeAll(async () => {
    world = await openWorld();
  });

  afterAll(() => world.close());

  beforeEach(async () => {
    charger = await world.register();
    const { chargers } = world.platform.records;
    const connections = { close: () => Promise.resolve() };
    await setChargerAuthentication({ chargers, connections, clock }, charger, { authorizationKey: RIGHT });
  });

  async function admission(key: string, network: string, over: Partial<AdmissionRequest> = {}): Promise<string> {
    const asked = await world.platform.broker.request(
      channels.admissions,
      '',
      {
        chargerId: charger.chargerId,
        gatewayId: world.gatewayId,
        connectionId: createId(),
        network,
        secure: true,
        ocppVersion: 'ocpp1.6',
        passwordBase64: Buffer.from(key, 'hex').toString('base64'),
        ...over,
      },
      5_000,
    );
    return asked.outcome === 'answered' ? asked.answer.outcome : asked.outcome;
  }

  it('12. is checked on networks of earlier admissions, and nowhere else, with any password', async () => {
    expect(await admission(RIGHT, '198.51.100.7', THROTTLED)).toBe('throttled');
    expect(await admission(RIGHT, '198.51.100.7')).toBe('accept');
    expect(await admission(RIGHT, '198.51.100.7', THROTTLED)).toBe('accept');
    expect(await admission(WRONG, '198.51.100.7', THROTTLED)).toBe('unauthorized');
    expect(await admission(RIGHT, '203.0.113.66', THROTTLED)).toBe('throttled');
    expect(await admission(RIGHT, '203.0.113.66', { ...THROTTLED, chargerId: 'NOBODY' })).toBe('throttled');
  });

  it('12. stays known after a restart, and a wrong password adds no network', async () => {
    expect(await admission(RIGHT, '198.51.100.7')).toBe('accept');
    expect(await admission(WRONG, '203.0.113.66')).toBe('unauthorized');
    await world.restart();
    expect(await admission(RIGHT, '198.51.100.7', THROTTLED)).toBe('accept');
    expect(await admission(RIGHT, '203.0.113.66', THROTTLED)).toBe('throttled');
  });

  it('is known from the last four networks, the latest one last, and its other messages change none of that', async () => {
    charger = await world.register();
    for (const network of ['a', 'b', 'c', 'd', 'a', 'e']) expect(await admission(RIGHT, network)).toBe('accept');
    const connection = await world.connect(charger);
    await connection.report('Heartbeat', {});
    expect((await world.read(charger)).lastGoodNetworks).toEqual(['c', 'd', 'a', 'e']);
  });
});
