// Deliveries to webhooks, from the frame of a charger to the receiver, with faults of the receiver and of the service.
import { randomBytes } from 'node:crypto';
import { eventually, openReceiver, type Receiver, type ScriptedCharger } from '@busbar/testing';
import { Webhook as Verifier } from 'standardwebhooks';
import { inBothOwnWorlds } from './harness/in-both-worlds';
import { connect, registerCharger, v2, type World } from './harness/world';

const LONG_MS = 120_000;
const CHARGERS = 5;
const ENVIRONMENT = {
  PUSH_ALLOWED_CIDRS: '127.0.0.0/8',
  PUSH_PLAIN_HTTP: 'true',
  // A retry after 5 s comes after 5 ms.
  PUSH_TIME_SCALE: '0.001',
  SECRETS_KEY: randomBytes(32).toString('base64'),
};
const STATES = ['Preparing', 'Available'];

interface Hook {
  readonly webhookId: string;
  readonly secret: string;
  readonly receiver: Receiver;
}

interface FeedEvent {
  readonly id: string;
  readonly sequence: number;
}

inBothOwnWorlds((world) => {
  let chargerIds: string[] = [];
  let chargers: ScriptedCharger[] = [];
  const hooks: Hook[] = [];

  beforeAll(async () => {
    for (let n = 0; n < CHARGERS; n += 1) chargerIds.push((await registerCharger(world())).chargerId);
  }, LONG_MS);
  beforeEach(async () => {
    chargers = await Promise.all(chargerIds.map((chargerId) => connect(world(), chargerId)));
  });
  afterEach(async () => {
    await Promise.all(chargers.map((charger) => charger.close()));
    for (const { webhookId, receiver } of hooks.splice(0)) {
      await v2(world(), `/webhooks/${webhookId}`, { method: 'DELETE' });
      await receiver.stop();
    }
  });
  afterAll(() => {
    chargerIds = [];
  });

  async function hook(over: Readonly<Record<string, unknown>> = {}): Promise<Hook> {
    const receiver = await openReceiver();
    const body = { url: receiver.url, chargerIds, ...over };
    const { status, json } = await v2(world(), '/webhooks', { method: 'POST', body });
    expect(status).toBe(200);
    const { id, secret } = json as { id: string; secret: string };
    const made = { webhookId: id, secret, receiver };
    hooks.push(made);
    return made;
  }

  /** Each charger reports some states, which are two events each. */
  async function report(rounds: number): Promise<void> {
    for (let n = 0; n < rounds; n += 1) {
      for (const state of STATES) await Promise.all(chargers.map((charger) => charger.status(1, state)));
    }
  }

  const read = async (webhookId: string) =>
    (await v2(world(), `/webhooks/${webhookId}`)).json as Readonly<Record<string, unknown>>;

  it(
    'delivers every event of every charger in order, with the processes killed and the receiver down meanwhile',
    async () => {
      const { receiver } = await hook();
      await report(3);
      receiver.answer(() => ({ status: 503 }));
      await report(3);
      await world().restart('SIGKILL');
      chargers = await Promise.all(chargerIds.map((chargerId) => connect(world(), chargerId)));
      await report(3);
      receiver.answer(() => ({ status: 200 }));
      await report(3);
      await allInOrder(world(), chargerIds, receiver);
    },
    LONG_MS,
  );

  it(
    'parks an event that is always refused, and delivers the later ones of its charger',
    async () => {
      const { webhookId, receiver } = await hook({ types: ['socket.state_changed'] });
      let refused: string | undefined;
      receiver.answer(({ event }) => {
        refused ??= event.id;
        return { status: event.id === refused ? 500 : 200 };
      });
      await report(3);
      await eventually(async () => (await read(webhookId))['parked'] === 1, 60_000);
      const parked = await v2(world(), `/webhooks/${webhookId}/parked`);
      expect(parked.json).toMatchObject({ items: [{ eventId: refused, attempts: 6, lastError: 'http_500' }] });
      await eventually(async () => (await read(webhookId))['waiting'] === 0);
      receiver.answer(() => ({ status: 200 }));
      const again = { method: 'POST', body: { eventIds: [refused] } };
      expect((await v2(world(), `/webhooks/${webhookId}/redeliver`, again)).json).toEqual({ accepted: 1 });
      await eventually(async () => (await read(webhookId))['parked'] === 0);
      expect(receiver.accepted()).toContain(refused);
    },
    LONG_MS,
  );

  it(
    'parks nothing while a receiver refuses everything',
    async () => {
      const { webhookId, receiver } = await hook({ ordering: 'none', types: ['socket.state_changed'] });
      receiver.answer(() => ({ status: 500 }));
      await report(5);
      await eventually(async () => (await read(webhookId))['status'] === 'failing');
      receiver.answer(() => ({ status: 200 }));
      await eventually(async () => (await read(webhookId))['waiting'] === 0, 60_000);
      expect(await read(webhookId)).toMatchObject({ status: 'active', parked: 0 });
      expect(receiver.accepted().length).toBeGreaterThanOrEqual(5 * CHARGERS * STATES.length);
    },
    LONG_MS,
  );

  it(
    'signs with the old and the new secret while both are in force',
    async () => {
      const { webhookId, secret, receiver } = await hook();
      const rotated = await v2(world(), `/webhooks/${webhookId}/secret`, { method: 'POST', body: { graceS: 3600 } });
      const { secret: next } = rotated.json as { secret: string };
      const verifies = (by: string) =>
        receiver.requests.some(({ headers, body }) => {
          try {
            return Boolean(new Verifier(by).verify(body, headers as Record<string, string>));
          } catch {
            return false;
          }
        });
      await eventually(async () => {
        await report(1);
        return verifies(next);
      }, 30_000);
      expect(verifies(secret)).toBe(true);
    },
    LONG_MS,
  );

  it(
    'disables a webhook that answers 410, which is an event, and tests it after its owner enabled it',
    async () => {
      const { webhookId, receiver } = await hook();
      receiver.answer(() => ({ status: 410 }));
      await report(1);
      await eventually(async () => (await read(webhookId))['status'] === 'disabled');
      await eventually(async () => {
        const { json } = await v2(world(), '/events?types=webhook.disabled&limit=1000');
        return (json as { items: { data: { webhookId: string } }[] }).items.some(
          ({ data }) => data.webhookId === webhookId,
        );
      });
      receiver.answer(() => ({ status: 200 }));
      await v2(world(), `/webhooks/${webhookId}`, { method: 'PATCH', body: { enabled: true } });
      const tested = await v2(world(), `/webhooks/${webhookId}/test`, { method: 'POST', body: {} });
      expect(tested.json).toMatchObject({ outcome: 'delivered', httpStatus: 200 });
    },
    LONG_MS,
  );

  it.each(['https://localhost.internal/', 'http://10.1.2.3:8080/', 'https://169.254.169.254/', 'ftp://a.example/'])(
    'refuses the URL %s',
    async (url) => {
      const { status, json } = await v2(world(), '/webhooks', { method: 'POST', body: { url } });
      expect([status, (json as { code?: string }).code]).toEqual([400, 'invalid_webhook_url']);
    },
  );
}, ENVIRONMENT);

/** Every event that the feed has of these chargers since the first delivered one was accepted, the first time in order. */
async function allInOrder(world: World, chargerIds: readonly string[], receiver: Receiver): Promise<void> {
  await eventually(async () => {
    for (const chargerId of chargerIds) {
      const reply = await v2(world, `/events?chargerIds=${chargerId}&limit=1000`);
      const { items } = reply.json as { items: readonly FeedEvent[] };
      const accepted = receiver.accepted();
      const first = items.findIndex(({ id }) => accepted.includes(id));
      const expected = items.slice(first).map(({ id }) => id);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(accepted.filter((id) => expected.includes(id))).toEqual(expected);
    }
    return true;
  }, 60_000);
}
