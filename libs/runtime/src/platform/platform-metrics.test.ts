import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { channels } from '@busbar/contracts';
import { systemClock } from '@busbar/core';
import { eq, collections } from '@busbar/store';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import { createMetrics } from '../metrics/metrics';
import { createPlatform } from './platform';
import { measureAvailability, type Measurable } from './platform-metrics';

async function valueOf(metrics: { text(): Promise<string> }, name: string): Promise<number> {
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(await metrics.text())?.[1]);
}

it('shows the availability of broker and store, and the schema version', async () => {
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

it('shows the duration of calls of the store and of confirms of the broker', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'platform-metrics-'));
  const metrics = createMetrics();
  const deps = { logger: createRecordingLogger(), clock: systemClock, metrics };
  const platform = createPlatform({ brokerUrl: 'memory:', storeUrl: `file:${directory}`, ...deps });
  const { broker, store } = platform;
  const sites = store.collection(collections.sites);
  expect(store.collection(collections.sites)).toBe(sites);
  await platform.start();
  await sites.get('none');
  await expect(sites.find(eq('$bad', 'x'))).rejects.toThrow();
  await broker.declareQueue(channels.reports, 1);
  broker.enqueue(channels.reports, 0, { reports: [] }, () => undefined);
  const failure = await new Promise((resolve) => broker.enqueue(channels.deadLetters, 0, {} as never, resolve));
  expect(failure).toBe('unroutable');
  await broker.consume(channels.reports, 0, { maxBatch: 1 }, () => Promise.resolve());
  await eventually(async () => (await metrics.text()).includes('outcome="confirmed"'));
  const text = await metrics.text();
  expect(text).toContain('busbar_store_call_seconds_count{collection="sites",operation="get"} 1');
  expect(text).toContain('busbar_store_call_seconds_count{collection="sites",operation="find"} 1');
  // Not one for each operation of each collection.
  expect(text).not.toContain('operation="countGroups"');
  expect(text).toContain('busbar_broker_confirm_seconds_count{queue="busbar.reports",outcome="confirmed"} 1');
  expect(text).toContain('busbar_broker_confirm_seconds_count{queue="busbar.dead-letters",outcome="unroutable"} 1');
  await platform.stop();
  await rm(directory, { recursive: true });
});

it('measures the duration of an outage from its begin to its end', async () => {
  const metrics = createMetrics();
  const clock = createFakeClock();
  let notify: (up: boolean) => void = () => undefined;
  const broker: Measurable = {
    ready: () => true,
    onConnection(listener) {
      notify = listener;
      return () => undefined;
    },
  };
  measureAvailability(metrics, 'broker', broker, clock);
  notify(false);
  clock.advance(12_000);
  expect(await valueOf(metrics, 'busbar_broker_unavailable_seconds')).toBe(12);
  expect(await valueOf(metrics, 'busbar_broker_outages_total')).toBe(1);
  notify(true);
  clock.advance(5_000);
  expect(await valueOf(metrics, 'busbar_broker_unavailable_seconds')).toBe(0);
});
