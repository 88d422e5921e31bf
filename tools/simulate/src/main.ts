import { readFileSync } from 'node:fs';
import { setMaxListeners } from 'node:events';
import { AppError } from '@busbar/core';
import { readSettings, startFailure, versionLine } from '@busbar/runtime';
import { administer } from '@busbar/operations';
import { driverTags } from './behaviours';
import { simulateSettings } from './config';
import { summaryLine } from './counts';
import { createDisplay } from './display';
import { readOptions, USAGE, type Options } from './options';
import { findPlace } from './place';
import { register, type Administer } from './registration';
import { runReceiver, type ReceiverOptions } from './receiver';
import { parseScript, type Script } from './script/format';
import { tagsOf } from './script/tags';
import { tlsFor } from './service-tls';
import { simulate } from './simulation';
import { createTrace, TRACE_ALL } from './trace';

const DEFAULT_CHARGERS = 10;
const MAX_SCRIPT_BYTES = 1_000_000;
const TIME_IS_UP = 'time is up';

void main();

async function main(): Promise<void> {
  const stop = new AbortController();
  // Every charger listens to it.
  setMaxListeners(0, stop.signal);
  // More than one signal changes nothing: the sockets are closed within seconds anyway.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop.abort());
  try {
    const options = readOptions(process.argv.slice(2), process.env);
    if (options.wants === 'help') process.stdout.write(`${USAGE}\n`);
    else if (options.wants === 'version') process.stdout.write(`${versionLine('simulate')}\n`);
    else if (options.receiver !== undefined) await receive(options, options.receiver, stop);
    else if (!(await run(options, stop))) process.exit(1);
    process.exit(0);
  } catch (error) {
    const sentence = startFailure(error);
    process.stderr.write(`${sentence ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`);
    process.exit(1);
  }
}

/** Without chargers: until Ctrl-C, or for `--duration`. */
async function receive(options: Options, receiver: ReceiverOptions, stop: AbortController): Promise<void> {
  if (options.durationS > 0) setTimeout(() => stop.abort(TIME_IS_UP), options.durationS * 1000).unref();
  await runReceiver({ ...receiver, print: (line) => process.stdout.write(`${line}\n`), stop: stop.signal });
}

/** False where a script failed, or where no charger ever connected in the whole `--duration`. */
async function run(options: Options, stop: AbortController): Promise<boolean> {
  const scenario = 'file' in options.scenario ? { script: readScript(options.scenario.file) } : options.scenario;
  const script = 'script' in scenario ? scenario.script : undefined;
  const chargerIds = chargerIdsOf(options, script);
  const settings = readSettings(simulateSettings, process.env);
  const ask: Administer = async (line) => (await administer(settings, line)).data;
  const { url, origin } = await findPlace(options, ask);
  if (options.register) await registerAll(options, { origin, chargerIds, script }, ask);
  if (options.durationS > 0) setTimeout(() => stop.abort(TIME_IS_UP), options.durationS * 1000).unref();
  const what = 'behaviour' in scenario ? scenario.behaviour : (scenario.script.name ?? 'script');
  process.stdout.write(`${countOf(chargerIds)} at ${url} (${what}); Ctrl-C ends the run.\n`);
  const display = createDisplay(process.stdout);
  const { counts, isSuccess } = await simulate({
    url,
    tls: tlsFor(new URL(url), options),
    chargerIds,
    sockets: options.sockets,
    versions: options.versions,
    password: options.password,
    scenario,
    keepSessions: options.keepSessions,
    stop: stop.signal,
    trace: createTrace(options.trace, (line) => display.print(line)),
    display,
  });
  process.stdout.write(`${summaryLine(counts)}\n`);
  return isSuccess && !(stop.signal.reason === TIME_IS_UP && counts.connections === 0);
}

function chargerIdsOf({ chargers, prefix, trace }: Options, script: Script | undefined): string[] {
  const length = chargers ?? (script === undefined ? DEFAULT_CHARGERS : (script.chargers ?? 1));
  const chargerIds = Array.from({ length }, (_, i) => `${prefix}_${String(i + 1)}`);
  if (trace === undefined || trace === TRACE_ALL || chargerIds.includes(trace)) return chargerIds;
  throw new AppError(
    'invalid_request',
    `--trace ${trace} is no charger of this run: they are ${prefix}_1 to ${prefix}_${String(length)}.`,
  );
}

interface Registered {
  readonly origin: string | undefined;
  readonly chargerIds: readonly string[];
  readonly script: Script | undefined;
}

async function registerAll(
  options: Options,
  { origin, chargerIds, script }: Registered,
  ask: Administer,
): Promise<void> {
  if (origin === undefined) {
    throw new AppError('invalid_request', '--register needs the HTTP API: name it with --api https://host:port.');
  }
  process.stdout.write(`Registering ${countOf(chargerIds)} …\n`);
  const tags = script === undefined ? driverTags(chargerIds.length * options.sockets) : tagsOf(script);
  await register({ ...options, origin, tls: tlsFor(new URL(origin), options), chargerIds, tags }, ask);
}

function readScript(file: string): Script {
  let source: string;
  try {
    source = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new AppError('invalid_request', `--scenario ${file} cannot be read: ${(cause as Error).message}.`, { cause });
  }
  if (source.length > MAX_SCRIPT_BYTES) throw new AppError('invalid_request', `--scenario ${file} is too large.`);
  return parseScript(file, source);
}

function countOf(chargerIds: readonly string[]): string {
  return `${String(chargerIds.length)} charger${chargerIds.length === 1 ? '' : 's'}`;
}
