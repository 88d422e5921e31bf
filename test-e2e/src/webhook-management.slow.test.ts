// What owners do with webhooks while events are delivered: another secret, a replay, a pause; and the addresses that are refused.
import { randomBytes } from 'node:crypto';
import { eventually, openReceiver, type Receiver, type ScriptedCharger } from '@busbar/testing';
import { Webhook as Verifier } from 'standardwebhooks';
import { inBothOwnWorlds } from './harness/in-both-worlds';
import { connect, registerCharger, v2 } from './harness/world';

const LONG_MS = 120_000;
const GRACE_S = 2;
const ENVIRONMENT = {
  PUSH_ALLOWED_CIDRS: '127.0.0.0/8',
  PUSH_PLAIN_HTTP: 'true',
  SECRETS_KEY: randomBytes(32).toString('base64'),
};
/** Section 6 of the rules of events, without what this network permits. */
const REFUSED = [
  ...['10.0.0.1', '172.16.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '192.0.0.170', '198.18.0.1'],
  ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
  ...['167772161', '0xa.1', '012.0.0.1', '10。0。0。1', '10.0.0.1.'],
  ...['[::]', '[fc00::1]', '[fd00:ec2::254]', '[fe80::1]', '[fec0::1]', '[::ffff:10.0.0.1]', '[::ffff:127.0.0.1]'],
  ...['[64:ff9b::808:808]', '[64:ff9b:1::808:808]', '[2002:808:808::1]', '[2001::1]', '[2001:db8::1]', '[ff02::1]'],
  ...['a.localhost', 'printer.local', 'metadata.google.internal', 'router.home.arpa'],
];

interface Hook {
  readonly webhookId: string;
  readonly secret: string;
  readonly receiver: Receiver;
}

inBothOwnWorlds((world) => {
  let chargerId: string;
  let charger: ScriptedCharger;
  let hook: Hook;

  beforeEach(async () => {
    // Its own charger: what another test reported may be stored late.
    ({ chargerId } = await registerCharger(world()));
    charger = await connect(world(), chargerId);
    const receiver = await openReceiver();
    const body = { url: receiver.url, chargerIds: [chargerId], types: ['socket.state_changed'] };
    const { status, json } = await v2(world(), '/webhooks', { method: 'POST', body });
    expect(status).toBe(200);
    const { id, secret } = json as { id: string; secret: string };
    hook = { webhookId: id, secret, receiver };
  });
  afterEach(async () => {
    await v2(world(), `/webhooks/${hook.webhookId}`, { method: 'DELETE' });
    await hook.receiver.stop();
    await charger.close();
  });

  const path = (rest = '') => `/webhooks/${hook.webhookId}${rest}`;
  const post = (rest: string, body: object) => v2(world(), path(rest), { method: 'POST', body });
  const patch = (body: object) => v2(world(), path(), { method: 'PATCH', body });
  const read = async () => (await v2(world(), path())).json as Readonly<Record<string, unknown>>;
  const idle = () => eventually(async () => (await read())['waiting'] === 0, 30_000);

  async function report(rounds: number): Promise<void> {
    for (let n = 0; n < rounds; n += 1) {
      for (const state of ['Preparing', 'Available']) await charger.status(1, state);
    }
  }

  function signers(secrets: Readonly<Record<string, string>>) {
    return hook.receiver.requests.map(({ headers, body }) =>
      Object.entries(secrets)
        .filter(([, secret]) => {
          try {
            return Boolean(new Verifier(secret).verify(body, headers as Record<string, string>));
          } catch {
            return false;
          }
        })
        .map(([name]) => name)
        .join('+'),
    );
  }

  it(
    '6: signs every request under load with the old or the new secret, and after the grace with the new one alone',
    async () => {
      const load = new AbortController();
      const loaded = (async () => {
        while (!load.signal.aborted) await report(1);
      })();
      await eventually(() => hook.receiver.requests.length >= 10, 30_000);
      const { secret: next } = (await post('/secret', { graceS: GRACE_S })).json as { secret: string };
      const secrets = { old: hook.secret, new: next };
      await eventually(() => signers(secrets).includes('old+new'), 30_000);
      await eventually(() => signers(secrets).at(-1) === 'new', 30_000);
      load.abort();
      await loaded;
      const all = signers(secrets);
      expect(new Set(all)).toEqual(new Set(['old', 'old+new', 'new']));
      // In this order, each for some time.
      expect(all.slice(all.indexOf('new')).every((by) => by === 'new')).toBe(true);
    },
    LONG_MS,
  );

  it(
    'delivers a part of the feed again, in order, and shows each attempt in the log',
    async () => {
      const { cursor } = (await v2(world(), '/events?after=now')).json as { cursor: string };
      await report(2);
      await eventually(() => hook.receiver.accepted().length === 4, 30_000);
      const first = hook.receiver.requests.map(({ event }) => event.id);
      expect((await post('/replay', { after: cursor })).json).toEqual({ from: cursor });
      await eventually(() => hook.receiver.requests.length === 8, 30_000);
      expect(hook.receiver.requests.slice(4).map(({ event }) => event.id)).toEqual(first);
      await eventually(async () => {
        const { json } = await v2(world(), path('/deliveries?outcome=delivered'));
        return (json as { totalRecords: number }).totalRecords === 8;
      }, 30_000);
      const redelivered = await post('/redeliver', { eventIds: [first[1], 'evt_unknown_1'] });
      expect(redelivered.json).toEqual({ accepted: 1 });
      await eventually(() => hook.receiver.requests.at(-1)?.event.id === first[1], 30_000);
    },
    LONG_MS,
  );

  it(
    'keeps events of a webhook that its owner disabled, and continues there or skips them',
    async () => {
      expect((await patch({ enabled: false })).json).toMatchObject({ status: 'disabled', statusReason: 'owner' });
      expect((await post('/test', {})).json).toMatchObject({ code: 'webhook_disabled' });
      await report(2);
      await eventually(async () => (await read())['waiting'] === 4, 30_000);
      expect(hook.receiver.requests).toEqual([]);
      await patch({ enabled: true });
      await eventually(() => hook.receiver.accepted().length === 4, 30_000);
      await idle();
      await patch({ enabled: false });
      await report(2);
      await eventually(async () => (await read())['waiting'] === 4, 30_000);
      expect((await patch({ enabled: true, startAt: 'now' })).json).toMatchObject({ status: 'active', waiting: 0 });
      await report(1);
      await eventually(() => hook.receiver.accepted().length === 6, 30_000);
      expect(hook.receiver.requests).toHaveLength(6);
    },
    LONG_MS,
  );

  it('7: refuses every address that is not public, by literal, when a webhook is created or changed', async () => {
    for (const host of REFUSED) {
      const body = { url: `https://${host}/` };
      const created = await v2(world(), '/webhooks', { method: 'POST', body });
      for (const { status, json } of [created, await patch(body)]) {
        expect([host, status, (json as { code?: string }).code]).toEqual([host, 400, 'invalid_webhook_url']);
      }
    }
  });
}, ENVIRONMENT);
