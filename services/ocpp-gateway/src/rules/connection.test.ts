// Rules 1 to 22 of what is promised to chargers, on real sockets; what needs the record is in test-e2e.
import {
  ask,
  createFakeClock,
  createHurriedClock,
  eventually,
  UpgradeRejected,
  type ScriptedCharger,
} from '@busbar/testing';
import { openWorld, type GatewayWorld, type WorldOptions } from '../testing/open-world';

/** A rejection that reveals something about an id is delayed for a second. */
const SECONDS_A_SECOND = 20;
const clock = createHurriedClock(SECONDS_A_SECOND);

let world: GatewayWorld;
afterEach(() => world.close());

const VERSIONS = ['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1'];

async function open(options: WorldOptions = {}): Promise<void> {
  world = await openWorld(options);
}

async function rejection(attempt: Promise<ScriptedCharger>): Promise<UpgradeRejected> {
  const reason: unknown = await attempt.then(
    () => new Error('it was let in'),
    (error: unknown) => error,
  );
  if (reason instanceof UpgradeRejected) return reason;
  throw reason;
}

const at = (path: string) => world.connect({ url: `${world.origin}${path}` });
const heartbeats = (messageId: string) => world.reports.filter((report) => report.messageId === messageId);

describe('the path of an upgrade', () => {
  beforeEach(() => open({ clock }));

  it('1. is rejected with 404 before the upgrade where its identity is unknown', async () => {
    world.admit(() => ({ outcome: 'unknown' }));
    const { status, body } = await rejection(at('/ocpp/NOBODY'));
    expect(status).toBe(404);
    expect(JSON.parse(body)).toMatchObject({ code: 'unknown_charger' });
  });

  it('1. gets 404 for an unknown identity also with another username, so that no existence is revealed', async () => {
    world.admit(() => ({ outcome: 'unknown' }));
    const attempt = world.connect({ url: `${world.origin}/ocpp/NOBODY`, username: 'SOMEONE', password: 'p' });
    expect((await rejection(attempt)).status).toBe(404);
  });

  it('5. is decoded for the lookup and for the Basic username', async () => {
    const url = `${world.origin}/ocpp/A%43ME%5F1`;
    for (const username of ['ACME_1', 'A%43ME_1']) {
      const charger = await world.connect({ url, username, password: 'secret' });
      expect(await charger.heartbeat()).toHaveProperty('currentTime');
    }
    expect(world.admissions.map(({ chargerId }) => chargerId)).toEqual(['ACME_1', 'ACME_1']);
  });

  it('5. gets 404 for an identity with a space, which cannot be registered', async () => {
    world.admit(() => ({ outcome: 'unknown' }));
    expect((await rejection(at('/ocpp/RDAM%20123'))).status).toBe(404);
    expect(world.admissions).toMatchObject([{ chargerId: 'RDAM 123' }]);
  });

  it.each(['/ocpp/%', '/ocpp/%E0%A4%A', '/ocpp/%zz'])('5. gets 400 for malformed encoding: %s', async (path) => {
    expect((await rejection(at(path))).status).toBe(400);
    expect(world.admissions).toEqual([]);
  });

  it('6. is read without its query string', async () => {
    const charger = await at('/ocpp/ACME_1?a=/b&c=%zz');
    expect(await charger.heartbeat()).toHaveProperty('currentTime');
    expect(world.admissions).toMatchObject([{ chargerId: 'ACME_1' }]);
  });

  it.each(['/ocpp/', '/ocpp', '/ocpp/A/', '/ocpp/A/B', '/ocpp///A', '/ocpp//', '/other/A'])(
    '6. gets 404 where it is %s',
    async (path) => {
      expect((await rejection(at(path))).status).toBe(404);
      expect(world.admissions).toEqual([]);
    },
  );
});

describe('a request that asks for no websocket upgrade', () => {
  beforeEach(() => open({ plainWebsocketsOnly: false }));

  it.each([
    ['GET', '/ocpp/ACME_1', 426],
    ['POST', '/ocpp/ACME_1', 426],
    ['GET', '/v2/sites', 404],
  ])('is answered as an ordinary request: %s %s', async (method, path, status) => {
    for (const headers of [{}, { connection: 'Upgrade', upgrade: 'h2c' }]) {
      const reply = await ask(`${world.origin.replace('ws:', 'http:')}${path}`, {
        method,
        headers: { ...headers, 'x-request-id': 'mine-1' },
      });
      expect(reply.status).toBe(status);
      expect(reply.json()['requestId']).toBe('mine-1');
      expect(reply.headers['x-request-id']).toBe('mine-1');
    }
    expect(world.admissions).toEqual([]);
  });
});

describe('the subprotocol', () => {
  it.each([['ocpp1.5'], ['ocpp2.0.1.1'], ['OCPP1.6'], ['ocpp2.0,ocpp2.2']])(
    '2. is left out of the handshake for the offer %s, and the socket closes immediately',
    async (offered) => {
      await open();
      const ended = await world.connect({ subprotocols: offered.split(',') }).then(
        async (charger) => {
          expect(charger.subprotocol).toBe('');
          return (await charger.waitForClose()).code;
        },
        // A client may call a handshake without its subprotocol a failure of its own; it never gets to talk.
        (error: unknown) => (error instanceof UpgradeRejected ? 'rejected' : 1002),
      );
      expect(ended).toBe(1002);
      expect(await world.metric('busbar_gateway_upgrades_total{result="no_subprotocol"}')).toBe(1);
      expect(world.reports).toEqual([]);
    },
  );

  it("3. is required, unless the charger's switch assumes 1.6, which is counted", async () => {
    await open();
    const refused = await world.connect({ subprotocols: [] });
    expect(await refused.waitForClose()).toMatchObject({ code: 1002 });
    const compatibility = { ...world.acceptance().compatibility, assumeOcpp16: true };
    world.admit(() => world.acceptance({ compatibility }));
    const charger = await world.connect({ subprotocols: [] });
    expect(charger.subprotocol).toBe('');
    expect(await charger.heartbeat()).toHaveProperty('currentTime');
    const connected = await world.waitFor(({ kind }) => kind === 'connected');
    expect(connected).toMatchObject({ ocppVersion: 'ocpp1.6', deviations: ['no_subprotocol'] });
  });

  it('3. is required by a strict gateway despite the switch', async () => {
    await open({ settings: { strict: true } });
    const compatibility = { ...world.acceptance().compatibility, assumeOcpp16: true };
    world.admit(() => world.acceptance({ compatibility }));
    const charger = await world.connect({ subprotocols: [] });
    expect(await charger.waitForClose()).toMatchObject({ code: 1002 });
  });

  it.each([
    ['ocpp1.6,ocpp2.0.1,ocpp2.1', 'ocpp2.1'],
    ['ocpp1.6, ocpp2.0.1', 'ocpp2.0.1'],
    ['ocpp1.6', 'ocpp1.6'],
    ['ocpp1.6,ocpp1.5', 'ocpp1.6'],
    ['x, ocpp1.6', 'ocpp1.6'],
  ])('4. is chosen from the offer %s: %s', async (offered, chosen) => {
    await open();
    const charger = await world.connect({ subprotocols: offered.split(',').map((name) => name.trim()) });
    expect(charger.subprotocol).toBe(chosen);
    expect(world.admissions).toMatchObject([{ ocppVersion: chosen }]);
  });

  it('105. is never one that is not configured', async () => {
    await open({ settings: { ocppVersions: ['ocpp1.6'] } });
    const charger = await world.connect({ subprotocols: ['ocpp2.1', 'ocpp2.0.1', 'ocpp1.6'] });
    expect(charger.subprotocol).toBe('ocpp1.6');
  });

  it.each([
    [['ocpp1.6', 'ocpp2.0.1'], 'ocpp2.0.1'],
    [['ocpp1.6'], 'ocpp1.6'],
    [[], 'ocpp2.1'],
  ])('105. is one that the charger may speak, of %j: %s', async (ocppVersions, chosen) => {
    await open();
    const compatibility = { ...world.acceptance().compatibility, ocppVersions };
    world.admit(() => world.acceptance({ compatibility }));
    const charger = await world.connect({ subprotocols: ['ocpp2.1', 'ocpp2.0.1', 'ocpp1.6'] });
    expect(charger.subprotocol).toBe(chosen);
    await charger.ask('Heartbeat', {});
    expect(await world.waitFor(({ kind }) => kind === 'connected')).toMatchObject({ ocppVersion: chosen });
  });

  it('105. is none where the charger offers only versions that it may not speak', async () => {
    await open();
    const compatibility = { ...world.acceptance().compatibility, assumeOcpp16: true, ocppVersions: ['ocpp2.0.1'] };
    world.admit(() => world.acceptance({ compatibility }));
    const refused = await world.connect({ subprotocols: [] });
    expect(await refused.waitForClose()).toMatchObject({ code: 1002 });
    const other = world.connect({ subprotocols: ['ocpp2.1', 'ocpp1.6'] });
    await expect(other.then((it) => it.waitForClose())).rejects.toThrow('Server sent no subprotocol');
    expect(world.reports).toEqual([]);
  });

  it.each(['WITH:COLON', 'I'.repeat(49)])('7. is never 2.x for the identity %s; 106. but 1.6', async (id) => {
    await open();
    const url = `${world.origin}/ocpp/${id}`;
    const charger = await world.connect({ url, subprotocols: ['ocpp2.1', 'ocpp2.0.1', 'ocpp1.6'] });
    expect(charger.subprotocol).toBe('ocpp1.6');
    const only2 = world.connect({ url, subprotocols: ['ocpp2.1', 'ocpp2.0.1'] });
    await expect(only2.then((it) => it.waitForClose())).rejects.toThrow('Server sent no subprotocol');
  });
});

describe('an empty segment before the identity', () => {
  it('6. is tolerated and counted: some chargers add a slash to a configured …/ocpp/', async () => {
    await open();
    const charger = await at('/ocpp//ACME_1');
    expect(await charger.heartbeat()).toHaveProperty('currentTime');
    const connected = await world.waitFor(({ kind }) => kind === 'connected');
    expect(connected).toMatchObject({ chargerId: 'ACME_1', deviations: ['empty_path_segment'] });
    expect(await world.metric('busbar_gateway_deviations_total{kind="empty_path_segment"}')).toBe(1);
  });

  it('6. gets 404 from a strict gateway', async () => {
    await open({ settings: { strict: true } });
    expect((await rejection(at('/ocpp//ACME_1'))).status).toBe(404);
  });
});

describe('credentials', () => {
  it('8. compares bytes: the test vector of the standard arrives as the twenty bytes of its key', async () => {
    await open();
    const authorization = 'Basic QUwxMDAwOgABAgMEBQYH////////////////';
    await world.connect({ url: `${world.origin}/ocpp/AL1000`, headers: { authorization } });
    const [asked] = world.admissions;
    expect(Buffer.from(asked?.passwordBase64 ?? '', 'base64').toString('hex')).toBe(
      '0001020304050607ffffffffffffffffffffffff',
    );
  });

  it('9. accepts and counts hexadecimal digits, and rejects them in a strict gateway', async () => {
    await open();
    world.admit(() => world.acceptance({ deviations: ['hex_key'] }));
    await world.connect();
    expect(await world.waitFor(({ kind }) => kind === 'connected')).toMatchObject({ deviations: ['hex_key'] });
    await world.close();
    await open({ clock, settings: { strict: true } });
    world.admit(() => world.acceptance({ deviations: ['hex_key'] }));
    expect((await rejection(world.connect())).status).toBe(401);
  });

  it.each(VERSIONS)(
    '12. gets 401 with another identity or none, and may have a colon in its password: %s',
    async (version) => {
      await open({ clock, subprotocol: version });
      world.admit(({ passwordBase64 }) =>
        passwordBase64 === Buffer.from('a:b:c').toString('base64') ? world.acceptance() : { outcome: 'unauthorized' },
      );
      const url = `${world.origin}/ocpp/ACME_1`;
      await world.connect({ url, password: 'a:b:c' });
      expect((await rejection(world.connect({ url, password: 'a:b:c', username: 'ACME_2' }))).status).toBe(401);
      const missing = await rejection(world.connect({ url }));
      expect(missing.status).toBe(401);
      expect(missing.headers['www-authenticate']).toMatch(/^Basic /);
    },
  );

  it.each(VERSIONS)('13. admits no charger without the required TLS: %s', async (version) => {
    await open({ clock, subprotocol: version });
    world.admit(({ secure }) => (secure ? world.acceptance() : { outcome: 'insecure' }));
    expect((await rejection(world.connect({ password: 'right' }))).status).toBe(403);
  });
});

describe.each(VERSIONS)('two connections of one charger, %s', (version) => {
  beforeEach(() => open({ subprotocol: version }));

  it('14. keeps the newest and closes the older one, whose late end is reported with its own position', async () => {
    const first = await at('/ocpp/ACME_1');
    const second = await at('/ocpp/ACME_1');
    expect(await first.waitForClose()).toMatchObject({ code: 1000, reason: 'replaced' });
    expect(await second.ask('Heartbeat', {})).toHaveProperty('currentTime');
    const ended = await world.waitFor(({ kind }) => kind === 'disconnected');
    const connected = world.reports.filter(({ kind }) => kind === 'connected');
    expect(connected.map(({ order }) => order)).toEqual([1, 2]);
    expect(ended.order).toBe(1);
    expect(ended.payload).toMatchObject({
      closeCode: 1000,
      closeReason: 'replaced by a newer connection of this charger',
      remoteAddress: '127.0.0.1',
      securityProfile: 0,
    });
  });

  it('14. closes the one that was admitted first, also where it opens last', async () => {
    let late = (): void => undefined;
    const held = new Promise<void>((resolve) => (late = resolve));
    world.admit(async () => {
      const accepted = world.acceptance();
      if (accepted.order === 1) await held;
      return accepted;
    });
    const older = at('/ocpp/ACME_1');
    await eventually(() => world.admissions.length === 1);
    const newer = await at('/ocpp/ACME_1');
    late();
    expect(await (await older).waitForClose()).toMatchObject({ code: 1000 });
    expect(await newer.ask('Heartbeat', {})).toHaveProperty('currentTime');
    expect(newer.closed()).toBeUndefined();
  });

  it('15. sends commands to the new one while the older one is half-open', async () => {
    const first = await at('/ocpp/ACME_1');
    first.pause();
    const second = await at('/ocpp/ACME_1');
    await second.ask('Heartbeat', {});
    expect(await world.command('ACME_1', 'ClearCache')).toMatchObject({ outcome: 'answered' });
    expect(second.received).toMatchObject([{ action: 'ClearCache' }]);
    expect(first.received).toEqual([]);
  });

  it('16. accepts commands without a BootNotification', async () => {
    await at('/ocpp/ACME_1');
    await world.waitFor(({ kind }) => kind === 'connected');
    expect(await world.command('ACME_1', 'ClearCache')).toEqual({
      outcome: 'answered',
      payload: { status: 'Accepted' },
    });
  });

  it('70. closes on request when their charger was deleted, and reports it', async () => {
    const charger = await at('/ocpp/ACME_1');
    await world.closeAsReported('ACME_1', 'deleted');
    expect(await charger.waitForClose()).toMatchObject({ code: 1000, reason: 'deleted' });
    await world.waitFor(({ kind }) => kind === 'disconnected');
  });

  it('logs their end with its code, its reason in words and their duration', async () => {
    const charger = await at('/ocpp/ACME_1');
    await charger.close(1001);
    const { payload } = await world.waitFor(({ kind }) => kind === 'disconnected');
    const closeReason = 'closed by the charger, which restarts or shuts down';
    expect(payload).toMatchObject({ closeCode: 1001, closeReason });
    const line = world.logger.lines.find(({ message }) => message === 'a charger disconnected');
    expect(line?.fields).toMatchObject({ closeCode: 1001, closeReason, durationS: expect.any(Number) as number });
  });
});

describe.each(VERSIONS)('frames, %s', (version) => {
  beforeEach(() => open({ subprotocol: version }));

  it('19. uses permessage-deflate only where the charger offers it', async () => {
    const plain = await world.connect();
    const deflating = await world.connect({ perMessageDeflate: true });
    for (const charger of [plain, deflating]) {
      expect(await charger.ask('DataTransfer', { vendorId: 'V', data: 'a'.repeat(20_000) })).toHaveProperty('status');
    }
    expect([plain.extensions, deflating.extensions]).toEqual(['', expect.stringContaining('permessage-deflate')]);
  });

  it('19. closes the connection with 1009 where a frame inflates beyond the limit', async () => {
    const charger = await world.connect({ perMessageDeflate: true });
    charger.send(JSON.stringify([2, 'bomb', 'DataTransfer', { vendorId: 'V', data: 'a'.repeat(50_000_000) }]));
    expect(await charger.waitForClose()).toMatchObject({ code: 1009 });
    expect(heartbeats('bomb')).toEqual([]);
  });

  it('20. does not report a ping, and sends a pong', async () => {
    const charger = await world.connect();
    await world.waitFor(({ kind }) => kind === 'connected');
    await charger.ping();
    await charger.ask('Heartbeat', {});
    expect(world.reports.map(({ kind }) => kind)).toEqual(['connected', 'report']);
  });

  it('20. reports well-formed ones, also refused CALLs and unmatched answers', async () => {
    const charger = await world.connect();
    const frames = [
      '[2,"a","NoSuchAction",{}]',
      '[2,"b","Heartbeat",[]]',
      '[3,"c",{}]',
      '[4,"d","GenericError","",{}]',
    ];
    for (const frame of frames) charger.send(frame);
    await charger.ask('Heartbeat', {});
    expect(world.reports.map(({ raw }) => raw)).toEqual(expect.arrayContaining(frames));
  });

  it('21. closes the connection with 1003 after a binary frame', async () => {
    const charger = await world.connect();
    charger.send(Buffer.from('[2,"binary","Heartbeat",{}]'));
    charger.send('[2,"behind","Heartbeat",{}]');
    expect(await charger.waitForClose()).toMatchObject({ code: 1003 });
    await world.waitFor(({ kind }) => kind === 'disconnected');
    expect([...heartbeats('binary'), ...heartbeats('behind')]).toEqual([]);
  });

  it.each([[[0xff, 0xfe]], [[0xc0, 0x80]], [[0xed, 0xa0, 0x80]]])(
    '21. closes the connection with 1007 after invalid UTF-8: %j',
    async (bytes) => {
      const charger = await world.connect();
      charger.send(Buffer.from(bytes), { binary: false });
      expect(await charger.waitForClose()).toMatchObject({ code: 1007 });
    },
  );

  it('22. closes only the connection of a frame above the limit, with 1009', async () => {
    const bystander = await world.connect();
    const charger = await world.connect();
    charger.send('x'.repeat(262_145));
    expect(await charger.waitForClose()).toMatchObject({ code: 1009 });
    expect(await bystander.ask('Heartbeat', {})).toHaveProperty('currentTime');
  });

  it('22. accepts exactly the limit, also in fragments with other frames between them', async () => {
    const charger = await world.connect();
    const head = '[2,"whole","DataTransfer",{"vendorId":"V","data":"';
    const text = `${head}${'x'.repeat(262_144 - head.length - 3)}"}]`;
    expect(Buffer.byteLength(text)).toBe(262_144);
    charger.send(text);
    await eventually(() => charger.frames.some((frame) => frame.text.startsWith('[3,"whole"')));
    charger.send(text.slice(0, 10), { fin: false });
    await charger.ping();
    for (let from = 10; from < text.length; from += 1_000) {
      charger.send(text.slice(from, from + 1_000), { fin: from + 1_000 >= text.length });
    }
    // The same frame again: the identical answer (rule 28).
    await eventually(() => charger.frames.filter((frame) => frame.text.startsWith('[3,"whole"')).length === 2);
  });

  it('22. closes the connection with 1009 where fragments together exceed the limit', async () => {
    const charger = await world.connect();
    for (let sent = 0; sent <= 262_144; sent += 4_096) charger.send('x'.repeat(4_096), { fin: false });
    expect(await charger.waitForClose()).toMatchObject({ code: 1009 });
  });
});

describe.each(VERSIONS)('a silent socket, %s', (version) => {
  it('20. is terminated one interval after an unanswered ping; any frame prevents it', async () => {
    const clock = createFakeClock();
    await open({ clock, subprotocol: version, settings: { pingIntervalS: 30 } });
    const silent = await world.connect({ autoPong: false });
    const pongs = await world.connect();
    const talks = await world.connect({ autoPong: false });
    await eventually(() => world.reports.filter(({ kind }) => kind === 'connected').length === 3);
    const pass = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second += 1) clock.advance(1_000);
      if (talks.closed() === undefined) await talks.ask('Heartbeat', {});
      if (pongs.closed() === undefined) await pongs.ask('Heartbeat', {});
    };
    await pass(31);
    expect(silent.closed()).toBeUndefined();
    await pass(31);
    expect(await silent.waitForClose()).toMatchObject({ code: 1006 });
    await pass(31);
    expect([pongs.closed(), talks.closed()]).toEqual([undefined, undefined]);
  });

  it('20. is not terminated after a suspension of the gateway itself', async () => {
    const clock = createFakeClock();
    await open({ clock, subprotocol: version, settings: { pingIntervalS: 2 } });
    const charger = await world.connect({ autoPong: false });
    await world.waitFor(({ kind }) => kind === 'connected');
    clock.advance(1_000);
    clock.advance(1_000);
    clock.stall(20_000);
    clock.advance(1_000);
    expect(await charger.ask('Heartbeat', {})).toHaveProperty('currentTime');
    expect(charger.closed()).toBeUndefined();
  });
});
