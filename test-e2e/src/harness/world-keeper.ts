// A process that opens one network, prints it as a line of JSON, and stops it when its standard input ends. Started by
// shared-world.ts.
import { rmSync, writeSync } from 'node:fs';
import { openEmbeddedWorld } from './embedded';
import { openProcessesWorld } from './processes';
import { keptWorldOf, PARTS } from './shared-world';
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
  let isStopping = false;
  for (const program of new Set(PARTS.map(world.program))) {
    const parts = PARTS.filter((part) => world.program(part) === program).join(', ');
    void program.exited().then((code) => {
      if (isStopping) return;
      // Standard error is a file, which the worker shows. The programs' guards end what else runs.
      writeSync(process.stderr.fd, `${parts} ended with ${String(code)}:\n${program.output()}\n`);
      process.exit(1);
    });
  }
  await over;
  isStopping = true;
  await world.stop();
  rmSync(directory, { recursive: true, force: true });
}
