import { eventually, type Receiver } from '@busbar/testing';
import { Webhook as Verifier } from 'standardwebhooks';
import { acceptedOf, openPushWorld, SECRET, type PushWorld } from './testing/push-world';

let world: PushWorld;
let receiver: Receiver;
beforeEach(async () => {
  world = await openPushWorld();
  receiver = await world.receiver();
});
afterEach(() => world.close());

const CHARGERS = ['a', 'b', 'c', 'd'];

/** Each charger's events were accepted, the first time in order. */
async function allInOrder(of: Receiver = receiver, chargers = CHARGERS): Promise<void> {
  const expected = world.idsOf(...chargers);
  await eventually(() => {
    expect(chargers.map((charger) => acceptedOf(of, charger).length)).toEqual(expected.map(({ length }) => length));
    return true;
  }, 60_000);
  expect(chargers.map((charger) => acceptedOf(of, charger))).toEqual(expected);
}

function writeMany(rounds: number): void {
  for (let n = 0; n < rounds; n += 1) for (const charger of CHARGERS) world.write(charger, charger);
}

it('delivers stored events and new ones, each once, those of a charger in order', async () => {
  world.webhook({ url: receiver.url });
  writeMany(10);
  await world.replica();
  await allInOrder();
  writeMany(10);
  await allInOrder();
  expect(receiver.requests).toHaveLength(160);
});

it('signs requests so that a Standard Webhooks library verifies them', async () => {
  world.webhook({ url: receiver.url });
  const [event] = world.write('a');
  await world.replica();
  await allInOrder(receiver, ['a']);
  const [{ headers, body }] = receiver.requests as [Receiver['requests'][number]];
  expect(new Verifier(SECRET).verify(body, headers as Record<string, string>)).toEqual(event);
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Busbar-Webhooks/1' });
  expect(() => new Verifier(SECRET).verify(`${body} `, headers as Record<string, string>)).toThrow();
});

it('signs by every secret in force', async () => {
  const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
  const [future, past] = [3_600_000, -1_000].map((ms) => new Date(Date.now() + ms).toISOString());
  world.webhook({
    url: receiver.url,
    secrets: [
      { encrypted: world.secrets.encrypt(SECRET, 'wh_1'), endsAt: null },
      { encrypted: world.secrets.encrypt(other, 'wh_1'), endsAt: future! },
      { encrypted: world.secrets.encrypt(other, 'wh_1'), endsAt: past! },
    ],
  });
  world.write('a');
  await world.replica();
  await allInOrder(receiver, ['a']);
  const [{ headers, body }] = receiver.requests as [Receiver['requests'][number]];
  for (const secret of [SECRET, other]) new Verifier(secret).verify(body, headers as Record<string, string>);
  expect(String(headers['webhook-signature']).split(' ')).toHaveLength(2);
});

it('parks an event that is always refused, and delivers the others meanwhile', async () => {
  await world.close();
  world = await openPushWorld({ timeScale: 0.001 });
  receiver = await world.receiver();
  world.webhook({ url: receiver.url });
  receiver.answer(({ event }) => ({ status: event.id === 'evt_a_2' ? 500 : 200, body: 'no' }));
  writeMany(5);
  await world.replica();
  await allInOrder(receiver, ['b', 'c', 'd']);
  expect(world.stores.dead.size).toBe(0);
  await eventually(() => acceptedOf(receiver, 'a').length === 9, 20_000);
  expect([...world.stores.dead.values()]).toMatchObject([{ eventId: 'evt_a_2', attempts: 6, lastError: 'http_500' }]);
  await eventually(() => world.stores.attempts.filter(({ eventId }) => eventId === 'evt_a_2').length === 6);
  const attempts = world.stores.attempts.filter(({ eventId }) => eventId === 'evt_a_2');
  expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(attempts[0]).toMatchObject({ outcome: 'refused', httpStatus: 500, error: 'http_500', responseBody: 'no' });
  expect(attempts[0]?.request).toMatchObject({ url: receiver.url, body: null });
  expect(attempts.map(({ nextAttemptAt }) => nextAttemptAt !== null)).toEqual([true, true, true, true, true, false]);
});

it('waits for a webhook that fails, and delivers everything in order afterwards', async () => {
  world.webhook({ url: receiver.url });
  receiver.answer(() => ({ status: 503 }));
  writeMany(20);
  await world.replica();
  await eventually(() => world.standing()?.health.status === 'failing');
  const probes = receiver.requests.length;
  await eventually(() => receiver.requests.length >= probes + 2);
  receiver.answer(() => ({ status: 204 }));
  await allInOrder();
  await eventually(() => world.standing()?.health.status === 'active');
  expect(world.stores.dead.size).toBe(0);
});

it('parks nothing while everything is refused', async () => {
  world.webhook({ url: receiver.url, ordering: 'none', maxInFlight: 32 });
  receiver.answer(() => ({ status: 500 }));
  writeMany(10);
  await world.replica();
  await eventually(() => world.standing()?.health.refusesAll === true);
  const probes = receiver.requests.length;
  await eventually(() => receiver.requests.length >= probes + 2);
  receiver.answer(() => ({ status: 200 }));
  await eventually(() => receiver.accepted().length === 80, 20_000);
  expect(world.stores.dead.size).toBe(0);
});

it('disables a webhook that is gone, announces it in the feed once, and continues when its owner enables it', async () => {
  const webhook = world.webhook({ url: receiver.url });
  const other = await world.receiver();
  world.webhook({ webhookId: 'wh_2', url: other.url });
  receiver.answer(() => ({ status: 410 }));
  world.write('a');
  await world.replica();
  await eventually(() => world.standing()?.health.status === 'disabled');
  await eventually(() => other.accepted().includes('evt_wh_1_1'));
  await eventually(() => world.standing()?.outbox === null);
  world.write('a');
  receiver.answer(() => ({ status: 200 }));
  const sent = receiver.requests.length;
  await allInOrder(other, ['a']);
  expect(receiver.requests).toHaveLength(sent);
  world.change(webhook, { activation: 2 });
  await allInOrder(receiver, ['a']);
  expect(await world.feed.lastPage({ clientId: 'c', partition: world.streams - 1 })).toBe(1);
});

it('repeats nothing after a stop in order, and little after a kill', async () => {
  world.webhook({ url: receiver.url });
  receiver.answer(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { status: 200 };
  });
  writeMany(20);
  const first = await world.replica();
  await eventually(() => receiver.requests.length > 30);
  await first.stop();
  const sent = receiver.requests.length;
  expect(new Set(receiver.requests.map(({ event }) => event.id)).size).toBe(sent);
  await world.replica();
  await allInOrder();
  expect(receiver.requests).toHaveLength(160);
});

it('moves webhooks between processes without a gap, in order', async () => {
  const receivers: Receiver[] = [];
  for (let n = 0; n < 6; n += 1) {
    const each = await world.receiver();
    receivers.push(each);
    world.webhook({ webhookId: `wh_${String(n)}`, url: each.url });
  }
  const first = await world.replica();
  writeMany(10);
  await world.replica();
  writeMany(10);
  await eventually(() => receivers.every(({ requests }) => requests.length > 0));
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  writeMany(10);
  await first.stop();
  writeMany(10);
  for (const each of receivers) await allInOrder(each);
});

it('begins again from what is stored where another process has written the standing', async () => {
  world.webhook({ url: receiver.url });
  writeMany(2);
  await world.replica();
  await allInOrder();
  await eventually(() => world.standing()?.progress.pages.some((page) => page > 0) === true);
  const standing = world.standing()!;
  world.stores.standings.set('wh_1', { ...standing, revision: standing.revision + 7 });
  writeMany(2);
  await allInOrder();
  await eventually(() => (world.standing()?.revision ?? 0) > standing.revision + 7);
});

it('continues after an outage of the store', async () => {
  world.webhook({ url: receiver.url });
  await world.replica();
  writeMany(2);
  await allInOrder();
  world.stores.cut(true);
  writeMany(2);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  world.stores.cut(false);
  writeMany(2);
  await allInOrder();
});

it('skips what was deleted by age, and shows the gap', async () => {
  world.webhook({ url: receiver.url });
  for (let n = 0; n < 5; n += 1) world.write('a');
  const partition = 'a'.charCodeAt(0) % 2;
  for (const page of [1, 2, 3]) world.lost(partition, page);
  await world.replica();
  await eventually(() => receiver.accepted().length === 2);
  expect(receiver.accepted()).toEqual(['evt_a_4', 'evt_a_5']);
  await eventually(() => world.standing()?.gap !== null && world.standing() !== undefined);
  expect(world.standing()?.gap).toEqual({ from: '2026-01-31T00:00:00.000Z', to: '2026-01-01T00:00:00.000Z' });
});

it('begins at the end of a feed that was restored', async () => {
  world.webhook({ url: receiver.url });
  const first = await world.replica();
  world.write('a');
  await eventually(() => receiver.accepted().length === 1);
  await first.stop();
  world.write('a');
  world.feed.stored.identity = { generation: 'restored', partitions: 2 };
  await world.replica();
  await eventually(() => world.standing()?.generation === 'restored');
  world.write('a');
  await eventually(() => receiver.accepted().length === 2);
  expect(receiver.accepted()).toEqual(['evt_a_1', 'evt_a_3']);
  await eventually(() => world.standing()?.gap?.to !== undefined);
});

it('replays up to a time, without repeating what came after it', async () => {
  const webhook = world.webhook({ url: receiver.url });
  await world.replica();
  const [first] = world.write('a');
  await new Promise((resolve) => setTimeout(resolve, 5));
  world.write('a', 'c');
  await eventually(() => receiver.requests.length === 3);
  await eventually(() => world.standing()?.progress.pages.includes(2) === true);
  world.change(webhook, { begin: { ...webhook.begin, id: 'b2', until: first!.timestamp } });
  await eventually(() => receiver.requests.length === 4);
  world.write('a');
  await eventually(() => receiver.requests.length === 5);
  expect(receiver.requests.map(({ event }) => event.id).slice(3)).toEqual(['evt_a_1', 'evt_a_3']);
});

describe('requests', () => {
  it('test a webhook', async () => {
    world.webhook({ url: receiver.url });
    await world.replica();
    receiver.answer(() => ({ status: 418, body: 'x'.repeat(2_000) }));
    const answer = await world.ask({ request: 'test', clientId: 'c', webhookId: 'wh_1' });
    expect(answer).toMatchObject({ result: 'tested', outcome: 'refused', httpStatus: 418, error: 'http_418' });
    expect(receiver.requests[0]?.event).toMatchObject({ type: 'webhook.test', chargerId: null });
    expect(answer).toMatchObject({ responseBody: 'x'.repeat(1_000) });
    await eventually(() => world.stores.attempts.length === 1);
    // Its event is in no feed.
    expect(world.stores.attempts[0]?.request).toMatchObject({ url: receiver.url, body: receiver.requests[0]?.body });
  });

  it.each([
    ['gone', { webhookId: 'wh_9' }],
    ['gone', { clientId: 'd' }],
  ])('answer %s: %j', async (result, over) => {
    world.webhook({ url: receiver.url });
    await world.replica();
    expect(await world.ask({ request: 'test', clientId: 'c', webhookId: 'wh_1', ...over })).toEqual({ result });
  });

  it('answer that the key is missing', async () => {
    world.webhook({ url: receiver.url, secrets: [{ encrypted: 'v1.other', endsAt: null }] });
    await world.replica();
    expect(await world.ask({ request: 'test', clientId: 'c', webhookId: 'wh_1' })).toEqual({ result: 'no_key' });
  });

  it('send parked events again, with the same id', async () => {
    world.webhook({
      url: receiver.url,
      begin: { id: 'b', generation: 'g', position: { pages: [9, 9, 9], next: 0, taken: 0 } },
    });
    await world.replica();
    const [event] = world.write('a');
    const dead = {
      webhookId: 'wh_1',
      clientId: 'c',
      eventId: 'evt_a_1',
      eventType: 'charger.state_changed',
      chargerId: 'a',
    };
    const at = new Date().toISOString();
    await world.stores.deadDeliveries.insert({
      ...dead,
      attempts: 6,
      lastError: '',
      parkedAt: at,
      event: JSON.stringify(event),
    });
    const eventIds = ['evt_a_1', 'evt_unknown_1'];
    const answer = await world.ask({ request: 'redeliver', clientId: 'c', webhookId: 'wh_1', eventIds });
    expect(answer).toEqual({ result: 'accepted', accepted: 1 });
    await eventually(() => world.stores.dead.size === 0);
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual(['evt_a_1']);
    await eventually(() => world.stores.attempts.length === 1);
    expect(world.stores.attempts[0]?.request).toMatchObject({ url: receiver.url, body: null });
  });
});
