import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMetrics } from '@busbar/runtime';
import { createChargerStateMetrics } from './charger-state-metrics';

it("lists every metric in the README's table, and no other", async () => {
  const metrics = createMetrics();
  createChargerStateMetrics(metrics);
  const registered = [...(await metrics.text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  const readme = readFileSync(join(__dirname, '../README.md'), 'utf8');
  const named = [...readme.matchAll(/^\| `(busbar_state_\w+)`/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(registered.toSorted());
});
