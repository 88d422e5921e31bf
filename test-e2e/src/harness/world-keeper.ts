// A process that opens one network, prints it as a line of JSON, and stops it when its standard input ends. Started by
// shared-world.ts.
import { rmSync } from 'node:fs';
import { openEmbeddedWorld } from './embedded';
import { openProcessesWorld } from './processes';
import { keptWorldOf } from './shared-world';
import type { OwnWorld, WorldKind } from './world';

const OPEN: Readonly<Record<WorldKind, () => Promise<OwnWorld>>> = {
  'one process': openEmbeddedWorld,
  'four processes': openProcessesWorld,
};

const [kind, directory = ''] = process.argv.slice(2);
void keep(kind as WorldKind);

async function keep(kindOfWorld: WorldKind): Promise<void> {
  const over = new Promise((resolve) => process.stdin.resume().once('end', resolve));
  const world = await OPEN[kindOfWorld]();
  process.stdout.write(`${JSON.stringify(keptWorldOf(world))}\n`);
  await over;
  await world.stop();
  rmSync(directory, { recursive: true, force: true });
}
