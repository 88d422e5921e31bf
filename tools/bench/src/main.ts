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
    const run = begin(process.argv.slice(2), { resources, isStopping: () => stopping });
    if (run === undefined) process.stdout.write(`${USAGE}\n`);
    else {
      // An error is no failure while its processes are being ended.
      run.catch(() => undefined);
      if ((await Promise.race([run.then(() => true), interrupted])) === undefined) code = INTERRUPTED;
    }
  } catch (error) {
    code = 1;
    print(startFailure(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error)));
  }
  stopping = true;
  await resources.releaseAll();
  process.exit(code);
}

type Parts = Pick<Parameters<typeof runBench>[1], 'resources' | 'isStopping'>;

/** The bench that the arguments ask for; undefined where they ask for help. */
function begin(args: readonly string[], parts: Parts): Promise<unknown> | undefined {
  const [kind, ...rest] = args;
  if (kind === 'api') return benchOfSize(readSizeOptions(rest), parts.resources);
  if (kind === 'console') return benchOfConsole(readConsoleOptions(rest), parts.resources);
  const options = readOptions(args);
  return options.wantsHelp ? undefined : bench(options, parts);
}

async function bench(options: Options, parts: Parts): Promise<BenchResults> {
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
  write('api', results, sizeText(results));
}

async function benchOfConsole(options: ConsoleOptions, resources: Resources): Promise<void> {
  const results = await runConsoleBench(options, { resources, print });
  write('console', results, consoleText(results));
}

function write(kind: string, results: { readonly startedAt: string }, text: string): void {
  const file = join(BENCH_DIRECTORY, `${kind}-${results.startedAt.replaceAll(':', '-').slice(0, 19)}.json`);
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
  process.stdout.write(`${text}\n\nWritten to ${file}\n`);
}

/** Progress is not part of what is printed. */
function print(line: string): void {
  process.stderr.write(`${line}\n`);
}
