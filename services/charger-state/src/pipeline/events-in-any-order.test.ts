// The events of transactions of OCPP 2.x through the whole pipeline with a real store: what is stored depends on the set of them alone.
import type { ReportEnvelope } from '@busbar/contracts';
import type { Charger } from '@busbar/domain/chargers';
import type { Session } from '@busbar/domain/sessions';
import fc from 'fast-check';
import { openWorld, type ChargerStateWorld } from '../testing/open-world';
import { createReplica } from '../testing/replica';
import { newReport } from '../testing/report';

let world: ChargerStateWorld;

beforeAll(async () => {
  world = await openWorld({ openCharging: true });
});
afterAll(() => world.close());

type Payload = Readonly<Record<string, unknown>>;

const DAY_S = 86_400;
const T0 = Date.parse('2026-03-01T00:00:00Z');
const at = (seconds: number): string => new Date(T0 + seconds * 1_000).toISOString();
/** The first messages come four days after the first events. */
const FIRST_RECEIPT = 4 * DAY_S;

function event(id: string, eventType: string, seqNo: number, { transactionInfo, ...parts }: Payload): Payload {
  const timestamp = at((id === 'T-1' ? 0 : DAY_S) + 3_600 * seqNo);
  const info = { transactionId: id, ...(transactionInfo as Payload) };
  return { eventType, seqNo, timestamp, triggerReason: 'Authorized', transactionInfo: info, ...parts };
}

const energy = (value: number) => ({ meterValue: [{ timestamp: at(0), sampledValue: [{ value }] }] });

/** Two transactions at one connector, a day apart; what came while the charger had no connection is marked so. */
const eventsOf = (id: string, idToken: string): readonly Payload[] => [
  event(id, 'Started', 0, {
    offline: true,
    evse: { id: 1, connectorId: 1 },
    idToken: { idToken, type: 'Central' },
    ...energy(1_000),
  }),
  event(id, 'Updated', 1, { offline: true, transactionInfo: { chargingState: 'Charging' }, ...energy(2_000) }),
  event(id, 'Updated', 2, { transactionInfo: { chargingState: 'EVConnected' } }),
  event(id, 'Ended', 3, {
    offline: id === 'T-1',
    ...(id === 'T-1' ? { idToken: { idToken, type: 'Central' } } : {}),
    transactionInfo: { stoppedReason: 'EVDisconnected' },
    ...energy(9_000),
  }),
];

/** Each event is another message each time that it is sent. One with a token is a decision (rule 128). */
function envelope({ chargerId, incarnationId }: Charger, payload: Payload, seq: number): ReportEnvelope {
  const kind = payload['idToken'] === undefined ? 'report' : 'decision';
  const common = { chargerId, incarnationId, seq, receivedAt: at(FIRST_RECEIPT + seq), ocppVersion: 'ocpp2.0.1' };
  return newReport({ ...common, kind, action: 'TransactionEvent', messageId: `m${String(seq)}`, payload });
}

async function storedAfter(batches: readonly (readonly Payload[])[]) {
  const charger = await world.register();
  const replica = createReplica(world, { now: () => new Date(T0 + FIRST_RECEIPT * 1_000) });
  let seq = 0;
  for (const batch of batches) await replica(...batch.map((payload) => envelope(charger, payload, (seq += 1))));
  const sessions = (await world.sessions(charger)).toSorted((a, b) => (a.startTime < b.startTime ? -1 : 1));
  const { ongoing, sockets } = (await world.read(charger)).reported;
  return {
    sessions: await Promise.all(sessions.map(shown)),
    ongoing,
    sockets: Object.entries(sockets).map(([id, { state }]) => [id, state]),
  };
}

/** Names in this run, and what depends on the receipt of the events or on the writes. */
const NAMES = ['_id', 'transactionId', 'sessionId', 'chargerId', 'incarnationId', 'siteId', 'key', 'stopReportId'];
const DROPPED = new Set([...NAMES, 'recordedAt', 'updatedAt', 'revision', 'authorizedBy']);

/** A session with its list of events. */
async function shown(session: Session): Promise<unknown> {
  const page = { page: 1, limit: 100, sortKey: 'seqNo', sortDescending: false } as const;
  const { items } = await world.platform.records.sessions.transactionEventsPage(session.sessionId, page);
  const listed = items.map(({ seqNo, eventType, timestamp, offline }) => ({ seqNo, eventType, timestamp, offline }));
  const text = JSON.stringify({ ...session, listed }, (key, value: unknown) => (DROPPED.has(key) ? undefined : value));
  return JSON.parse(text);
}

const ALL = [...eventsOf('T-1', 'TAG'), ...eventsOf('T-2', 'OTHER')];

it('140. gives one session each by offline events days late, in any order, with any duplicates and any split over batches', async () => {
  const expected = await storedAfter(ALL.map((payload) => [payload]));
  expect(expected.sessions).toMatchObject([
    { state: 'ended', startTime: at(0), startedOffline: true, consumptionWh: 8_000, idTag: 'TAG', socketId: 1 },
    { state: 'ended', startTime: at(DAY_S), startedOffline: true, consumptionWh: 8_000, idTag: 'OTHER', socketId: 1 },
  ]);
  expect(expected.ongoing).toEqual({});
  const order = fc.shuffledSubarray(ALL, { minLength: ALL.length });
  const repeated = fc.array(fc.tuple(fc.constantFrom(...ALL), fc.nat(ALL.length)), { maxLength: 6 });
  /** True: a batch ends behind the message. */
  const cuts = fc.infiniteStream(fc.boolean());
  await fc.assert(
    fc.asyncProperty(order, repeated, cuts, async (once, again, ends) => {
      const sent = again.reduce((all, [payload, place]) => all.toSpliced(place, 0, payload), once);
      const batches = sent.reduce<Payload[][]>(
        (all, payload) => {
          all.at(-1)?.push(payload);
          return ends.next().value === true ? [...all, []] : all;
        },
        [[]],
      );
      expect(await storedAfter(batches.filter((batch) => batch.length > 0))).toEqual(expected);
    }),
    { numRuns: 30 },
  );
});
