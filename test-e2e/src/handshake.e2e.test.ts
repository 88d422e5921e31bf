// Tests the rules of the handshake and the connection, by their numbers.
import { randomBytes } from 'node:crypto';
import { supportedVersions } from '@busbar/ocpp';
import { connectCharger, eventually, UpgradeRejected, type ScriptedCharger } from '@busbar/testing';
import { asNewClient } from './harness/clients';
import { inBothWorlds } from './harness/in-both-worlds';
import { connect, readV2, registerCharger, uniqueId, v2, type World } from './harness/world';

const VECTOR_ID = 'AL1000';
const VECTOR_KEY = '0001020304050607FFFFFFFFFFFFFFFFFFFFFFFF';
const MAX_FRAME = 262_144;

async function rejection(attempt: Promise<ScriptedCharger>): Promise<UpgradeRejected> {
  const error = await attempt.then(
    () => new Error('it was let in'),
    (reason: unknown) => reason,
  );
  if (error instanceof UpgradeRejected) return error;
  throw error;
}

function connectAt(
  world: World,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<ScriptedCharger> {
  return connectCharger({ url: `${world.addresses().ocpp.replace(/\/ocpp\/$/, '')}${path}`, headers });
}

async function withPassword(world: World, body: Readonly<Record<string, unknown>>, id?: string): Promise<string> {
  const { chargerId } = await registerCharger(world, id);
  const set = await v2(world, `/chargers/${encodeURIComponent(chargerId)}/authentication`, { method: 'PUT', body });
  expect(set.status).toBe(200);
  return chargerId;
}

inBothWorlds((world) => {
  it('1. refuses an unknown identity with 404 before the upgrade', async () => {
    expect((await rejection(connect(world(), uniqueId('NOBODY')))).status).toBe(404);
  });

  it('shows only the owner why its charger was rejected', async () => {
    const chargerId = await withPassword(world(), { password: 'right password' });
    const rejected = await rejection(connect(world(), chargerId, { password: 'wrong password' }));
    const requestId = String(rejected.headers['x-request-id']);
    const path = `/connection-attempts?chargerId=${chargerId}`;
    const items = await eventually(async () => {
      const found = (await v2(world(), path)).json as { readonly items: readonly unknown[] };
      return found.items.length > 0 ? found.items : undefined;
    });
    expect(items).toMatchObject([{ chargerId, reason: 'unauthorized', requestId, protocols: ['ocpp1.6'], count: 1 }]);
    const stranger = await asNewClient(world(), 'Stranger');
    expect((await v2(stranger, path)).json).toMatchObject({ totalRecords: 0 });
  });

  it.each([[['ocpp1.5']], [['ocpp2.0.1.1']], [['OCPP1.6', 'foo']]])(
    '2. completes the handshake without a subprotocol, then closes at once: %s',
    async (subprotocols) => {
      const { chargerId } = await registerCharger(world());
      // A client may call a handshake without its subprotocol a failure of its own; either way it never gets to talk.
      const attempt = connect(world(), chargerId, { subprotocols });
      const ended = await attempt.then(
        async (charger) => {
          expect(charger.subprotocol).toBe('');
          await charger.waitForClose();
          return 'closed';
        },
        (error: unknown) => (error instanceof UpgradeRejected ? 'rejected' : 'without a subprotocol'),
      );
      expect(ended).not.toBe('rejected');
      expect((await readV2(world(), chargerId)).activeConnection).toBe(false);
    },
  );

  it('3. completes the handshake without a subprotocol header, then closes at once', async () => {
    const { chargerId } = await registerCharger(world());
    const charger = await connect(world(), chargerId, { subprotocols: [] });
    expect(charger.subprotocol).toBe('');
    await charger.waitForClose();
  });

  it('4. chooses one of several offered versions', async () => {
    const { chargerId } = await registerCharger(world());
    const charger = await connect(world(), chargerId, { subprotocols: ['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1'] });
    expect(charger.subprotocol).toBe('ocpp2.1');
    await charger.close();
  });

  it('5. decodes a percent-encoded identity, and responds 400 to malformed encoding', async () => {
    const { chargerId } = await registerCharger(world(), `${uniqueId('E')}*=|@`);
    const encoded = chargerId.replace(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`);
    const charger = await connectAt(world(), `/ocpp/${encoded}`);
    await eventually(async () => (await readV2(world(), chargerId)).activeConnection);
    await charger.close();
    expect((await rejection(connectAt(world(), '/ocpp/%E0%A4%A'))).status).toBe(400);
  });

  it('6. tolerates and counts one empty segment before the identity', async () => {
    const { chargerId } = await registerCharger(world());
    const charger = await connectAt(world(), `/ocpp//${chargerId}`);
    expect(await charger.heartbeat()).toHaveProperty('currentTime');
    await eventually(async () => {
      expect(await readV2(world(), chargerId)).toMatchObject({
        deviations: [{ kind: 'empty_path_segment', count: 1 }],
      });
      return true;
    });
    await charger.close();
  });

  it('6. strips the query string, and responds 404 to an empty identity and extra segments', async () => {
    const { chargerId } = await registerCharger(world());
    const charger = await connectAt(world(), `/ocpp/${chargerId}?token=1`);
    expect(await charger.heartbeat()).toHaveProperty('currentTime');
    await charger.close();
    for (const path of ['/ocpp/', `/ocpp/${chargerId}/`, `/ocpp/${chargerId}/more`]) {
      expect((await rejection(connectAt(world(), path))).status).toBe(404);
    }
  });

  it('8. accepts the vector of the standard: compares bytes, not text', async () => {
    await withPassword(world(), { authorizationKey: VECTOR_KEY }, VECTOR_ID);
    const authorization = 'Basic QUwxMDAwOgABAgMEBQYH////////////////';
    const charger = await connect(world(), VECTOR_ID, { headers: { authorization } });
    await charger.close();
    const wrong = connect(world(), VECTOR_ID, { password: Buffer.from(`${VECTOR_KEY.slice(0, -2)}FE`, 'hex') });
    expect((await rejection(wrong)).status).toBe(401);
  });

  it('9. accepts and counts the key sent as its hex digits', async () => {
    const key = randomBytes(20).toString('hex');
    const chargerId = await withPassword(world(), { authorizationKey: key });
    const charger = await connect(world(), chargerId, { password: key });
    await eventually(async () => {
      expect((await readV2(world(), chargerId))['deviations']).toMatchObject([{ kind: 'hex_key', count: 1 }]);
      return true;
    });
    await charger.close();
  });

  it('12. responds 401 to a foreign username and, with WWW-Authenticate, to a missing header; accepts a colon in the password', async () => {
    const chargerId = await withPassword(world(), { password: 'secret:with:colons' });
    const charger = await connect(world(), chargerId, { password: 'secret:with:colons' });
    await charger.close();
    const foreign = connect(world(), chargerId, { password: 'secret:with:colons', username: 'SOMEONE' });
    expect((await rejection(foreign)).status).toBe(401);
    const missing = await rejection(connect(world(), chargerId));
    expect(missing.status).toBe(401);
    expect(missing.headers['www-authenticate']).toMatch(/^Basic /);
  });

  it.each(supportedVersions())(
    '15. replaces a half-open first connection by the second, which gets the answers: %s',
    async (version) => {
      const { chargerId } = await registerCharger(world());
      const first = await connect(world(), chargerId, { subprotocols: [version], autoPong: false });
      first.pause();
      const second = await connect(world(), chargerId, { subprotocols: [version] });
      const is16 = version === 'ocpp1.6';
      expect(await (is16 ? second.boot() : second.v2.boot())).toMatchObject({ status: 'Accepted' });
      await second.waitForCall(is16 ? 'GetConfiguration' : 'GetBaseReport');
      expect(first.received).toEqual([]);
      expect((await readV2(world(), chargerId)).activeConnection).toBe(true);
      first.terminate();
      await second.close();
    },
  );

  it('19. negotiates permessage-deflate, and limits the inflated size of a frame', async () => {
    const { chargerId } = await registerCharger(world());
    const charger = await connect(world(), chargerId, { perMessageDeflate: true });
    await charger.ask('DataTransfer', { vendorId: 'X', data: 'a'.repeat(20_000) });
    // Some 300 bytes on the wire.
    charger.send(JSON.stringify([2, 'big', 'DataTransfer', { vendorId: 'X', data: 'a'.repeat(MAX_FRAME) }]));
    expect(await charger.waitForClose()).toMatchObject({ code: 1009 });
  });

  it('20. answers a ping with a pong and counts it as no message; every well-formed frame is one', async () => {
    const { chargerId } = await registerCharger(world());
    const charger = await connect(world(), chargerId);
    await eventually(async () => (await readV2(world(), chargerId)).activeConnection);
    await charger.ping();
    expect((await readV2(world(), chargerId)).lastSeen).toBeNull();
    await charger.call('NoSuchAction', {});
    await eventually(async () => (await readV2(world(), chargerId)).lastMessage?.includes('NoSuchAction') ?? false);
    charger.send('[3,"nobody-asked",{}]');
    await eventually(async () => (await readV2(world(), chargerId)).lastMessage === '[3,"nobody-asked",{}]');
    await charger.close();
  });

  it('21. closes with 1003 after a binary frame, with 1007 after invalid UTF-8', async () => {
    const { chargerId } = await registerCharger(world());
    const one = await connect(world(), chargerId);
    one.send(Buffer.from('[2,"a","Heartbeat",{}]'));
    expect(await one.waitForClose()).toMatchObject({ code: 1003 });
    const two = await connect(world(), chargerId);
    two.send(Buffer.from([0x5b, 0xff, 0xfe]), { binary: false });
    expect(await two.waitForClose()).toMatchObject({ code: 1007 });
  });

  it('22. closes with 1009 after a frame over the limit, affects no other charger, and accepts fragments under it', async () => {
    const [{ chargerId }, other] = await Promise.all([registerCharger(world()), registerCharger(world())]);
    const bystander = await connect(world(), other.chargerId);
    const charger = await connect(world(), chargerId);
    charger.send('[2,"f","Heart', { fin: false });
    charger.send('beat",{}]');
    await eventually(() => charger.frames.some((frame) => frame.text.startsWith('[3,"f"')));
    charger.send('x'.repeat(MAX_FRAME + 1));
    expect(await charger.waitForClose()).toMatchObject({ code: 1009 });
    expect(await bystander.heartbeat()).toHaveProperty('currentTime');
    await bystander.close();
  });

  it('30. drops broken JSON, and closes with 1008 after ten unreadable frames in a row', async () => {
    const { chargerId } = await registerCharger(world());
    const charger = await connect(world(), chargerId);
    for (let i = 0; i < 9; i += 1) charger.send('{broken');
    expect(await charger.heartbeat()).toHaveProperty('currentTime');
    for (let i = 0; i < 10; i += 1) charger.send('{broken');
    expect(await charger.waitForClose()).toMatchObject({ code: 1008 });
  });
});
