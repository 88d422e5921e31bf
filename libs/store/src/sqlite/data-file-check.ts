import type { DamageQuestion } from './engine/damage-worker';
import { findDamage, type CheckDepth } from './engine/find-damage';
import { FROM_SOURCE, startThread } from './start-thread';

/**
 * The first damage in a data file that no process has open; undefined for a sound one. Reads the whole file in its own
 * thread, so that the process stays responsive (from source, as tests run, in this thread).
 */
export function checkDataFile(file: string, depth: CheckDepth): Promise<string | undefined> {
  return FROM_SOURCE ? Promise.resolve(findDamage(file, depth)) : checkInThread({ file, depth });
}

export function checkInThread(question: DamageQuestion): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const worker = startThread('damage-worker', question);
    worker.on('message', (damage: string | undefined) => resolve(damage));
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('the thread that checks the data file ended without a result')));
  });
}
