// Messages and responses of a charger are stored once, although the store fails at any write. The broker redelivers
// messages to this replica or to another, also while one is paused with them. The stored state is the same as without
// faults.
import type { ReportEnvelope } from '@busbar/contracts';
import { AppError, isAppError } from '@busbar/core';
import type { Charger } from '@busbar/domain/chargers';
import fc from 'fast-check';
import { openWorld, type ChargerStateWorld } from '../testing/open-world';
import { createReplica, withoutOrder } from '../testing/replica';
import { newReport } from '../testing/report';

let world: ChargerStateWorld;

beforeAll(async () => {
  world = await openWorld({ openCharging: true });
});
afterAll(() => world.close());

type Fields = Readonly<Record<string, unknown>>;
type Draw = readonly [number, number, number];
interface ChargerMessage {
  readonly kind: 'report' | 'decision' | 'outcome';
  readonly action: string;
  readonly payload: Fields;
  readonly answer?: Fields;
}
interface Context {
  readonly seq: number;
  readonly tag: string;
  readonly transactionId: number;
}

/** `INTERRUPTED_RUNS` above this runs more cases, each time with another seed. */
const USUAL_RUNS = 60;
const USUAL_SEED = 20_261_121;
const RUNS = Number(process.env['INTERRUPTED_RUNS'] ?? USUAL_RUNS);
const T0 = Date.parse('2026-03-01T00:00:00Z');
const UNKNOWN_TRANSACTION = 424_242;
const ACCEPTED = { status: 'Accepted' };
const at = (seconds: number): string => new Date(T0 + seconds * 1_000).toISOString();
const ask = (action: string, payload: Fields): ChargerMessage => ({ kind: 'decision', action, payload });
const chargerReport = (action: string, payload: Fields): ChargerMessage => ({ kind: 'report', action, payload });
const ended = (action: string, payload: Fields, answer: Fields = ACCEPTED): ChargerMessage => ({
  kind: 'outcome',
  action,
  payload,
  answer,
});
const profile = ([, b, c]: Draw, chargingProfilePurpose: string): Fields => ({
  chargingProfileId: 1 + (b % 3),
  stackLevel: c % 2,
  chargingProfilePurpose,
  chargingProfileKind: 'Absolute',
  chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
});

/** Few sockets, tags and ids, so that messages refer to earlier ones. */
const MESSAGES: readonly ((draw: Draw, context: Context) => ChargerMessage)[] = [
  ([a, b, c], { seq, tag }) =>
    ask('StartTransaction', {
      connectorId: 1 + (a % 2),
      idTag: `${tag}${String(b % 2)}`,
      meterStart: 0,
      timestamp: at(seq - 1),
      ...(c % 3 === 0 ? { reservationId: b % 3 } : {}),
    }),
  ([, b, c], { seq, transactionId }) =>
    ask('StopTransaction', {
      transactionId,
      meterStop: 5 + b,
      timestamp: at(seq - 1),
      ...(c % 2 === 0 ? {} : { reason: 'Remote' }),
    }),
  ([a, b], { seq, transactionId }) => {
    const meterValue = [{ timestamp: at(seq), sampledValue: [{ value: String(b) }] }];
    return chargerReport('MeterValues', { connectorId: 1 + (a % 2), transactionId, meterValue });
  },
  ([a, b, c], { seq }) => {
    const status = ['Available', 'Charging', 'Unavailable', 'Finishing', 'Preparing'][b % 5];
    const timed = c % 2 === 0 ? {} : { timestamp: at(seq - c) };
    return chargerReport('StatusNotification', { connectorId: a % 3, errorCode: 'NoError', status, ...timed });
  },
  (draw, { tag }) => {
    const [a, b, c] = draw;
    const place = c % 2 === 0 ? {} : { connectorId: 1 + (a % 2) };
    const chargingProfile = a % 3 === 0 ? { chargingProfile: profile(draw, 'TxProfile') } : {};
    return ended('RemoteStartTransaction', { idTag: `${tag}${String(b % 2)}`, ...place, ...chargingProfile });
  },
  (_draw, { transactionId }) => ended('RemoteStopTransaction', { transactionId }),
  ([a, b, c]) => {
    const request = { connectorId: a % 3, type: b % 2 === 0 ? 'Inoperative' : 'Operative' };
    return ended('ChangeAvailability', request, { status: c % 2 === 0 ? 'Scheduled' : 'Accepted' });
  },
  ([a, b]) => ended('ChangeConfiguration', { key: `K${String(a % 3)}`, value: String(b) }),
  ([a, b, c]) => {
    const configurationKey = [{ key: `K${String(b % 3)}`, readonly: false, value: String(c) }];
    const answer = { configurationKey, unknownKey: [`K${String(c % 3)}`] };
    return ended('GetConfiguration', a % 2 === 0 ? { key: ['K1'] } : {}, answer);
  },
  (draw) =>
    ended('SetChargingProfile', { connectorId: draw[0] % 3, csChargingProfiles: profile(draw, 'TxDefaultProfile') }),
  ([a, b, c]) =>
    ended(
      'ClearChargingProfile',
      [{ id: 1 + (b % 3) }, { connectorId: a % 3 }, {}, { stackLevel: c % 2 }][c % 4] ?? {},
    ),
  ([a, b], { seq, tag }) => {
    const place = { reservationId: b % 3, connectorId: 1 + (a % 2) };
    return ended('ReserveNow', { ...place, idTag: `${tag}${String(b % 2)}`, expiryDate: at(seq + 5_000) });
  },
  ([, b]) => ended('CancelReservation', { reservationId: b % 3 }),
  ([a, b, c], { seq }) => {
    const info = c % 2 === 0 && a % 2 === 0 ? {} : { idTagInfo: ACCEPTED };
    const localAuthorizationList = [{ idTag: `L${String(b % 3)}`, ...info }];
    const updateType = a % 2 === 0 ? 'Differential' : 'Full';
    return ended('SendLocalList', { listVersion: seq, updateType, localAuthorizationList });
  },
  ([, , c]) => ended('GetLocalListVersion', {}, { listVersion: c }),
  ([a]) => ask('BootNotification', { chargePointVendor: `v${String(a)}`, chargePointModel: 'm' }),
  () => chargerReport('Heartbeat', {}),
];

const draw = fc.tuple(fc.nat(5), fc.nat(5), fc.nat(5));
const messageDraw = fc.tuple(fc.nat(MESSAGES.length - 1), draw);
/**
 * `lostAt`: the write, counted from 1, at which the store fails; 0 for none. `pausedAt`: the write at which a replica
 * that had the messages first is paused; it wakes after the next step.
 */
const step = fc.record({
  messages: fc.array(messageDraw, { minLength: 1, maxLength: 4 }),
  lostAt: fc.nat(12),
  isWritten: fc.boolean(),
  again: fc.nat(4),
  pausedAt: fc.nat(4),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A store that fails at one write, before or after the write is done. */
function createLosable() {
  let left = 0;
  let isWritten = false;
  const store = withoutOrder(world.platform.store, async ({ write }) => {
    left -= 1;
    if (left !== 0) return write();
    if (isWritten) await write();
    throw new AppError('unavailable', 'the store was lost');
  });
  return {
    store,
    loseAt(nth: number, after: boolean) {
      [left, isWritten] = [nth, after];
    },
  };
}

/**
 * Pauses at one write of the batch; a batch with fewer writes has ended already. Returns the function that wakes it.
 */
async function pausedWith(batch: readonly ReportEnvelope[], nth: number): Promise<() => Promise<unknown>> {
  let left = nth;
  let wake = (): void => undefined;
  const woken = new Promise<void>((resolve) => (wake = resolve));
  let ended: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve) => {
    const store = withoutOrder(world.platform.store, async ({ write }) => {
      left -= 1;
      if (left === 0) {
        resolve();
        await woken;
      }
      return write();
    });
    ended = createReplica(world, { store, now: () => new Date(T0) })(...batch).finally(resolve);
  });
  return () => {
    wake();
    return ended;
  };
}

function envelope(charger: Charger, { kind, action, payload, answer }: ChargerMessage, seq: number): ReportEnvelope {
  const { chargerId, incarnationId } = charger;
  const call = newReport({ kind, action, chargerId, incarnationId, seq, payload, receivedAt: at(seq) });
  if (kind !== 'outcome') return call;
  return {
    ...call,
    payload: { outcome: 'answered', payload: answer },
    raw: JSON.stringify([3, 'm', answer]),
    request: call.raw,
    commandId: `command-${String(seq)}`,
    sentAfter: seq - 1,
  };
}

async function play(steps: readonly Step[], tag: string, withFaults: boolean): Promise<unknown> {
  const charger = await world.register();
  const losable = createLosable();
  const replica = () => createReplica(world, { store: losable.store, now: () => new Date(T0) });
  let first = replica();
  const second = replica();
  const sent: ReportEnvelope[][] = [];
  const transactions: number[] = [];
  let seq = 0;
  let wake: (() => Promise<unknown>) | undefined;
  for (const { messages, lostAt, isWritten, again, pausedAt } of steps) {
    const batch = messages.map(([which, drawn]) => {
      seq += 1;
      const transactionId = transactions[drawn[0] % Math.max(1, transactions.length)] ?? UNKNOWN_TRANSACTION;
      return envelope(charger, (MESSAGES[which] ?? ask)(drawn as never, { seq, tag, transactionId }), seq);
    });
    sent.push(batch);
    const sleeper = withFaults && pausedAt > 0 ? await pausedWith(batch, pausedAt) : undefined;
    losable.loseAt(withFaults ? lostAt : 0, isWritten);
    const applied = await first(...batch).catch((error: unknown) => {
      if (!isAppError(error, 'unavailable')) throw error;
      // The replica that takes over has an empty memory.
      first = replica();
      losable.loseAt(0, false);
      return first(...batch);
    });
    losable.loseAt(0, false);
    for (const { report, answer } of applied) {
      if (report.action === 'StartTransaction') transactions.push(Number(answer?.['transactionId']));
    }
    if (withFaults && again > 0) await second(...sent.slice(-again).flat());
    await wake?.();
    wake = sleeper;
  }
  await wake?.();
  return stateOf(charger, tag);
}

/** All stored state of a charger, with names and numbers that are the same in every run. */
async function stateOf(charger: Charger, tag: string): Promise<unknown> {
  const { reported, applied } = await world.read(charger);
  const { reservations, profiles, localList } = await world.platform.records.deviceStates.read(charger);
  const sessions = (await world.sessions(charger)).sort((a, b) => (a.startTime < b.startTime ? -1 : 1));
  const meterValues = await Promise.all(
    sessions.map(async ({ sessionId }) => (await world.meterValues(sessionId)).length),
  );
  const log = (await world.log(charger)).length;
  const names = new Map<string | number, string>(
    sessions.flatMap(({ sessionId, transactionId }, i) => [
      [sessionId, `session ${String(i)}`],
      [transactionId, `transaction ${String(i)}`],
    ]),
  );
  // Absent is the same as none.
  const { awaitedStarts = [], awaitedStops = [] } = reported;
  const all = {
    reported: { ...reported, awaitedStarts, awaitedStops },
    applied,
    reservations,
    profiles,
    localList,
    sessions,
    meterValues,
    log,
  };
  const named = new Set(['sessionId', 'transactionId', 'lastTransactionId', '_id']);
  // `updatedAt`: the time of the write. `stopReportId`: each run has messages of its own.
  const left = new Set(['chargerId', 'incarnationId', 'siteId', 'updatedAt', 'stopReportId']);
  const text = JSON.stringify(all, (key, value: unknown) => {
    if (left.has(key)) return undefined;
    return named.has(key) ? (names.get(value as string) ?? value) : value;
  });
  // Frames contain the transaction ids too.
  const numbered = [...names].reduce(
    (done, [name, becomes]) =>
      typeof name === 'number'
        ? done.replaceAll(
            new RegExp(`transactionId(\\\\?)":${String(name)}(?=[,}])`, 'g'),
            `transactionId$1":$1"${becomes}$1"`,
          )
        : done,
    text,
  );
  return JSON.parse(
    numbered.replaceAll(tag.toLowerCase(), 'tag').replaceAll(tag, 'tag').replaceAll(',"refused":false', ''),
  );
}

it(
  'stores the same state when the store fails at any write and messages are redelivered',
  async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
        runs += 1;
        const tag = `QZ${String(runs)}`;
        const expected = await play(steps, `${tag}A`, false);
        expect(await play(steps, `${tag}B`, true)).toEqual(expected);
      }),
      { numRuns: RUNS, ...(RUNS > USUAL_RUNS ? {} : { seed: USUAL_SEED }) },
    );
  },
  60_000 + RUNS * 500,
);
