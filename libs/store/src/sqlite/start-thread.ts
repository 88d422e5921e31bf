import { extname, join } from 'node:path';
import { Worker, type ResourceLimits } from 'node:worker_threads';

const EXTENSION = extname(__filename);
/** Only tests run from TypeScript, which a thread loads only with this option. */
export const FROM_SOURCE = EXTENSION === '.ts';

/** Runs a file of `engine/` in a thread, which does not inherit the process's flags. */
export function startThread(name: string, workerData: unknown, resourceLimits: ResourceLimits = {}): Worker {
  const file = join(__dirname, `engine/${name}${EXTENSION}`);
  if (!FROM_SOURCE) return new Worker(file, { workerData, resourceLimits, execArgv: [] });
  const entry = `require('tsx/cjs'); require(${JSON.stringify(file)})`;
  return new Worker(entry, { workerData, eval: true, execArgv: ['--conditions=source'] });
}
