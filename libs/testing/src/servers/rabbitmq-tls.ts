// A RabbitMQ that speaks TLS and demands a client certificate: the program itself where it is installed, else any RabbitMQ
// behind a front that does the same.
import { findRabbitServer, startRabbitServer } from './rabbitmq';
import { startRabbitProgram, type RabbitTls } from './rabbitmq-program';
import type { PrivateServer } from './private-server';
import { startTlsFront } from './tls-front';
import { describeWithStarted } from './with-server';

/** A `describe` whose tests have a RabbitMQ at `amqps://…@127.0.0.1` to themselves. Skipped as `describeWithRabbit` is. */
export function describeWithRabbitTls(
  title: string,
  tls: () => Promise<RabbitTls>,
  tests: (server: () => PrivateServer) => void,
): void {
  const found = findRabbitServer();
  describeWithStarted(
    title,
    found,
    async () => {
      const pems = await tls();
      return found.source === 'program' ? startRabbitProgram({ tls: pems }) : startBehindFront(pems);
    },
    tests,
  );
}

async function startBehindFront(tls: RabbitTls): Promise<PrivateServer> {
  const server = await startRabbitServer();
  const { hostname, port, username, password, pathname } = new URL(server.url);
  const target = { host: hostname, port: Number(port) };
  const front = await startTlsFront({ ...tls, requestCert: true, rejectUnauthorized: true }, target);
  return {
    ...server,
    url: `amqps://${username}:${password}@127.0.0.1:${String(front.port)}${pathname}`,
    async stop() {
      await front.close();
      await server.stop();
    },
  };
}
