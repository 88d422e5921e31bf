import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { eventually } from '@busbar/testing';
import { ROOT } from './documented-commands';
import { readV2, type World } from './world';

const MAIN = join(ROOT, 'tools/simulate/dist/main.js');
/** Ends by itself where the test run was interrupted. */
const MAX_SECONDS = '300';

export interface SimulatedCharger {
  stop(): Promise<void>;
}

/** The simulator as integrators start it, with one registered charger: `PREFIX_1`. Resolves when it is connected. */
export async function simulateCharger(world: World, prefix: string): Promise<SimulatedCharger> {
  const args = ['--url', world.addresses().ocpp, '--chargers', '1', '--prefix', prefix, '--scenario', 'idle'];
  const child = spawn(process.execPath, [MAIN, ...args, '--duration', MAX_SECONDS], {
    env: { PATH: process.env['PATH'] },
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  await eventually(async () => (await readV2(world, `${prefix}_1`)).state === 'Available');
  return {
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
