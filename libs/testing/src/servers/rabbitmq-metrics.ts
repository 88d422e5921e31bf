// A RabbitMQ that shows Prometheus its metrics: the program itself, since only there the plugin's port is known to be loopback's.
import { existsSync } from 'node:fs';
import { freePort } from './free-port';
import type { PrivateServer, ServerFinding } from './private-server';
import { RABBITMQ_PROGRAM, startRabbitProgram } from './rabbitmq-program';
import { describeWithStarted } from './with-server';

/** A `describe` whose tests have a RabbitMQ to themselves, and the URL below which its plugin rabbitmq_prometheus answers. */
export function describeWithRabbitMetrics(
  title: string,
  tests: (server: () => PrivateServer, metricsUrl: () => string) => void,
): void {
  let port = 0;
  const start = async (): Promise<PrivateServer> => {
    port = await freePort();
    return startRabbitProgram({ metricsPort: port });
  };
  describeWithStarted(title, find(), start, (server) =>
    tests(server, () => `http://127.0.0.1:${String(port)}/metrics`),
  );
}

function find(): ServerFinding {
  return existsSync(RABBITMQ_PROGRAM)
    ? { source: 'program', reported: 'RabbitMQ with its metrics: rabbitmq-server, started privately' }
    : { source: 'none', reported: 'RabbitMQ with its metrics: none (install the package rabbitmq-server)' };
}
