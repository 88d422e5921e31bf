import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { DamageQuestion } from './engine/damage-worker';
import { findDamage, type CheckDepth } from './engine/find-damage';

const EXTENSION = extname(__filename);
const FROM_SOURCE = EXTENSION === '.ts';
const WORKER = join(__dirname, `engine/damage-worker${EXTENSION}`);

/**
 * The first damage in a data file that no process has open; undefined for a sound one. Reads the whole file in its own
 * thread, so that the process stays responsive (from source, as tests run, in this thread).
 */
export function checkDataFile(file: string, depth: CheckDepth): Promise<string | undefined> {
  return FROM_SOURCE ? Promise.resolve(findDamage(file, depth)) : checkInThread({ file, depth });
}

export function checkInThread(question: DamageQuestion): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const worker = startThread(question);
    worker.on('message', (damage: string | undefined) => resolve(damage));
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('the thread that checks the data file ended without a result')));
  });
}

/** Only tests run from TypeScript, which a thread must be told to load. */
function startThread(workerData: DamageQuestion): Worker {
  if (!FROM_SOURCE) return new Worker(WORKER, { workerData, execArgv: [] });
  const entry = `require('tsx/cjs'); require(${JSON.stringify(WORKER)})`;
  return new Worker(entry, { workerData, eval: true, execArgv: ['--conditions=source'] });
}
