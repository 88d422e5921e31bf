import { createFakeClock, type FakeClock } from '@busbar/testing';
import { createRequestLimits, type RequestLimits } from './request-limits';

const ADDRESS = '203.0.113.7';

describe('the request limits', () => {
  let clock: FakeClock;
  let limits: RequestLimits;
  let lookUps: number;

  beforeEach(() => {
    clock = createFakeClock();
    limits = createRequestLimits({ perKey: 10 }, clock);
    lookUps = 0;
  });

  const count = (key: string, times = 1, client = 'acme'): number =>
    Array.from({ length: times }, () => limits.countCaller({ key, client })).filter(
      ({ refusal }) => refusal === undefined,
    ).length;

  const check = (credentials: string, isValid = credentials.startsWith('good'), address = ADDRESS) =>
    limits.checkCredentials(address, credentials, () => {
      lookUps += 1;
      return Promise.resolve(isValid ? credentials : undefined);
    });

  /** The number of lookups among these wrong keys, sent one after the other. */
  async function tryWrongKeys(times: number, address = ADDRESS): Promise<number> {
    const before = lookUps;
    for (let i = 0; i < times; i += 1) await check(`bad${String(i)}`, false, address).catch(() => undefined);
    return lookUps - before;
  }

  it("counts all keys of a client together: four times one key's rate", () => {
    expect(count('k0', 30)).toBe(20);
    expect(Array.from({ length: 1_000 }, (_each, i) => count(`k${String(i)}`)).filter((n) => n === 1)).toHaveLength(60);
    expect(limits.countCaller({ key: 'k1', client: 'acme' }).refusal).toMatchObject({
      code: 'rate_limited',
      details: { retryAfterS: 1 },
    });
    expect(count('other', 30, 'other')).toBe(20);
    clock.advance(1_000);
    expect(Array.from({ length: 1_000 }, (_each, i) => count(`n${String(i)}`)).filter((n) => n === 1)).toHaveLength(40);
  });

  it('does not charge the client for requests that its key exceeds', () => {
    count('k0', 500);
    expect(count('k1', 20)).toBe(20);
  });

  it('returns both policies, and both allowances of an allowed request', () => {
    expect(limits.policy).toBe('"key";q=20;w=2, "client";q=80;w=2');
    expect(limits.countCaller({ key: 'a', client: 'acme' }).header).toBe('"key";r=19;t=1, "client";r=79;t=1');
  });

  it('looks up at most 50 wrong keys of an address, and 10 more each second', async () => {
    expect(await tryWrongKeys(500)).toBe(50);
    await expect(check('bad', false)).rejects.toMatchObject({ code: 'rate_limited', details: { retryAfterS: 1 } });
    clock.advance(1_000);
    expect(await tryWrongKeys(500)).toBe(10);
    expect(await tryWrongKeys(500, '203.0.113.8')).toBe(50);
  });

  it('counts a request without credentials against the same bucket', async () => {
    for (let i = 0; i < 50; i += 1) limits.countAddress(ADDRESS);
    expect(() => limits.countAddress(ADDRESS)).toThrow('Too many requests without a valid key from this address.');
    expect(await tryWrongKeys(10)).toBe(0);
  });

  it('admits a recently valid key from an address with an empty bucket, and looks it up each time', async () => {
    await check('good');
    await tryWrongKeys(500);
    const before = lookUps;
    for (let i = 0; i < 100; i += 1) expect(await check('good')).toBe('good');
    expect(lookUps - before).toBe(100);
  });

  it('does not charge an address for valid keys or failed checks', async () => {
    for (let i = 0; i < 200; i += 1) await check(`good${String(i)}`);
    for (let i = 0; i < 200; i += 1) {
      const failed = limits.checkCredentials(ADDRESS, String(i), () => Promise.reject(new Error('unavailable')));
      await expect(failed).rejects.toThrow('unavailable');
    }
    expect(await tryWrongKeys(500)).toBe(50);
  });

  it('charges an address for a revoked key', async () => {
    await check('good');
    await tryWrongKeys(49);
    expect(await check('good', false)).toBeUndefined();
    await expect(check('good', false)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  const burst = <T>(times: number, one: () => Promise<T>) => Promise.allSettled(Array.from({ length: times }, one));

  it('admits hundreds of concurrent first requests with one key, and looks up a wrong key once', async () => {
    const good = await burst(300, () => check('good'));
    expect(good.every((result) => result.status === 'fulfilled' && result.value === 'good')).toBe(true);
    const before = lookUps;
    const bad = await burst(300, () => check('bad'));
    expect(lookUps - before).toBe(1);
    // Each of them is charged to its address all the same.
    expect(bad.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    expect(await tryWrongKeys(10)).toBe(0);
  });

  it("does not reject first requests with a key because of another address's empty bucket", async () => {
    await tryWrongKeys(500);
    const rejected = burst(3, () => check('good'));
    const here = burst(3, () => check('good', true, '203.0.113.8'));
    expect((await rejected).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect((await here).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  });
});
