import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import { createMetrics } from './metrics';
import { createPlatform } from './platform';
import { measureBroker, type Measurable } from './platform-metrics';

async function valueOf(metrics: { text(): Promise<string> }, name: string): Promise<number> {
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(await metrics.text())?.[1]);
}

test('a process shows the availability of broker and store, and the schema version', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'platform-metrics-'));
  const metrics = createMetrics();
  const deps = { logger: createRecordingLogger(), clock: systemClock, metrics };
  const platform = createPlatform({ brokerUrl: 'memory:', storeUrl: `file:${directory}`, ...deps });
  expect(await valueOf(metrics, 'busbar_store_up')).toBe(0);
  await platform.start();
  expect(await valueOf(metrics, 'busbar_store_up')).toBe(1);
  expect(await valueOf(metrics, 'busbar_broker_up')).toBe(1);
  expect(await valueOf(metrics, 'busbar_store_schema_version')).toBeGreaterThan(0);
  await platform.stop();
  expect(await valueOf(metrics, 'busbar_store_up')).toBe(0);
  expect(await valueOf(metrics, 'busbar_broker_up')).toBe(0);
  await rm(directory, { recursive: true });
});

test('the duration of an outage is measured from its begin to its end', async () => {
  const metrics = createMetrics();
  const clock = createFakeClock();
  let tell: (up: boolean) => void = () => undefined;
  const broker: Measurable = {
    ready: () => true,
    onConnection(listener) {
      tell = listener;
      return () => undefined;
    },
  };
  measureBroker(metrics, broker, clock);
  tell(false);
  clock.advance(12_000);
  expect(await valueOf(metrics, 'busbar_broker_unavailable_seconds')).toBe(12);
  expect(await valueOf(metrics, 'busbar_broker_outages_total')).toBe(1);
  tell(true);
  clock.advance(5_000);
  expect(await valueOf(metrics, 'busbar_broker_unavailable_seconds')).toBe(0);
});
