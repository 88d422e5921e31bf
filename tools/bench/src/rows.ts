// The table of measurements by column, with their goals.
import type { Version2 } from './load/messages-2';
import { STATUSES, type LoadOfVersion } from './load/rate-load';
import type { Column } from './worlds/world';

/** B1: a bare ws server under 200 chargers' Heartbeats. B2: RabbitMQ alone, publishing with confirms and consuming. */
export type Baseline = 'B1' | 'B2';

export interface RateGoal {
  readonly kind: 'rate';
  readonly load: LoadOfVersion;
  readonly chargers: number;
  readonly of: Baseline;
  readonly ratio: number;
  readonly p99Ms?: number;
}

export interface AloneGoal {
  readonly kind: 'alone';
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface ReadableGoal {
  readonly kind: 'readable';
  readonly p99Ms: number;
}

export interface IdleGoal {
  readonly kind: 'idle';
  readonly chargers: number;
  readonly plainKb: number;
  readonly tlsKb: number;
}

export interface ReconnectGoal {
  readonly kind: 'reconnect';
  readonly chargers: number;
  readonly withinS: number;
}

/** The gateway is killed and started again: from the kill until the last charger is back. */
export interface KilledGoal {
  readonly kind: 'killed';
  readonly chargers: number;
  readonly withinS: number;
}

export interface GetGoal {
  readonly kind: 'get';
  readonly ratio: number;
}

/** Events that a reader of the feed gets under the load of statuses. */
export interface FeedGoal {
  readonly kind: 'feed';
  readonly chargers: number;
  /** It is at the end of the feed so long after the load. */
  readonly behindS: number;
}

/** From a charger's frame to the event in the stream. */
export interface StreamGoal {
  readonly kind: 'stream';
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** To ten receivers of webhooks that answer after 5 ms. */
export interface DeliveriesGoal {
  readonly kind: 'deliveries';
  readonly chargers: number;
  readonly perSecond: number;
}

/** One of a hundred receivers answers after 14 s: what it adds to the others' p99. */
export interface SlowReceiverGoal {
  readonly kind: 'slow-receiver';
  readonly shiftMs: number;
}

export type Goal =
  | RateGoal
  | AloneGoal
  | ReadableGoal
  | IdleGoal
  | ReconnectGoal
  | KilledGoal
  | GetGoal
  | FeedGoal
  | StreamGoal
  | DeliveriesGoal
  | SlowReceiverGoal;

export interface Row {
  readonly key: string;
  readonly title: string;
  readonly goals: Readonly<Partial<Record<Column, Goal>>>;
}

const heartbeats = { kind: 'rate', load: { version: 'ocpp1.6', action: 'Heartbeat' }, chargers: 200 } as const;
const statuses = { kind: 'rate', load: STATUSES, chargers: 1_000 } as const;
const meterValues = { kind: 'rate', load: { version: 'ocpp1.6', action: 'MeterValues' }, chargers: 1_000 } as const;
const statuses2 = { ...statuses, load: { version: 'ocpp2.1', action: 'StatusNotification' } } as const;
const transactionEvents = { ...statuses, load: { version: 'ocpp2.1', action: 'TransactionEvent' } } as const;
const idle = { kind: 'idle', chargers: 10_000, plainKb: 14, tlsKb: 45 } as const;
const killed = { kind: 'killed', chargers: 2_000 } as const;
const feed = { kind: 'feed', chargers: 1_000, behindS: 2 } as const;
const stream = { kind: 'stream', p50Ms: 100, p99Ms: 500 } as const;
const deliveries = { kind: 'deliveries', chargers: 200, perSecond: 2_000 } as const;
const slowReceiver = { kind: 'slow-receiver', shiftMs: 50 } as const;

export const ROWS: readonly Row[] = [
  {
    key: 'heartbeats',
    title: 'Heartbeats, 200 chargers',
    goals: {
      1: { ...heartbeats, of: 'B1', ratio: 0.32 },
      2: { ...heartbeats, of: 'B2', ratio: 0.45 },
      3: { ...heartbeats, of: 'B2', ratio: 0.45 },
    },
  },
  {
    key: 'statuses',
    title: 'StatusNotification, 1,000 chargers',
    goals: {
      1: { ...statuses, of: 'B1', ratio: 0.24, p99Ms: 150 },
      2: { ...statuses, of: 'B2', ratio: 0.45 },
      3: { ...statuses, of: 'B2', ratio: 0.55, p99Ms: 150 },
    },
  },
  {
    key: 'meter-values',
    title: 'MeterValues with 5 samples, 1,000 chargers',
    goals: {
      1: { ...meterValues, of: 'B1', ratio: 0.22 },
      2: { ...meterValues, of: 'B2', ratio: 0.35 },
      3: { ...meterValues, of: 'B2', ratio: 0.45 },
    },
  },
  {
    key: 'statuses-2',
    title: 'StatusNotification of OCPP 2.x, 1,000 chargers',
    goals: {
      1: { ...statuses2, of: 'B1', ratio: 0.13 },
      2: { ...statuses2, of: 'B2', ratio: 0.35 },
      3: { ...statuses2, of: 'B2', ratio: 0.45 },
    },
  },
  {
    key: 'transaction-events',
    title: 'TransactionEvent of OCPP 2.x with 5 samples, 1,000 chargers',
    goals: {
      1: { ...transactionEvents, of: 'B1', ratio: 0.05 },
      2: { ...transactionEvents, of: 'B2', ratio: 0.15 },
      3: { ...transactionEvents, of: 'B2', ratio: 0.2 },
    },
  },
  {
    key: 'alone',
    title: 'one charger alone',
    goals: {
      1: { kind: 'alone', p50Ms: 0.6, p99Ms: 3 },
      2: { kind: 'alone', p50Ms: 1.2, p99Ms: 4 },
      3: { kind: 'alone', p50Ms: 1.2, p99Ms: 4 },
    },
  },
  {
    key: 'readable',
    title: 'frame to readable over HTTP',
    goals: { 1: { kind: 'readable', p99Ms: 100 }, 3: { kind: 'readable', p99Ms: 200 } },
  },
  {
    key: 'idle',
    title: '10,000 idle chargers in one gateway',
    goals: { 1: { ...idle, plainKb: 18, tlsKb: 42 }, 3: idle },
  },
  {
    key: 'reconnect',
    title: '5,000 chargers reconnect at once',
    goals: {
      1: { kind: 'reconnect', chargers: 5_000, withinS: 15 },
      3: { kind: 'reconnect', chargers: 5_000, withinS: 15 },
    },
  },
  {
    key: 'killed',
    title: '2,000 chargers back after a kill of the gateway',
    goals: { 1: { ...killed, withinS: 3 }, 2: { ...killed, withinS: 5 }, 3: { ...killed, withinS: 6 } },
  },
  {
    key: 'get',
    title: 'GET charger, both APIs',
    goals: { 1: { kind: 'get', ratio: 0.8 }, 3: { kind: 'get', ratio: 0.6 } },
  },
  { key: 'feed', title: 'events of 1,000 chargers to a reader of the feed', goals: { 1: feed, 3: feed } },
  { key: 'stream', title: 'frame to the stream of events', goals: { 1: stream, 3: stream } },
  { key: 'deliveries', title: 'deliveries to ten webhooks', goals: { 1: deliveries, 3: deliveries } },
  {
    key: 'slow-receiver',
    title: 'one of a hundred webhooks answers after 14 s',
    goals: { 1: slowReceiver, 3: slowReceiver },
  },
];

/** A goal as the table shows it. */
export function goalText(goal: Goal): string {
  switch (goal.kind) {
    case 'rate': {
      const p99 = goal.p99Ms === undefined ? '' : `, p99 < ${String(goal.p99Ms)} ms`;
      return `≥ ${String(goal.ratio)} of ${goal.of}${p99}`;
    }
    case 'alone':
      return `p50 ≤ ${String(goal.p50Ms)} ms, p99 ≤ ${String(goal.p99Ms)} ms`;
    case 'readable':
      return `p99 < ${String(goal.p99Ms)} ms`;
    case 'idle':
      return `≤ ${String(goal.plainKb)} KB plain, ≤ ${String(goal.tlsKb)} KB TLS`;
    case 'reconnect':
    case 'killed':
      return `≤ ${String(goal.withinS)} s`;
    case 'get':
      return `≥ ${String(goal.ratio)} of bare express`;
    default:
      return eventGoalText(goal);
  }
}

function eventGoalText(goal: FeedGoal | StreamGoal | DeliveriesGoal | SlowReceiverGoal): string {
  switch (goal.kind) {
    case 'feed':
      return `≤ ${String(goal.behindS)} s after the load`;
    case 'stream':
      return `p50 ≤ ${String(goal.p50Ms)} ms, p99 ≤ ${String(goal.p99Ms)} ms`;
    case 'deliveries':
      return `≥ ${goal.perSecond.toLocaleString('en-US')}/s`;
    case 'slow-receiver':
      return `< ${String(goal.shiftMs)} ms more for the others' p99`;
  }
}

/** The number of chargers to register for a goal. */
export function chargersOf(goal: Goal): number {
  switch (goal.kind) {
    case 'rate':
    case 'idle':
    case 'reconnect':
    case 'killed':
    case 'feed':
    case 'deliveries':
      return goal.chargers;
    case 'readable':
    case 'stream':
      return COMPANY + 1;
    // It makes its own.
    case 'slow-receiver':
      return 0;
    case 'alone':
    case 'get':
      return 1;
  }
}

/** Chargers that send one StatusNotification a second each while one is watched. */
export const COMPANY = 1_000;

/** The goal with its load in this version where that is one of OCPP 2.x: both have the same messages, and the same goals. */
export function goalInVersion(goal: Goal, version: Version2): Goal {
  if (goal.kind !== 'rate' || goal.load.version === 'ocpp1.6') return goal;
  return { ...goal, load: { ...goal.load, version } };
}
