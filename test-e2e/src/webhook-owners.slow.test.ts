// Two processes of push share the webhooks: one is suspended, resumed, stopped, and another joins.
import { randomBytes } from 'node:crypto';
import { ownerAmong } from '@busbar/runtime';
import { describeWithServers, eventually, openReceiver, type Receiver, type ScriptedCharger } from '@busbar/testing';
import { readFeed } from './harness/feed';
import { openProcessesWorld, type ProcessesWorld } from './harness/processes';
import { startProgram, type Program } from './harness/program';
import { connect, registerCharger, terminateChargers, v2 } from './harness/world';

const LONG_MS = 180_000;
/** The client's most are 16. Each process has some of them, but for once in two thousand runs. */
const WEBHOOKS = 12;
/** A silent process loses its webhooks after four notices of the others, every two seconds. */
const SUSPENDED_MS = 20_000;
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

  async function subscribe(chargerId: string): Promise<Subscribed> {
    const receiver = await openReceiver();
    receivers.push(receiver);
    const body = { url: receiver.url, chargerIds: [chargerId], types: ['socket.state_changed'] };
    const { status, json } = await v2(world, '/webhooks', { method: 'POST', body });
    expect(status).toBe(200);
    return { webhookId: (json as { id: string }).id, receiver };
  }

  /** Resolves when every receiver has every event, in their order. */
  async function untilDelivered(chargerId: string): Promise<void> {
    await eventually(async () => {
      const filter = `chargerIds=${chargerId}&types=socket.state_changed`;
      const expected = (await readFeed((path) => v2(world, path), filter)).map(({ id }) => id);
      for (const receiver of receivers) expect(receiver.accepted()).toEqual(expected);
      return expected.length > 0;
    }, 30_000);
  }

  it(
    '5: lose no event while one joins, is suspended for 20 s and resumed, and stops, and repeat only for webhooks that moved',
    async () => {
      const { chargerId } = await registerCharger(world);
      const webhooks: Subscribed[] = [];
      for (let n = 0; n < WEBHOOKS; n += 1) webhooks.push(await subscribe(chargerId));
      const charger = await connect(world, chargerId);
      const first = world.program('push');
      await report(charger, 5);
      await untilDelivered(chargerId);

      second = startProgram('push', {
        ...ENVIRONMENT,
        BROKER_URL: world.rabbit.url,
        STORE_URL: world.documents.url,
        INTERNAL_PORT: '0',
      });
      await second.ready();
      await reportFor(charger, 4_000);
      await untilDelivered(chargerId);
      const replicas = [first, second].map((program) => ({ replicaId: replicaIdOf(program), reads: 1 }));
      const [ofFirst, ofSecond] = replicas.map(({ replicaId }) =>
        webhooks.filter(({ webhookId }) => ownerAmong(webhookId, replicas) === replicaId),
      );
      expect(ofFirst?.map(doublesOf)).toEqual(ofFirst?.map(() => 0));
      const afterJoin = ofSecond?.map(doublesOf);

      first.signal('SIGSTOP');
      await reportFor(charger, SUSPENDED_MS);
      first.signal('SIGCONT');
      await reportFor(charger, 4_000);
      await untilDelivered(chargerId);
      expect(ofSecond?.map(doublesOf)).toEqual(afterJoin);

      const beforeStop = webhooks.map(doublesOf);
      expect(await first.end('SIGTERM')).toBe(0);
      await report(charger, 5);
      await untilDelivered(chargerId);
      // What was in flight has ended, and where it stands is stored.
      expect(webhooks.map(doublesOf)).toEqual(beforeStop);
      // Of a process that was suspended, at most what was in flight and not stored.
      expect(Math.max(...beforeStop)).toBeLessThanOrEqual(200);
    },
    LONG_MS,
  );
});

interface Subscribed {
  readonly webhookId: string;
  readonly receiver: Receiver;
}

function doublesOf({ receiver }: Subscribed): number {
  return receiver.requests.length - receiver.accepted().length;
}

/** It is in a line of the log. */
function replicaIdOf(program: Program): string {
  const found = /"replicaId":"([^"]+)"/.exec(program.output())?.[1];
  if (found === undefined) throw new Error('push has not written its replicaId');
  return found;
}

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
