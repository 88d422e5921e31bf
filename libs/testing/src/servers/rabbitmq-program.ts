// A RabbitMQ of its own for one test file: own node name, ports, directories and epmd, so that any number of them run
// beside each other and beside the machine's.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, closeSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { eventually } from '../eventually';
import { freePort } from './free-port';
import { createGuard, type Guard } from './guard';
import { pauseProcess } from './pause-process';
import type { PrivateServer } from './private-server';

/** Not the wrapper in sbin: that one changes the user. */
export const RABBITMQ_PROGRAM = '/usr/lib/rabbitmq/bin/rabbitmq-server';

const START_MS = 60_000;
const LOG_TAIL = 2_000;

/** PEM. A client without a certificate of the same authority is refused. */
export interface RabbitTls {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export interface RabbitOptions {
  /** A second listener, for AMQP over TLS; `url` is its address. */
  readonly tls?: RabbitTls;
  /** A port on loopback for the plugin that shows Prometheus its metrics. */
  readonly metricsPort?: number;
}

interface Ports {
  readonly amqp: number;
  readonly tls: number;
  readonly distribution: number;
  readonly epmd: number;
}

/** Starts the program; resolves when it accepts AMQP connections, rejects with the end of its log when it does not. */
export async function startRabbitProgram(options: RabbitOptions = {}): Promise<PrivateServer> {
  const { tls } = options;
  const guard = createGuard('busbar-rabbitmq');
  const ports: Ports = {
    amqp: await freePort(),
    tls: await freePort(),
    distribution: await freePort(),
    epmd: await freePort(),
  };
  const environment = prepare(guard.directory, ports, options);
  // Started by the test, not by Erlang: then its id is known, and it ends with the test.
  const epmd = launch(guard, 'epmd', ['epmd', '-address', '127.0.0.1', '-port', String(ports.epmd)], process.env);
  let server: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    server = launch(guard, 'server', [RABBITMQ_PROGRAM], environment);
    await untilReady(server, ports.amqp, guard.directory);
  };
  const kill = async (): Promise<void> => {
    if (!server) return;
    await end(guard, 'server', server);
    server = undefined;
    // The shell that led the group is gone; its Erlang machine may still be on the way out, and a restart needs the port.
    await eventually(async () => !(await rabbitAnswers(ports.amqp)));
  };
  const stop = async (): Promise<void> => {
    await kill();
    await end(guard, 'epmd', epmd);
    await guard.release();
  };
  const runningPid = (): number => {
    const pid = readPid(guard.directory);
    if (pid === undefined) throw new Error('the server does not run');
    return pid;
  };

  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  let stopped: Promise<void> | undefined;
  return {
    url: `${tls === undefined ? 'amqp' : 'amqps'}://guest:guest@127.0.0.1:${String(tls === undefined ? ports.amqp : ports.tls)}`,
    pid: () => (server ? readPid(guard.directory) : undefined),
    kill,
    restart: async () => {
      await kill();
      await start();
    },
    pause: () => pauseProcess(runningPid()),
    resume: () => void process.kill(runningPid(), 'SIGCONT'),
    stop: () => (stopped ??= stop()),
  };
}

/** True once it serves: it answers the protocol header with Connection.Start, a method frame (type 1). */
export function rabbitAnswers(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => socket.write(Buffer.from('AMQP\u0000\u0000\u0009\u0001', 'latin1')));
    const reported = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => reported(false));
    socket.once('data', (data) => reported(data[0] === 1));
    socket.once('error', () => reported(false));
    socket.once('close', () => reported(false));
  });
}

function prepare(directory: string, ports: Ports, { tls, metricsPort }: RabbitOptions): NodeJS.ProcessEnv {
  mkdirSync(join(directory, 'data'));
  mkdirSync(join(directory, 'log'));
  const plugins = metricsPort === undefined ? '' : 'rabbitmq_prometheus';
  writeFileSync(join(directory, 'enabled_plugins'), `[${plugins}].\n`);
  const configuration = [
    ...(tls === undefined ? [] : tlsConfiguration(directory, ports.tls, tls)),
    ...(metricsPort === undefined
      ? []
      : ['prometheus.tcp.ip = 127.0.0.1', `prometheus.tcp.port = ${String(metricsPort)}`]),
  ];
  writeFileSync(join(directory, 'rabbitmq.conf'), configuration.map((line) => `${line}\n`).join(''));
  return {
    PATH: process.env['PATH'],
    LANG: 'C.UTF-8',
    HOME: directory,
    RABBITMQ_NODENAME: `busbar-${randomUUID().slice(0, 8)}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(ports.amqp),
    RABBITMQ_DIST_PORT: String(ports.distribution),
    RABBITMQ_MNESIA_BASE: join(directory, 'data'),
    RABBITMQ_LOG_BASE: join(directory, 'log'),
    RABBITMQ_CONFIG_FILE: join(directory, 'rabbitmq.conf'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(directory, 'enabled_plugins'),
    RABBITMQ_PID_FILE: pidFile(directory),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
    ERL_EPMD_ADDRESS: '127.0.0.1',
    // Otherwise it is written where the test runs.
    ERL_CRASH_DUMP: join(directory, 'erl_crash.dump'),
    ERL_EPMD_PORT: String(ports.epmd),
  };
}

function tlsConfiguration(directory: string, port: number, tls: RabbitTls): readonly string[] {
  const file = (name: keyof RabbitTls): string => {
    const path = join(directory, `${name}.pem`);
    writeFileSync(path, tls[name], { mode: 0o600 });
    return path;
  };
  return [
    `listeners.ssl.1 = 127.0.0.1:${String(port)}`,
    `ssl_options.cacertfile = ${file('ca')}`,
    `ssl_options.certfile = ${file('cert')}`,
    `ssl_options.keyfile = ${file('key')}`,
    'ssl_options.verify = verify_peer',
    'ssl_options.fail_if_no_peer_cert = true',
  ];
}

function launch(
  guard: Guard,
  name: string,
  [program, ...programArguments]: readonly [string, ...string[]],
  environment: NodeJS.ProcessEnv,
): ChildProcess {
  const output = openSync(join(guard.directory, `${name}.out`), 'a');
  const child = spawn(program, programArguments, {
    // A group of its own: what it starts itself is killed with it, and Ctrl-C does not reach it before the test does.
    detached: true,
    stdio: ['ignore', output, output],
    env: environment,
  });
  closeSync(output);
  child.on('error', () => undefined);
  child.unref();
  if (child.pid !== undefined) guard.watch(name, child.pid);
  return child;
}

async function end(guard: Guard, name: string, child: ChildProcess): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    child.ref();
    process.kill(-child.pid, 'SIGKILL');
    await gone;
  }
  guard.forget(name);
}

async function untilReady(server: ChildProcess, port: number, directory: string): Promise<void> {
  const ready = eventually(async () => {
    if (server.exitCode !== null || server.signalCode !== null || server.pid === undefined) return 'ended' as const;
    return (await rabbitAnswers(port)) && readPid(directory) !== undefined ? ('ready' as const) : undefined;
  }, START_MS);
  const outcome = await ready.catch(() => 'silent' as const);
  if (outcome === 'ready') return;
  throw new Error(`rabbitmq-server did not start (${outcome}): ${tail(join(directory, 'server.out'))}`);
}

function pidFile(directory: string): string {
  return join(directory, 'server.pid');
}

function readPid(directory: string): number | undefined {
  if (!existsSync(pidFile(directory))) return undefined;
  const pid = Number.parseInt(readFileSync(pidFile(directory), 'utf8'), 10);
  return Number.isInteger(pid) ? pid : undefined;
}

function tail(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8').slice(-LOG_TAIL) : 'no output';
}
