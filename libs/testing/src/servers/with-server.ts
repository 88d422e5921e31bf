// Tests against real servers: found, started for the file, stopped after it; or skipped with the reason in the name.
import { findDocumentServer, startDocumentServer } from './document-server';
import type { PrivateServer, ServerFinding } from './private-server';
import { findRabbitServer, startRabbitServer } from './rabbitmq';

const START_MS = 60_000;
const STOP_MS = 30_000;

type Tests = (server: () => PrivateServer) => void;

/**
 * A `describe` whose tests have a RabbitMQ to themselves. Without one: a skipped test that says why, or with
 * REQUIRE_REAL_SERVERS=1 a failing one.
 */
export function describeWithRabbit(title: string, tests: Tests): void {
  describeWithStarted(title, findRabbitServer(), startRabbitServer, tests);
}

/** The same with a durable document server. */
export function describeWithDocumentServer(title: string, tests: Tests): void {
  describeWithStarted(title, findDocumentServer(), () => startDocumentServer(), tests);
}

/** A `describe` whose tests start both servers themselves; where one is missing, as without a RabbitMQ. */
export function describeWithServers(title: string, tests: () => void): void {
  const missing = [findRabbitServer(), findDocumentServer()].find(({ source }) => source === 'none');
  if (missing === undefined) describe(title, tests);
  else describeWithout(title, missing.reported);
}

/** A `describe` with what was found, started by the function. */
export function describeWithStarted(
  title: string,
  found: ServerFinding,
  start: () => Promise<PrivateServer>,
  tests: Tests,
): void {
  // Not console.log: jest would add a stack to the one line.
  process.stdout.write(`${found.reported}\n`);
  if (found.source === 'none') {
    describeWithout(title, found.reported);
    return;
  }
  describe(title, () => {
    let server: PrivateServer | undefined;
    beforeAll(async () => {
      server = await start();
    }, START_MS);
    afterAll(async () => {
      await server?.stop();
    }, STOP_MS);
    tests(() => {
      if (!server) throw new Error('the server is there only inside tests and their hooks');
      return server;
    });
  });
}

function describeWithout(title: string, reported: string): void {
  describe(title, () => {
    if (process.env['REQUIRE_REAL_SERVERS'] === '1') {
      it('needs a real server', () => {
        throw new Error(reported);
      });
      return;
    }
    it.skip(`is skipped: ${reported}`, () => undefined);
  });
}
