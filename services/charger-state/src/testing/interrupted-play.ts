// Plays messages and responses of a charger to replicas whose store fails at any write, and again without faults. The broker redelivers
// messages to a replica or to another, also while one is paused with them. Both ways must store the same.
import type { ReportEnvelope } from '@busbar/contracts';
import { AppError, createId, isAppError, systemClock as clock } from '@busbar/core';
import { createCharger, type Charger } from '@busbar/domain/chargers';
import type { Session } from '@busbar/domain/sessions';
import { createSite } from '@busbar/domain/sites';
import fc from 'fast-check';
import type { Applied } from '../pipeline/contract';
import type { ChargerStateWorld } from './open-world';
import { createReplica, withoutOrder } from './replica';
import { newReport } from './report';

export type Fields = Readonly<Record<string, unknown>>;
export type Draw = readonly [number, number, number];

export interface ChargerMessage {
  readonly kind: 'report' | 'decision' | 'outcome';
  readonly action: string;
  readonly payload: Fields;
  readonly response?: Fields;
}

/** The messages of one charger. */
export interface Script {
  /** The next message; a function of what was drawn, and of the messages before. */
  message(which: number, draw: Draw, seq: number): ChargerMessage;
  /** Called with each message that was applied. */
  applied?(applied: Applied): void;
}

export interface Scripts {
  readonly ocppVersion: string;
  /** Kinds of messages: `which` is below it. */
  readonly kinds: number;
  create(): Script;
}

/** `INTERRUPTED_RUNS` above this runs more cases, each time with another seed. */
const USUAL_RUNS = 60;
const USUAL_SEED = 20_261_121;
const RUNS = Number(process.env['INTERRUPTED_RUNS'] ?? USUAL_RUNS);
export const TIMEOUT_MS = 60_000 + RUNS * 500;
/** In the future, so that the world's own charger-state deletes no row as too old. */
const T0 = Date.parse('2040-03-01T00:00:00Z');

export const at = (seconds: number): string => new Date(T0 + seconds * 1_000).toISOString();
export const decision = (action: string, payload: Fields): ChargerMessage => ({ kind: 'decision', action, payload });
export const report = (action: string, payload: Fields): ChargerMessage => ({ kind: 'report', action, payload });
/** A CALL of ours that the charger has answered. */
export const outcome = (
  action: string,
  payload: Fields,
  response: Fields = { status: 'Accepted' },
): ChargerMessage => ({ kind: 'outcome', action, payload, response });

/**
 * `lostAt`: the write, counted from 1, at which the store fails; 0 for none. `pausedAt`: the write at which a replica
 * that had the messages first is paused; it wakes after the next step.
 */
interface Step {
  readonly messages: readonly (readonly [number, Draw])[];
  readonly lostAt: number;
  readonly isWritten: boolean;
  readonly again: number;
  readonly pausedAt: number;
}

const drawn = fc.tuple(fc.nat(5), fc.nat(5), fc.nat(5));
const stepOf = (kinds: number): fc.Arbitrary<Step> =>
  fc.record({
    messages: fc.array(fc.tuple(fc.nat(kinds - 1), drawn), { minLength: 1, maxLength: 4 }),
    lostAt: fc.nat(12),
    isWritten: fc.boolean(),
    again: fc.nat(4),
    pausedAt: fc.nat(4),
  });

/** Rejects with the steps of the smallest case in which the faults changed what is stored. */
export async function expectSameState(world: ChargerStateWorld, scripts: Scripts): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(stepOf(scripts.kinds), { minLength: 1, maxLength: 7 }), async (steps) => {
      const expected = await play(world, scripts, { steps, withFaults: false });
      expect(await play(world, scripts, { steps, withFaults: true })).toEqual(expected);
    }),
    { numRuns: RUNS, ...(RUNS > USUAL_RUNS ? {} : { seed: USUAL_SEED }) },
  );
}

/** Of a client of its own, so that runs have no tag in common. */
async function register({ platform: { records } }: ChargerStateWorld): Promise<Charger> {
  const clientId = createId();
  const createdAt = clock.now().toISOString();
  await records.clients.insert({ clientId, name: 'A client', openCharging: true, createdAt });
  const site = await createSite({ sites: records.sites, clock }, clientId, { name: 'A site' });
  const described = { chargerId: createId(), name: 'A charger', siteId: site.siteId };
  return createCharger({ ...records, clock }, clientId, described);
}

interface Run {
  readonly steps: readonly Step[];
  readonly withFaults: boolean;
}

async function play(world: ChargerStateWorld, scripts: Scripts, { steps, withFaults }: Run): Promise<unknown> {
  const charger = await register(world);
  const script = scripts.create();
  const losable = createLosable(world);
  const replica = () => createReplica(world, { store: losable.store, now: () => new Date(T0) });
  let first = replica();
  const second = replica();
  const sent: ReportEnvelope[][] = [];
  let seq = 0;
  let wake: (() => Promise<unknown>) | undefined;
  for (const { messages, lostAt, isWritten, again, pausedAt } of steps) {
    const batch = messages.map(([which, draw]) => {
      seq += 1;
      return envelope(charger, script.message(which, draw, seq), { seq, ocppVersion: scripts.ocppVersion });
    });
    sent.push(batch);
    const sleeper = withFaults && pausedAt > 0 ? await pausedWith(world, batch, pausedAt) : undefined;
    losable.loseAt(withFaults ? lostAt : 0, isWritten);
    const applied = await first(...batch).catch((error: unknown) => {
      if (!isAppError(error, 'unavailable')) throw error;
      // The replica that takes over has an empty memory.
      first = replica();
      losable.loseAt(0, false);
      return first(...batch);
    });
    losable.loseAt(0, false);
    for (const each of applied) script.applied?.(each);
    if (withFaults && again > 0) await second(...sent.slice(-again).flat());
    await wake?.();
    wake = sleeper;
  }
  await wake?.();
  return stateOf(world, charger);
}

/** A store that fails at one write, before or after the write is done. */
function createLosable(world: ChargerStateWorld) {
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
async function pausedWith(
  world: ChargerStateWorld,
  batch: readonly ReportEnvelope[],
  nth: number,
): Promise<() => Promise<unknown>> {
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

function envelope(
  { chargerId, incarnationId }: Charger,
  { kind, action, payload, response }: ChargerMessage,
  { seq, ocppVersion }: { readonly seq: number; readonly ocppVersion: string },
): ReportEnvelope {
  const messageId = `m${String(seq)}`;
  const common = { kind, action, chargerId, incarnationId, messageId, seq, ocppVersion };
  const call = newReport({ ...common, payload, receivedAt: at(seq) });
  if (kind !== 'outcome') return call;
  return {
    ...call,
    payload: { outcome: 'answered', payload: response },
    raw: JSON.stringify([3, messageId, response]),
    request: call.raw,
    commandId: `command-${String(seq)}`,
    sentAfter: seq - 1,
  };
}

/** `updatedAt`, `revision`: of the writes. `stopReportId`, `firstRowId`: each run has messages of its own. */
const LEFT = new Set([
  'revision',
  '_id',
  'chargerId',
  'incarnationId',
  'clientId',
  'siteId',
  'updatedAt',
  'stopReportId',
  'firstRowId',
]);
const NAMED = new Set(['sessionId', 'transactionId', 'lastTransactionId']);

const WHENEVER = { from: at(-1_000_000), to: at(1_000_000) };
const firstPage = <Key extends string>(sortKey: Key) =>
  ({ page: 1, limit: 1_000, sortKey, sortDescending: false }) as const;

/** All stored state of a charger, with names and numbers that are the same in every run. */
async function stateOf(world: ChargerStateWorld, charger: Charger): Promise<unknown> {
  const { records } = world.platform;
  const { reported, applied } = await world.read(charger);
  const sessions = (await world.sessions(charger)).sort((a, b) => (beginOf(a) < beginOf(b) ? -1 : 1));
  const names = new Map<string | number, string>(
    sessions.flatMap(({ sessionId, transactionId }, i) => [
      [sessionId, `session ${String(i)}`],
      [transactionId, `transaction ${String(i)}`],
    ]),
  );
  const all = {
    reported: comparable(reported),
    applied,
    device: await records.deviceStates.read(charger),
    model: await records.deviceModels.read(charger),
    streams: await records.eventStreams.read(charger),
    sessions: await Promise.all(sessions.map((session) => sessionWithRows(world, session))),
    events: (await records.history.eventPage(charger.incarnationId, {}, firstPage('receivedAt'))).items.length,
    states: (
      await records.history.statePage(
        charger.clientId,
        { ...WHENEVER, chargerIds: [charger.chargerId] },
        firstPage('at'),
      )
    ).items.length,
    log: (await world.log(charger)).length,
  };
  const text = JSON.stringify(all, (key, value: unknown) => {
    if (LEFT.has(key)) return undefined;
    return NAMED.has(key) ? (names.get(value as string) ?? value) : value;
  });
  // Some keys contain the id of a session, and frames that of a transaction.
  const numbered = [...names].reduce(
    (done, [name, becomes]) =>
      typeof name === 'number'
        ? done.replaceAll(
            new RegExp(`transactionId(\\\\?)":${String(name)}(?=[,}])`, 'g'),
            `transactionId$1":$1"${becomes}$1"`,
          )
        : done.replaceAll(name, becomes),
    text,
  );
  return JSON.parse(numbered.replaceAll(',"refused":false', ''));
}

/** In the order of the starts; several of OCPP 2.x may have the same time. */
const beginOf = ({ startTime, device }: Session): string => `${startTime} ${device?.id ?? ''}`;

/**
 * Absent is the same as none. The row of a transaction is stored before the record, so that a socket may have its state from the first of
 * the redelivered events.
 */
function comparable(reported: Charger['reported']): unknown {
  const { awaitedStarts = [], awaitedStops = [] } = reported;
  const sockets = Object.entries(reported.sockets).map(([socketId, status]) => [socketId, { ...status, at: '' }]);
  return { ...reported, awaitedStarts, awaitedStops, sockets };
}

async function sessionWithRows({ meterValues, platform }: ChargerStateWorld, session: Session): Promise<unknown> {
  const { sessionId, device } = session;
  const events = await platform.records.sessions.transactionEventsPage(sessionId, firstPage('seqNo'));
  return {
    ...session,
    ...(device && { device: { ...device, key: '' } }),
    values: (await meterValues(sessionId)).length,
    events: events.items.map(({ seqNo, eventType }) => [seqNo, eventType]),
  };
}
