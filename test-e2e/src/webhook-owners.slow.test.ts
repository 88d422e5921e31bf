// Two processes of push share the webhooks: one is suspended, resumed, stopped, and another joins.
import { randomBytes } from 'node:crypto';
import { describeWithServers, eventually, openReceiver, type Receiver, type ScriptedCharger } from '@busbar/testing';
import { readFeed } from './harness/feed';
import { openProcessesWorld, type ProcessesWorld } from './harness/processes';
import { startProgram, type Program } from './harness/program';
import { connect, registerCharger, terminateChargers, v2 } from './harness/world';

const LONG_MS = 180_000;
const WEBHOOKS = 6;
/** A silent process loses its webhooks after four notices of the others, every two seconds. */
const SUSPENDED_MS = 12_000;
const ENVIRONMENT = {
  PUSH_ALLOWED_CIDRS: '127.0.0.0/8',
  PUSH_PLAIN_HTTP: 'true',
  SECRETS_KEY: randomBytes(32).toString('base64'),
};

describeWithServers('two processes of push', () => {
  let world: ProcessesWorld;
  let second: Program | undefined;
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    world = await openProcessesWorld(ENVIRONMENT);
  }, LONG_MS);
  afterAll(async () => {
    terminateChargers();
    await second?.end('SIGTERM');
    await Promise.all(receivers.map((receiver) => receiver.stop()));
    await world.stop();
  }, LONG_MS);

  it(
    'lose no event and keep the order while one joins, is suspended and resumed, and one stops',
    async () => {
      const { chargerId } = await registerCharger(world);
      for (let n = 0; n < WEBHOOKS; n += 1) {
        const receiver = await openReceiver();
        receivers.push(receiver);
        const body = { url: receiver.url, chargerIds: [chargerId], types: ['socket.state_changed'] };
        expect((await v2(world, '/webhooks', { method: 'POST', body })).status).toBe(200);
      }
      const charger = await connect(world, chargerId);
      const first = world.program('push');
      await report(charger, 5);

      second = startProgram('push', {
        ...ENVIRONMENT,
        BROKER_URL: world.rabbit.url,
        STORE_URL: world.documents.url,
        INTERNAL_PORT: '0',
      });
      await second.ready();
      await reportFor(charger, 4_000);

      first.signal('SIGSTOP');
      await reportFor(charger, SUSPENDED_MS);
      first.signal('SIGCONT');
      await reportFor(charger, 4_000);

      expect(await first.end('SIGTERM')).toBe(0);
      await report(charger, 5);
      await eventually(async () => {
        const filter = `chargerIds=${chargerId}&types=socket.state_changed`;
        const expected = (await readFeed((path) => v2(world, path), filter)).map(({ id }) => id);
        expect(expected.length).toBeGreaterThan(100);
        for (const receiver of receivers) expect(receiver.accepted()).toEqual(expected);
        return true;
      }, 30_000);
      const doubles = receivers.map(({ requests, accepted }) => requests.length - accepted().length);
      // Of a process that was suspended, at most what was in flight and not stored.
      expect(Math.max(...doubles)).toBeLessThanOrEqual(200);
    },
    LONG_MS,
  );
});

async function report(charger: ScriptedCharger, rounds: number): Promise<void> {
  for (let n = 0; n < rounds; n += 1) for (const state of ['Preparing', 'Available']) await charger.status(1, state);
}

/** Five rounds a second: a feed that never rests. */
async function reportFor(charger: ScriptedCharger, ms: number): Promise<void> {
  const until = Date.now() + ms;
  while (Date.now() < until) {
    await report(charger, 1);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
