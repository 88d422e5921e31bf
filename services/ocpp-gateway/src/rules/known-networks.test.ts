// Brute force on the password of a charger that this gateway has never seen.
import { createFakeClock, eventually, UpgradeRejected } from '@busbar/testing';
import { THROTTLE_LIMITS } from '../admission/login-throttle';
import { openWorld, type GatewayWorld } from '../testing/open-world';

let world: GatewayWorld;
afterEach(() => world.close());

it('12. asks charger-state to admit only chargers from their known networks once the brute-force limit is reached', async () => {
  const none = { burst: 0, perSecond: 0.001 };
  const clock = createFakeClock();
  const throttleLimits = { ...THROTTLE_LIMITS, perCharger: none, perChargerFresh: none };
  world = await openWorld({ clock, throttleLimits });
  let known: string | undefined = '127.0.0.1';
  world.admit(({ knownNetworkOnly, network }) =>
    knownNetworkOnly !== true || network === known ? world.acceptance() : { outcome: 'throttled' },
  );
  const charger = await world.connect({ password: 'right' });
  expect(await charger.heartbeat()).toHaveProperty('currentTime');
  expect(world.admissions).toMatchObject([{ network: '127.0.0.1', knownNetworkOnly: true }]);
  known = undefined;
  const rejected = await world.connect({ password: 'right' }).catch((error: unknown) => error);
  expect(rejected).toBeInstanceOf(UpgradeRejected);
  expect(rejected).toMatchObject({
    status: 429,
    headers: { 'retry-after': expect.stringMatching(/^\d+$/) as unknown },
  });
  expect(world.admissions).toHaveLength(2);
});

it('limits the concurrency of throttled admissions, and does not delay other chargers', async () => {
  const perAddress = { burst: 0, perSecond: 0.001 };
  world = await openWorld({ throttleLimits: { ...THROTTLE_LIMITS, perAddress } });
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  world.admit(async () => {
    await held;
    return { outcome: 'throttled' };
  });
  const statuses = Array.from({ length: 300 }, () =>
    world.connect().then(
      () => 101,
      (error: unknown) => (error instanceof UpgradeRejected ? error.status : 0),
    ),
  );
  await eventually(
    async () => (await world.metric('busbar_gateway_upgrades_total{result="too_many_attempts"}')) === 80,
  );
  expect(world.admissions).toHaveLength(20);
  release();
  expect(new Set(await Promise.all(statuses))).toEqual(new Set([429]));
});
