import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startFailure } from '@busbar/runtime';
import { runBench } from './bench';
import { runConsoleBench, type ConsoleOptions } from './console/console-bench';
import { consoleText } from './console/console-report';
import { readConsoleOptions, readOptions, readSizeOptions, USAGE, type Options } from './options';
import { createResources, type Resources } from './processes/resources';
import type { BenchResults } from './report/results';
import { reportText } from './report/table';
import { BENCH_DIRECTORY } from './repository';
import { runSizeBench, sizeText, type SizeOptions } from './size/size-bench';

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
        print('Ending what was started …');
        resolve(undefined);
      });
    }
  });
  let code = 0;
  try {
    const args = process.argv.slice(2);
    const [kind, ...rest] = args;
    const options = kind === 'api' || kind === 'console' ? undefined : readOptions(args);
    if (options === undefined) {
      // An error is no failure while its processes are being ended.
      const run =
        kind === 'api'
          ? benchOfSize(readSizeOptions(rest), resources)
          : benchOfConsole(readConsoleOptions(rest), resources);
      run.catch(() => undefined);
      if ((await Promise.race([run.then(() => true), interrupted])) === undefined) code = INTERRUPTED;
    } else if (options.wantsHelp) process.stdout.write(`${USAGE}\n`);
    else {
      const run = bench(options, { resources, isStopping: () => stopping });
      // An error is no failure while its processes are being ended.
      run.catch(() => undefined);
      if ((await Promise.race([run, interrupted])) === undefined) code = INTERRUPTED;
    }
  } catch (error) {
    code = 1;
    print(startFailure(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error)));
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
  const results = await runBench(options, { ...parts, directory, print });
  const files = [join(directory, 'results.json'), ...(options.json === undefined ? [] : [resolve(options.json)])];
  for (const file of files) writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
  for (const file of readdirSync(directory)) {
    if (file.endsWith('.out')) rmSync(join(directory, file));
  }
  process.stdout.write(`${reportText(results)}\n\nWritten to ${files.join(' and ')}\n`);
  return results;
}

async function benchOfSize(options: SizeOptions, resources: Resources): Promise<void> {
  const storeUrl = process.env['STORE_URL'];
  const results = await runSizeBench(options, { resources, print, storeUrl });
  const file = join(BENCH_DIRECTORY, `api-${results.startedAt.replaceAll(':', '-').slice(0, 19)}.json`);
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
  process.stdout.write(`${sizeText(results)}\n\nWritten to ${file}\n`);
}

async function benchOfConsole(options: ConsoleOptions, resources: Resources): Promise<void> {
  const results = await runConsoleBench(options, { resources, print });
  const file = join(BENCH_DIRECTORY, `console-${results.startedAt.replaceAll(':', '-').slice(0, 19)}.json`);
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
  process.stdout.write(`${consoleText(results)}\n\nWritten to ${file}\n`);
}

/** Progress is not part of what is printed. */
function print(line: string): void {
  process.stderr.write(`${line}\n`);
}
