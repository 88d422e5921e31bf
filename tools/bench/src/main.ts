import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startFailure } from '@busbar/runtime';
import { runBench } from './bench';
import { readOptions, USAGE, type Options } from './options';
import { createResources } from './processes/resources';
import type { BenchResults } from './report/results';
import { reportText } from './report/table';
import { BENCH_DIRECTORY } from './repository';

const INTERRUPTED = 130;

void main();

async function main(): Promise<void> {
  const resources = createResources();
  let stopping = false;
  const interrupted = new Promise<undefined>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) {
      process.on(signal, () => {
        // The second one does not wait; what is left of the children is killed as this process exits.
        if (stopping) process.exit(INTERRUPTED);
        stopping = true;
        tell('Ending what was started …');
        resolve(undefined);
      });
    }
  });
  let code = 0;
  try {
    const options = readOptions(process.argv.slice(2));
    if (options.wantsHelp) process.stdout.write(`${USAGE}\n`);
    else {
      const run = bench(options, { resources, isStopping: () => stopping });
      // What fails because its processes are being ended is no failure.
      run.catch(() => undefined);
      if ((await Promise.race([run, interrupted])) === undefined) code = INTERRUPTED;
    }
  } catch (error) {
    code = 1;
    tell(startFailure(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error)));
  }
  stopping = true;
  await resources.releaseAll();
  process.exit(code);
}

async function bench(
  options: Options,
  parts: Pick<Parameters<typeof runBench>[1], 'resources' | 'isStopping'>,
): Promise<BenchResults> {
  const stamp = new Date().toISOString().replaceAll(':', '-').slice(0, 19);
  const directory = join(BENCH_DIRECTORY, stamp);
  mkdirSync(directory, { recursive: true });
  const results = await runBench(options, { ...parts, directory, tell });
  const files = [join(directory, 'results.json'), ...(options.json === undefined ? [] : [resolve(options.json)])];
  for (const file of files) writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
  for (const file of readdirSync(directory)) {
    if (file.endsWith('.out')) rmSync(join(directory, file));
  }
  process.stdout.write(`${reportText(results)}\n\nWritten to ${files.join(' and ')}\n`);
  return results;
}

/** Progress is not part of what is printed. */
function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
