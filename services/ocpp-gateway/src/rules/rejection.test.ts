// The information and the timing of a rejected upgrade.
import type { AdmissionAnswer } from '@busbar/contracts';
import { createFakeClock, eventually, UpgradeRejected, type ScriptedCharger } from '@busbar/testing';
import { THROTTLE_LIMITS } from '../admission/login-throttle';
import { openWorld, type GatewayWorld } from '../testing/open-world';

let world: GatewayWorld;
afterEach(() => world.close());

async function statusOf(attempt: Promise<ScriptedCharger>): Promise<number> {
  try {
    await attempt;
    return 101;
  } catch (error) {
    if (error instanceof UpgradeRejected) return error.status;
    throw error;
  }
}

const REJECTED = [
  ['unknown', 404, 0],
  // A password takes time to check.
  ['unauthorized', 401, 300],
  ['insecure', 403, 0],
  ['certificate_required', 403, 0],
] as const satisfies readonly (readonly [AdmissionAnswer['outcome'], number, number])[];

it.each(REJECTED)(
  '1. answers an upgrade that is %s with %d, 1 s after the request',
  async (outcome, status, checkMs) => {
    const clock = createFakeClock();
    world = await openWorld({ clock });
    let isJudged = false;
    world.admit(() => {
      clock.advance(checkMs);
      isJudged = true;
      return { outcome };
    });
    let answered: number | undefined;
    const attempt = statusOf(world.connect({ password: 'a password' })).then((value) => (answered = value));
    await eventually(() => isJudged);
    for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1_000 - checkMs - 1);
    for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBeUndefined();
    clock.advance(1);
    expect(await attempt).toBe(status);
  },
);

it('12. counts unknown ids against their address and answers the next id with 429, whether it exists or not', async () => {
  const clock = createFakeClock();
  const perAddress = { burst: 3, perSecond: 0.001 };
  world = await openWorld({ clock, throttleLimits: { ...THROTTLE_LIMITS, perAddress } });
  world.admit(({ chargerId, knownNetworkOnly }) => {
    if (knownNetworkOnly === true) return { outcome: 'throttled' };
    return chargerId === 'KNOWN' ? world.acceptance() : { outcome: 'unknown' };
  });
  const tryId = async (chargerId: string): Promise<number> => {
    let isAnswered = false;
    const status = statusOf(world.connect({ url: `${world.origin}/ocpp/${chargerId}` })).finally(
      () => (isAnswered = true),
    );
    await eventually(() => {
      clock.advance(1_000);
      return isAnswered;
    });
    return status;
  };
  for (const id of ['A', 'B', 'C']) expect(await tryId(id)).toBe(404);
  expect([await tryId('D'), await tryId('KNOWN')]).toEqual([429, 429]);
});
