import { createMetrics, type Metrics } from '@busbar/runtime';
import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import { createGatewayMetrics } from '../gateway-metrics';
import { createTrafficMeter, type TrafficDeps } from './traffic';

const NAME = 'busbar_gateway_charger_daily_bytes';
const DAY_MS = 86_400_000;

function open(over: Partial<TrafficDeps> = {}) {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const metrics = createMetrics();
  const limits = { messagesPerS: 0, bytesPerS: 0 };
  const deps = { clock, logger, limits, metrics: createGatewayMetrics(metrics), warnAtBytes: 1_000, maxChargers: 100 };
  const meter = createTrafficMeter({ ...deps, ...over });
  meter.start();
  return { clock, logger, metrics, meter };
}

async function valueOf(metrics: Metrics, line: string): Promise<number> {
  const found = (await metrics.text()).split('\n').find((each) => each.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1) ?? 0);
}

describe("a charger's traffic", () => {
  it('is logged once a day when it exceeds the daily volume, over all its connections', () => {
    const { clock, logger, meter } = open();
    meter.of('A').take(600);
    meter.of('B').take(600);
    expect(logger.lines).toHaveLength(0);
    meter.of('A').take(600);
    meter.of('A').take(600);
    expect(logger.lines).toMatchObject([
      { level: 'warn', fields: { chargerId: 'A', bytes: 1_200, warnAtBytes: 1_000 } },
    ]);
    expect(meter.aboveVolume()).toBe(1);
    clock.advance(DAY_MS);
    expect(meter.aboveVolume()).toBe(0);
    meter.of('A').take(1_001);
    expect(logger.lines).toHaveLength(2);
  });

  it('starts at zero every day, also on an open connection', async () => {
    const { clock, logger, metrics, meter } = open();
    const traffic = meter.of('A');
    traffic.take(900);
    clock.advance(DAY_MS);
    traffic.take(900);
    clock.advance(DAY_MS);
    expect(logger.lines).toHaveLength(0);
    expect(await valueOf(metrics, `${NAME}_count`)).toBe(2);
    expect(await valueOf(metrics, `${NAME}_sum`)).toBe(1_800);
  });

  it('is not logged where the warning is off', () => {
    const { logger, meter } = open({ warnAtBytes: 0 });
    meter.of('A').take(1_000_000_000_000);
    expect(logger.lines).toHaveLength(0);
  });

  it('is evicted for the oldest charger above the limit', async () => {
    const { logger, metrics, meter } = open({ maxChargers: 2 });
    for (const chargerId of ['A', 'B', 'C']) meter.of(chargerId).take(900);
    expect(await valueOf(metrics, `${NAME}_sum`)).toBe(900);
    meter.of('A').take(900);
    expect(logger.lines).toHaveLength(0);
  });

  it('survives a reconnect as debt', () => {
    const { clock, meter } = open({ limits: { messagesPerS: 1, bytesPerS: 0 } });
    const first = meter.of('A');
    for (let i = 0; i < 15; i += 1) first.take(1);
    expect(meter.of('A').debtMs()).toBe(meter.of('B').debtMs() + first.debtMs());
    expect(first.debtMs()).toBeGreaterThan(0);
    clock.advance(60_000);
    expect(meter.of('A').debtMs()).toBe(0);
  });
});
