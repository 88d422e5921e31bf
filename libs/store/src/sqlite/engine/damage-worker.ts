// Runs `findDamage` in its own thread.
import { parentPort, workerData } from 'node:worker_threads';
import { findDamage, type CheckDepth } from './find-damage';

export interface DamageQuestion {
  readonly file: string;
  readonly depth: CheckDepth;
}

if (parentPort !== null) {
  const { file, depth } = workerData as DamageQuestion;
  parentPort.postMessage(findDamage(file, depth));
}
