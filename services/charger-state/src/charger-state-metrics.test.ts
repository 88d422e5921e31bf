import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMetrics } from '@busbar/runtime';
import { createFakeClock } from '@busbar/testing';
import { createChargerStateMetrics, observePartitions } from './charger-state-metrics';
import { measureBatches } from './pipeline/measure-batches';

it('measures each batch with its outcome and its number of messages', async () => {
  const metrics = createMetrics();
  const clock = createFakeClock();
  let fails = false;
  const handle = measureBatches(
    () => {
      clock.advance(2_000);
      return fails ? Promise.reject(new Error('no store')) : Promise.resolve();
    },
    { clock, metrics: createChargerStateMetrics(metrics) },
  );
  const batch = [{ body: { reports: [{}, {}, {}] }, redelivered: false }] as never;
  await handle(batch, 0);
  fails = true;
  await expect(handle(batch, 0)).rejects.toThrow('no store');
  const text = await metrics.text();
  expect(text).toContain('busbar_state_batch_seconds_sum{outcome="applied"} 2');
  expect(text).toContain('busbar_state_batch_seconds_sum{outcome="failed"} 2');
  expect(text).toContain('busbar_state_batch_messages_sum 6');
});

it("lists every metric in the README's table, and no other", async () => {
  const metrics = createMetrics();
  createChargerStateMetrics(metrics);
  observePartitions(metrics, () => 0);
  const registered = [...(await metrics.text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  const readme = readFileSync(join(__dirname, '../README.md'), 'utf8');
  const named = [...readme.matchAll(/^\| `(busbar_(?:state|events?)_\w+)`/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(registered.toSorted());
});
