// Rule 69: what chargers hear while nothing can be stored.
import { createFakeClock, eventually, type FakeClock, type ScriptedCharger } from '@busbar/testing';
import { openWorld, type GatewayWorld } from '../testing/open-world';

type Payload = Readonly<Record<string, unknown>>;

interface Spoken {
  readonly version: string;
  /** The message of a start, which is a decision. */
  readonly start: readonly [action: string, payload: Payload];
  readonly status: (connectorId: number) => Payload;
  /** What asks for the status of connector 2. */
  readonly asked: Payload;
}

const TIMESTAMP = '2026-01-01T00:00:00Z';
const STARTED = {
  eventType: 'Started',
  timestamp: TIMESTAMP,
  triggerReason: 'Authorized',
  seqNo: 0,
  transactionInfo: { transactionId: 'TX' },
  idToken: { idToken: 'T', type: 'Central' },
};
const OF_2 = {
  start: ['TransactionEvent', STARTED],
  status: (connectorId: number) => ({ timestamp: TIMESTAMP, connectorStatus: 'Occupied', evseId: 1, connectorId }),
  asked: { requestedMessage: 'StatusNotification', evse: { id: 1, connectorId: 2 } },
} as const;
const SPOKEN: readonly Spoken[] = [
  {
    version: 'ocpp1.6',
    start: ['StartTransaction', { connectorId: 1, idTag: 'T', meterStart: 0, timestamp: TIMESTAMP }],
    status: (connectorId) => ({ connectorId, status: 'Charging', errorCode: 'NoError' }),
    asked: { requestedMessage: 'StatusNotification', connectorId: 2 },
  },
  { version: 'ocpp2.0.1', ...OF_2 },
  { version: 'ocpp2.1', ...OF_2 },
];
const HOLD_MS = 10_000;

let clock: FakeClock;
let broken: boolean;
let world: GatewayWorld;
let charger: ScriptedCharger;
async function open(subprotocol: string): Promise<void> {
  clock = createFakeClock();
  broken = false;
  world = await openWorld({ subprotocol, clock: { ...clock, now: () => (broken ? fault() : clock.now()) } });
  charger = await world.connect();
  await world.waitFor(({ kind }) => kind === 'connected');
}
afterEach(() => world.close());

function fault(): never {
  broken = false;
  throw new Error('a fault of our own');
}

const outcomes = (messageId: string) => world.reports.filter((report) => report.messageId === messageId);

describe.each(SPOKEN)('a charger of $version', ({ version, start, status, asked }) => {
  beforeEach(() => open(version));

  it.each<[string, Payload]>([['Heartbeat', {}], ['StatusNotification', status(1)], [...start]])(
    '69. holds %s for a limited time while it cannot be stored, then answers InternalError',
    async (action, payload) => {
      const release = world.hold();
      // The paused consumer keeps its batch; the next one waits behind it.
      const inHand = charger.call('Heartbeat', {}, 'in-hand');
      const waiting = charger.call(action, payload, 'waiting');
      await charger.ping();
      let answered = false;
      void waiting.then(() => (answered = true));
      clock.advance(HOLD_MS - 500);
      await charger.ping();
      expect(answered).toBe(false);
      clock.advance(1_000);
      for (const call of [inHand, waiting]) expect(await call).toMatchObject({ kind: 'error', code: 'InternalError' });
      release();
      // The broker stores what it had received, once. The charger retries, and the retry is not taken for a new call.
      await eventually(() => outcomes('in-hand').length === 1);
      expect(await charger.call('Heartbeat', {}, 'after')).toMatchObject({ kind: 'result' });
      expect(outcomes('waiting')).toEqual([]);
    },
  );

  it('69. processes a rejected CALL again when the charger retries it, under the same id or another', async () => {
    const [action, payload] = start;
    const accepted = { transactionId: 7, idTagInfo: { status: 'Accepted' } };
    const answer = action === 'StartTransaction' ? accepted : { idTokenInfo: { status: 'Accepted' } };
    world.decide(action, () => undefined);
    const refused = charger.call(action, payload, 'first');
    await eventually(() => outcomes('first').length === 1);
    clock.advance(HOLD_MS + 1_000);
    expect(await refused).toMatchObject({ kind: 'error', code: 'InternalError' });
    world.decide(action, () => answer);
    for (const messageId of ['first', 'second']) {
      expect(await charger.call(action, payload, messageId)).toMatchObject({ payload: answer });
    }
  });

  it('69. requests rejected statuses on the next connection, except those that the charger reports by itself', async () => {
    const url = `${world.origin}/ocpp/BACK_AGAIN`;
    const first = await world.connect({ url });
    expect(await first.call('Heartbeat', {})).toMatchObject({ kind: 'result' });
    const release = world.hold();
    const refused = [1, 2].map((connectorId) => first.call('StatusNotification', status(connectorId)));
    await first.ping();
    clock.advance(HOLD_MS + 1_000);
    for (const call of refused) expect(await call).toMatchObject({ kind: 'error', code: 'InternalError' });
    first.terminate();
    release();
    await world.waitFor(({ kind, chargerId }) => kind === 'disconnected' && chargerId === 'BACK_AGAIN');
    const second = await world.connect({ url });
    expect(await second.call('StatusNotification', status(1))).toMatchObject({ kind: 'result' });
    clock.advance(2_000);
    clock.advance(HOLD_MS);
    expect(await second.waitForCall('TriggerMessage')).toMatchObject({ payload: asked });
  });

  it('69. pauses reading while too many CALLs of a charger are unanswered, and answers all afterwards', async () => {
    const release = world.hold();
    // Far more than what is read from a socket at once.
    const filler = { customData: { vendorId: 'V', own: 'x'.repeat(4_000) } };
    const calls = Array.from({ length: 300 }, (_, i) => charger.call('Heartbeat', filler, `f-${String(i)}`));
    await eventually(async () => (await world.metric('busbar_gateway_frames_total{type="call"}')) >= 64);
    expect(await world.metric('busbar_gateway_unconfirmed')).toBeLessThan(300);
    release();
    expect((await Promise.all(calls)).every(({ kind }) => kind === 'result')).toBe(true);
  });

  it('41. turns a failure inside the gateway into one CALLERROR with a generic text and one log line', async () => {
    broken = true;
    expect(await charger.call('Heartbeat', {})).toEqual({
      kind: 'error',
      code: 'InternalError',
      description: 'The message could not be processed.',
      details: {},
    });
    expect(world.logger.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    expect(await charger.ask('Heartbeat', {})).toHaveProperty('currentTime');
  });
});
