import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWorld } from './testing/open-world';

it('measures answers by action, and names that a charger invents together', async () => {
  const world = await openWorld();
  const charger = await world.connect();
  for (let time = 0; time < 3; time += 1) await charger.call('Heartbeat', {});
  for (const action of ['Made', 'Up']) await charger.call(action, {});
  expect(await world.metric('busbar_gateway_answer_seconds_count{action="Heartbeat"}')).toBe(3);
  expect(await world.metric('busbar_gateway_answer_seconds_count{action="unknown"}')).toBe(2);
  expect(await world.metrics()).not.toContain('Made');
  await world.close();
});

it('lists every registered metric in the table of the README', async () => {
  const world = await openWorld();
  const registered = [...(await world.metrics()).matchAll(/^# TYPE (busbar_gateway_\S+)/gm)].map(([, name]) => name);
  await world.close();
  const readme = readFileSync(join(__dirname, '../README.md'), 'utf8');
  const named = [...readme.matchAll(/^\| `(busbar_gateway_\w+)`/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(registered.toSorted());
});
