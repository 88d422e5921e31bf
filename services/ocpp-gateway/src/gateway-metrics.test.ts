import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWorld } from './testing/open-world';

it('lists every registered metric in the table of the README', async () => {
  const world = await openWorld();
  const registered = [...(await world.metrics()).matchAll(/^# TYPE (busbar_gateway_\S+)/gm)].map(([, name]) => name);
  await world.close();
  const readme = readFileSync(join(__dirname, '../README.md'), 'utf8');
  const named = [...readme.matchAll(/^\| `(busbar_gateway_\w+)`/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(registered.toSorted());
});
