import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { eventually } from '../eventually';
import { containerEngineAnswers } from './container-engine';
import { fixedServer } from './fixed-server';
import { freePort } from './free-port';
import type { PrivateServer, ServerFinding } from './private-server';
import { RABBITMQ_PROGRAM, rabbitAnswers, startRabbitProgram } from './rabbitmq-program';

const IMAGE = 'rabbitmq:4';
const START_MS = 60_000;
const AMQP_PORT = 5672;

/** Where a RabbitMQ for tests would come from: `TEST_AMQP_URL`, a container engine, the program of Debian's package. */
export function findRabbitServer(): ServerFinding {
  if (process.env['TEST_AMQP_URL']) return { source: 'url', reported: 'RabbitMQ: the server that TEST_AMQP_URL names' };
  if (containerEngineAnswers()) return { source: 'container', reported: `RabbitMQ: a container of ${IMAGE}` };
  if (existsSync(RABBITMQ_PROGRAM))
    return { source: 'program', reported: 'RabbitMQ: rabbitmq-server, started privately' };
  return {
    source: 'none',
    reported: 'RabbitMQ: none (set TEST_AMQP_URL, or install a container engine or the package rabbitmq-server)',
  };
}

/** Starts what `findRabbitServer` found; resolves when it takes AMQP connections. Rejects when there is none. */
export async function startRabbitServer(): Promise<PrivateServer> {
  const { source, reported } = findRabbitServer();
  switch (source) {
    case 'url':
      return fixedServer(process.env['TEST_AMQP_URL'] ?? '');
    case 'container':
      return startContainer();
    case 'program':
      return startRabbitProgram();
    case 'none':
      throw new Error(reported);
  }
}

async function startContainer(): Promise<PrivateServer> {
  // Only here: it takes its time to load, and most machines that test do so without an engine.
  const { GenericContainer, Wait, getContainerRuntimeClient } = await import('testcontainers');
  // A port chosen here stays the same over a restart; one chosen by the engine does not.
  const port = await freePort();
  const container = await new GenericContainer(IMAGE)
    .withExposedPorts({ container: AMQP_PORT, host: port })
    .withWaitStrategy(Wait.forListeningPorts())
    .withStartupTimeout(START_MS)
    .start();
  const { container: engine } = await getContainerRuntimeClient();
  const handle = engine.getById(container.getId());
  const docker = (verb: string): void => {
    execFileSync('docker', [verb, container.getId()], { stdio: 'ignore' });
  };
  const host = container.getHost();
  const untilReady = (): Promise<unknown> => eventually(() => rabbitAnswers(port, host), START_MS);
  let stopped: Promise<void> | undefined;
  await untilReady();
  return {
    url: `amqp://guest:guest@${host}:${String(port)}`,
    pid: () => undefined,
    kill: () => engine.stop(handle, { timeout: 0 }),
    async restart() {
      await engine.start(handle);
      await untilReady();
    },
    pause: () => docker('pause'),
    resume: () => docker('unpause'),
    stop: () => (stopped ??= container.stop().then(() => undefined)),
  };
}
