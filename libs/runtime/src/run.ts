// Runs a service as a process: signals, deadline, exit code, and one sentence for a failure that an operator can fix.
import { constants } from 'node:os';
import { systemClock, type Clock, type Logger, type Service } from '@busbar/core';
import { replyToArguments } from './arguments';
import { readBuildInfo, type BuildInfo } from './build-info';
import { createLogger } from './logger';
import { createMetrics, type Metrics } from './metrics';
import { SCHEMA_VERSION } from './migrations/migrations';
import { readSettings } from './settings/read-settings';
import type { SettingsCheck, SettingsOf, SettingsSpec } from './settings/setting';
import type { processSettings } from './settings/shared-settings';
import { startFailure } from './start-failure';
import { startTracing } from './tracing/start-tracing';
import type { Tracing } from './tracing/tracing';

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
}

export interface Program<S extends ProgramSpec> {
  readonly name: string;
  readonly settings: S;
  /** Rules about settings that must agree, reported together with every wrong setting. */
  readonly checks?: readonly SettingsCheck<SettingsOf<S>>[];
  /** Wires the service; a rejection counts as a failed start. */
  create(context: ProgramContext<S>): Service | Promise<Service>;
}

/**
 * Ctrl-C reaches the process from the terminal and again from npm, which forwards it. A second signal counts only after this.
 */
const SAME_SIGNAL_MS = 300;
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Runs a service until a signal. SIGTERM and SIGINT stop it in order within `SHUTDOWN_TIMEOUT_S`, exit code 0; a second one
 * ends the process at once. A failed start gives code 1 and one sentence on standard error. An uncaught error is logged and
 * stops the service, code 1. With the argument `--version` or `--help` it only prints.
 */
export async function run<S extends ProgramSpec>(program: Program<S>): Promise<void> {
  let context: ProgramContext<S>;
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
  const shutdown = createShutdown(logger, settings.shutdownTimeoutS * 1000);
  try {
    const { version } = build;
    const tracing = await startTracing({ service: program.name, version, settings, clock, logger });
    const service = withTracing(await program.create({ ...context, tracing }), tracing);
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

function contextOf<S extends ProgramSpec>(program: Program<S>): ProgramContext<S> {
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

interface Shutdown {
  watch(service: Service): void;
  begun(): boolean;
}

function createShutdown(logger: Logger, withinMs: number): Shutdown {
  let watched: Service | undefined;
  let begunAt: number | undefined;

  const begin = (exitCode: number): void => {
    begunAt = performance.now();
    setTimeout(() => {
      logger.error({ withinMs }, 'did not stop in time: exiting');
      process.exit(1);
    }, withinMs);
    stopAndExit(watched, exitCode, logger);
  };

  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (begunAt === undefined) {
        logger.info({ signal }, 'stopping');
        begin(0);
      } else if (performance.now() - begunAt > SAME_SIGNAL_MS) {
        process.exit(128 + constants.signals[signal]);
      }
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error: unknown) => {
      logger.error({ err: error, event }, 'uncaught error: stopping');
      if (begunAt === undefined) begin(1);
    });
  }

  return {
    watch(service) {
      watched = service;
    },
    begun: () => begunAt !== undefined,
  };
}

function stopAndExit(service: Service | undefined, exitCode: number, logger: Logger): void {
  const stopped = service?.stop() ?? Promise.resolve();
  stopped.then(
    () => {
      logger.info({ exitCode }, 'stopped');
      process.exit(exitCode);
    },
    (error: unknown) => {
      logger.error({ err: error }, 'failed to stop in order');
      process.exit(1);
    },
  );
}

function exitWithFailure(error: unknown, logger: Logger | undefined): never {
  const sentence = startFailure(error);
  if (sentence !== undefined) process.stderr.write(`${sentence}\n`);
  else if (logger === undefined) process.stderr.write(`${String(error)}\n`);
  else logger.error({ err: error }, 'failed to start');
  process.exit(1);
}
