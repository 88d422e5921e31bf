import { setMaxListeners } from 'node:events';
import { AppError } from '@busbar/core';
import { readSettings, startFailure } from '@busbar/runtime';
import { administer } from '@busbar/operations';
import { simulateSettings } from './config';
import { lineOf } from './counts';
import { readOptions, USAGE, type Options } from './options';
import { findPlace } from './place';
import { register, type Administer } from './registration';
import { simulate } from './simulation';

void main();

async function main(): Promise<void> {
  const stop = new AbortController();
  // Every charger listens to it.
  setMaxListeners(0, stop.signal);
  // More than one signal changes nothing: the sockets are closed within seconds anyway.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop.abort());
  try {
    const options = readOptions(process.argv.slice(2), process.env);
    if (options.wantsHelp) process.stdout.write(`${USAGE}\n`);
    else await run(options, stop);
    process.exit(0);
  } catch (error) {
    const sentence = startFailure(error);
    process.stderr.write(`${sentence ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`);
    process.exit(1);
  }
}

async function run(options: Options, stop: AbortController): Promise<void> {
  const settings = readSettings(simulateSettings, process.env);
  const ask: Administer = async (line) => (await administer(settings, line)).data;
  const { url, origin } = await findPlace(options.url, ask);
  const chargerIds = Array.from({ length: options.chargers }, (_, i) => `${options.prefix}_${String(i + 1)}`);
  if (options.register) {
    if (origin === undefined) throw new AppError('invalid_request', '--register needs a wss:// address in --url.');
    process.stdout.write(`Registering ${String(chargerIds.length)} chargers …\n`);
    await register({ origin, chargerIds, client: options.client }, ask);
  }
  if (options.durationS > 0) setTimeout(() => stop.abort(), options.durationS * 1000).unref();
  process.stdout.write(`${String(chargerIds.length)} chargers at ${url} (${options.scenario}); Ctrl-C ends it.\n`);
  const counts = await simulate({
    url,
    chargerIds,
    scenario: options.scenario,
    stop: stop.signal,
    show: createDisplay(),
  });
  process.stdout.write(`\n${lineOf(counts)}\n`);
}

/** One line that changes in place; where there is no terminal, a line of its own now and then. */
function createDisplay(): (line: string) => void {
  const everyNth = 5;
  let shown = 0;
  return (line) => {
    if (process.stdout.isTTY) process.stdout.write(`\r\u001b[2K${line}`);
    else if (shown % everyNth === 0) process.stdout.write(`${line}\n`);
    shown += 1;
  };
}
