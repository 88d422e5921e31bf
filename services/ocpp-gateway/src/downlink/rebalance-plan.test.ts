import { rebalanceRate, type GatewayLoad } from './rebalance-plan';

const load = (sockets: number | undefined, over: Partial<GatewayLoad> = {}): GatewayLoad => ({
  sockets,
  isStopping: false,
  ageMs: 60_000,
  isMissing: false,
  ...over,
});

describe('the rate of rebalancing', () => {
  it.each<[string, GatewayLoad, ...[readonly GatewayLoad[], boolean, number | undefined]]>([
    ['is 1 % of the surplus above the mean', load(1_000), [load(500), load(0)], false, 5],
    ['is at most 20', load(20_000), [load(0), load(0)], false, 20],
    ['is 0 for a single gateway', load(1_000), [], false, 0],
    ['is 0 for a gateway with its share', load(500), [load(500), load(500)], false, 0],
    ['is 0 for a new gateway without sockets', load(0), [load(1_000), load(1_000)], false, 0],
    ['is 0 up to 25 % above the mean', load(1_250), [load(750)], false, 0],
    ['begins beyond 25 % above the mean', load(1_251), [load(749)], false, 2.51],
    ['is 0 up to 100 sockets above the mean', load(200), [load(0)], false, 0],
    ['begins beyond 100 sockets above the mean', load(202), [load(0)], false, 1.01],
    ['continues below 25 % and 100 once it has begun', load(112), [load(88)], true, 0.12],
    ['ends at 10 % above the mean', load(110), [load(90)], true, 0],
    [
      'does not count a gateway that is younger than a minute',
      load(1_000),
      [load(1_000), load(0, { ageMs: 59_999 })],
      false,
      0,
    ],
    ['is 0 for a gateway that is younger than a minute itself', load(1_000, { ageMs: 59_999 }), [load(0)], false, 0],
    ['is unknown while a lease is missing', load(1_000), [load(0), load(0, { isMissing: true })], true, undefined],
    ['is unknown while the own lease does not come back', load(1_000, { isMissing: true }), [load(0)], true, undefined],
    [
      'is unknown while a young gateway is missing',
      load(1_000),
      [load(0), load(0, { isMissing: true, ageMs: 0 })],
      true,
      undefined,
    ],
    [
      'is unknown while another gateway stops',
      load(1_000),
      [load(0), load(300, { isStopping: true })],
      true,
      undefined,
    ],
    ['is unknown while this gateway stops', load(1_000, { isStopping: true }), [load(0)], true, undefined],
    ['is unknown beside a gateway that does not say its sockets', load(1_000), [load(undefined)], true, undefined],
  ])('%s', (_what, own, ...[others, isActive, expected]) => {
    const rate = rebalanceRate(own, others, isActive);
    if (expected === undefined) expect(rate).toBeUndefined();
    else expect(rate).toBeCloseTo(expected, 6);
  });
});
