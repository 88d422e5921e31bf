// Runs a service as a process: settings, log, stop and exit code, and one sentence for a failure that an operator can fix.
import { systemClock, type Clock, type Logger, type Service } from '@busbar/core';
import { replyToArguments } from './arguments';
import { readBuildInfo, type BuildInfo } from './build-info';
import { createLogger } from '../logger';
import { createMetrics, type Metrics } from '../metrics/metrics';
import { SCHEMA_VERSION } from '../migrations/migrations';
import { readSettings } from '../settings/read-settings';
import type { SettingsCheck, SettingsOf, SettingsSpec } from '../settings/setting';
import type { processSettings } from '../settings/shared-settings';
import { createShutdown } from './shutdown';
import { startFailure } from './start-failure';
import { startTracing } from '../tracing/start-tracing';
import type { Tracing } from '../tracing/tracing';

type ProcessSpec = ReturnType<typeof processSettings>;
export type ProgramSpec = SettingsSpec & ProcessSpec;

export interface ProgramContext<S extends ProgramSpec> {
  readonly settings: SettingsOf<S>;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Undefined where tracing is off. */
  readonly tracing?: Tracing | undefined;
  readonly build: BuildInfo;
  /** A stop was requested. The process is unready, and continues for `SHUTDOWN_DELAY_S` before it stops. */
  readonly stopping: () => boolean;
}

type Prepared<S extends ProgramSpec> = Omit<ProgramContext<S>, 'tracing' | 'stopping'>;

export interface Program<S extends ProgramSpec> {
  readonly name: string;
  readonly settings: S;
  /** Rules about settings that must agree, reported together with every wrong setting. */
  readonly checks?: readonly SettingsCheck<SettingsOf<S>>[];
  /** Wires the service; a rejection counts as a failed start. */
  create(context: ProgramContext<S>): Service | Promise<Service>;
}

/**
 * Runs a service until a signal. SIGTERM stops it in order after `SHUTDOWN_DELAY_S`, SIGINT at once, each within
 * `SHUTDOWN_TIMEOUT_S` and with exit code 0; a second one ends the process at once. A failed start gives code 1 and one sentence on standard error. An uncaught error is logged and
 * stops the service, code 1. With the argument `--version` or `--help` it only prints.
 */
export async function run<S extends ProgramSpec>(program: Program<S>): Promise<void> {
  let context: Prepared<S>;
  try {
    const reply = replyToArguments(program, process.argv.slice(2));
    if (reply !== undefined) {
      process.stdout.write(`${reply}\n`);
      return;
    }
    context = contextOf(program);
  } catch (error) {
    exitWithFailure(error, undefined);
  }
  const { logger, clock, build } = context;
  logger.info({ ...build, node: process.version }, 'starting');
  const settings = settingsOf<ProcessSpec>(program);
  const { shutdownDelayS, shutdownTimeoutS } = settings;
  const shutdown = createShutdown(logger, { delayMs: shutdownDelayS * 1000, withinMs: shutdownTimeoutS * 1000 });
  try {
    const { version } = build;
    const tracing = await startTracing({ service: program.name, version, settings, clock, logger });
    const service = withTracing(await program.create({ ...context, tracing, stopping: shutdown.requested }), tracing);
    shutdown.watch(service);
    await service.start();
    if (!shutdown.begun()) logger.info({}, 'ready');
  } catch (error) {
    if (!shutdown.begun()) exitWithFailure(error, logger);
  }
}

/** The last spans are those of the stop. */
function withTracing(service: Service, tracing: Tracing | undefined): Service {
  if (tracing === undefined) return service;
  return { ...service, stop: () => service.stop().finally(() => tracing.stop()) };
}

function contextOf<S extends ProgramSpec>(program: Program<S>): Prepared<S> {
  const { name, checks } = program;
  // All of them, so that one start reports every fault.
  const settings = readSettings(program.settings, process.env, checks);
  const metrics = createMetrics({ processMetrics: true });
  const build = readBuildInfo();
  measureBuild(metrics, name, build);
  return {
    settings,
    logger: createLogger({ level: settingsOf<ProcessSpec>(program).logLevel, name }),
    clock: systemClock,
    metrics,
    build,
  };
}

/** Prometheus takes an empty label for an absent one. */
function measureBuild(metrics: Metrics, service: string, { version, revision = '' }: BuildInfo): void {
  const info = metrics.gauge({
    name: 'busbar_build_info',
    help: 'Always 1. The labels name the version, the schema version, the git revision and the service of this process.',
    labels: ['version', 'schema', 'revision', 'service'],
  });
  info.set({ version, schema: String(SCHEMA_VERSION), revision, service }, 1);
}

/** Reads the settings as a spec: all that the program declares, or only those of every process. */
function settingsOf<S extends SettingsSpec>(program: { readonly settings: S }): SettingsOf<S> {
  return readSettings(program.settings, process.env);
}

function exitWithFailure(error: unknown, logger: Logger | undefined): never {
  const sentence = startFailure(error);
  if (sentence !== undefined) process.stderr.write(`${sentence}\n`);
  else if (logger === undefined) process.stderr.write(`${String(error)}\n`);
  else logger.error({ err: error }, 'failed to start');
  process.exit(1);
}
