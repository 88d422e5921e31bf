// The receivers of webhooks in examples/, each with the library of its language: what they accept, store and notice. The requests are
// signed by the library of npm, which is not ours.
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exampleEvent, type FeedEvent } from '@busbar/contracts';
import { eventually } from '@busbar/testing';
import { Webhook } from 'standardwebhooks';
import { ROOT } from './harness/documented-commands';
import {
  installReceivers,
  startReceiver,
  storedEvents,
  type InstalledReceiver,
  type Receiver,
  type ReceiverSettings,
} from './harness/receiver';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const MINUTE_MS = 60_000;
const WITHIN_MS = 60_000;
const REGISTRATION = 'evt_01J9Z3N5V7C8R2K4M6P8Q0S2T4';

describe.each(installReceivers().map((installed) => [installed.name, installed] as const))(
  'the receiver in %s',
  (_name, installed) => {
    if (installed.skipped !== undefined && process.env['REQUIRE_REAL_SERVERS'] !== '1') {
      it.skip(`is skipped: the machine lacks ${installed.skipped}`, () => undefined);
      return;
    }
    const failure = installed.failed ?? installed.skipped;
    if (failure !== undefined) {
      it('is installed', () => {
        throw new Error(failure);
      });
      return;
    }
    describeReceiver(installed);
  },
);

function describeReceiver(installed: InstalledReceiver): void {
  let directory: string;
  let settings: ReceiverSettings;
  let receiver: Receiver;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'busbar-receiver-'));
    settings = { secret: SECRET, file: join(directory, 'events.jsonl') };
    receiver = await startReceiver(installed, settings);
  }, WITHIN_MS);
  afterEach(async () => {
    await receiver.program.end('SIGKILL');
    rmSync(directory, { recursive: true });
  });
  const stored = (): readonly string[] => storedEvents(settings.file).map(({ id }) => id);
  const send = (event: FeedEvent, how: Sending = {}): Promise<number> => post(receiver, event, how);

  it(
    'stores a signed event as it was sent and responds with 204',
    async () => {
      const event = stateEvent(1, 'Charging');
      expect(await send(event)).toBe(204);
      expect(storedEvents(settings.file)).toEqual([event]);
      await eventually(() => receiver.lines().includes('state ACME-17/1 Charging'));
    },
    WITHIN_MS,
  );

  it(
    'rejects what is not signed by the service, and what is too old, with 401',
    async () => {
      const event = stateEvent(1, 'Charging');
      const body = JSON.stringify(event);
      const ago = (minutes: number): Date => new Date(Date.now() - minutes * MINUTE_MS);
      expect(await send(event, { secret: OTHER_SECRET })).toBe(401);
      expect(await send(event, { body: body.replace('Charging', 'Available') })).toBe(401);
      expect(await send(event, { headers: { 'webhook-id': `${REGISTRATION}_2` } })).toBe(401);
      expect(await send(event, { headers: { 'webhook-signature': '' } })).toBe(401);
      expect(await send(event, { headers: { 'webhook-signature': 'v1,garbage' } })).toBe(401);
      expect(await send(event, { headers: { 'webhook-signature': 'garbage' } })).toBe(401);
      expect(await send(event, { headers: { 'webhook-timestamp': 'soon' } })).toBe(401);
      expect(await send(event, { at: ago(6) })).toBe(401);
      expect(await send(event, { at: ago(-6) })).toBe(401);
      expect(stored()).toEqual([]);
      expect(await send(event, { at: ago(4) })).toBe(204);
    },
    WITHIN_MS,
  );

  it(
    'accepts a request that two secrets signed, whichever of them it has',
    async () => {
      const event = stateEvent(1, 'Charging');
      expect(await send(event, { secret: [OTHER_SECRET, SECRET] })).toBe(204);
      expect(await send(stateEvent(2, 'Finishing'), { secret: [SECRET, OTHER_SECRET] })).toBe(204);
    },
    WITHIN_MS,
  );

  it(
    'stores a duplicate once and acknowledges each, also after it was killed',
    async () => {
      const event = stateEvent(1, 'Charging');
      expect(await Promise.all([send(event), send(event), send(event)])).toEqual([204, 204, 204]);
      await receiver.program.end('SIGKILL');
      receiver = await startReceiver(installed, settings);
      expect(await send(event)).toBe(204);
      expect(stored()).toEqual([event.id]);
      expect(receiver.lines()).toEqual([]);
    },
    WITHIN_MS,
  );

  it(
    'drops an event that it had stored half when it was killed',
    async () => {
      const [first, second] = [stateEvent(1, 'Preparing'), stateEvent(2, 'Charging')];
      await send(first);
      await send(second);
      await receiver.program.end('SIGKILL');
      truncateSync(settings.file, statSync(settings.file).size - 20);
      receiver = await startReceiver(installed, settings);
      expect(await send(second)).toBe(204);
      expect(storedEvents(settings.file)).toEqual([first, second]);
    },
    WITHIN_MS,
  );

  it(
    'reports a gap, and does not let a late event undo a newer state',
    async () => {
      for (const event of [stateEvent(4, 'Preparing'), stateEvent(7, 'Charging'), stateEvent(5, 'Error')]) {
        expect(await send(event)).toBe(204);
      }
      // Another registration of the same charger counts anew.
      expect(await send(stateEvent(1, 'Available', 'evt_01KA'))).toBe(204);
      expect(await send(exampleEvent('webhook.test'))).toBe(204);
      await eventually(() => receiver.lines().includes('event evt_wh_5tQ2_1 webhook.test'));
      expect(receiver.lines().filter((line) => !line.startsWith('event'))).toEqual([
        'state ACME-17/1 Preparing',
        'gap ACME-17 5-6',
        'state ACME-17/1 Charging',
        'late ACME-17 5',
        'state ACME-17/1 Available',
      ]);
    },
    WITHIN_MS,
  );

  it(
    'rejects a body of more than 64 kB with 413, and serves others',
    async () => {
      const event = stateEvent(1, 'Charging');
      const body = JSON.stringify({ ...event, info: 'x'.repeat(70_000) });
      // The connection may be closed while the body is still sent.
      expect(await send(event, { body }).catch(() => 413)).toBe(413);
      expect(await send(event)).toBe(204);
      expect(stored()).toEqual([event.id]);
    },
    WITHIN_MS,
  );

  it(
    'ends with 0 after SIGTERM',
    async () => {
      expect(await receiver.program.end('SIGTERM')).toBe(0);
    },
    WITHIN_MS,
  );
}

it('has the library of npm in the version that its package.json names', () => {
  const versions = ['package.json', 'examples/typescript/package.json'].map((path) => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Packages;
    return { ...dependencies, ...devDependencies }['standardwebhooks'];
  });
  expect(new Set(versions)).toEqual(new Set(['1.0.0']));
});

interface Packages {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

interface Sending {
  readonly secret?: string | readonly string[];
  readonly at?: Date;
  /** Of another body than the signed one. */
  readonly body?: string;
  /** In place of the right ones. */
  readonly headers?: Readonly<Record<string, string>>;
}

async function post({ url }: Receiver, event: FeedEvent, sending: Sending): Promise<number> {
  const { secret = SECRET, at = new Date(), body, headers } = sending;
  const signed = JSON.stringify(event);
  const signatures = [secret].flat().map((each) => new Webhook(each).sign(event.id, at, signed));
  const response = await fetch(url, {
    method: 'POST',
    body: body ?? signed,
    headers: {
      'content-type': 'application/json',
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': signatures.join(' '),
      ...headers,
    },
  });
  await response.arrayBuffer();
  return response.status;
}

function stateEvent(sequence: number, state: string, registration = REGISTRATION): FeedEvent<'socket.state_changed'> {
  const event = exampleEvent('socket.state_changed');
  return { ...event, id: `${registration}_${String(sequence)}`, sequence, data: { ...event.data, state } };
}
