// Gateways, a partition and replicas of charger-state, reduced to the parts that decide the truth of a record. This
// file decides only which events happen. The service's own functions decide their effect.
import { nudgeOf, type ReportEnvelope, type ReportKind } from '@busbar/contracts';
import type { ReportStore } from '@busbar/domain/reports';
import { createBatchEvents } from '../feed/batch-events';
import { createFeedOwner, type FeedOwner } from '../feed/feed-owner';
import { createRouter } from '../handlers/router';
import { createV16Routes } from '../handlers/v16/routes';
import { createLeaseCount, type LeaseCount } from '../presence/lease-count';
import { createLeaseTable, type LeaseTable } from '../presence/lease-table';
import { STEP_MS, TICK_MS } from '../presence/own-ticks';
import { applyBatch } from '../pipeline/apply';
import type { Applied } from '../pipeline/contract';
import { createPartitionCaches, type ChargerCache } from '../pipeline/charger-cache';
import { createPendingSideEffects } from '../pipeline/pending-side-effects';
import { connectionsToClose } from '../pipeline/closings';
import { createRecordingLogger } from '@busbar/testing';
import { createNumberedPages, type FeedDesign, type ReplicaFeed } from './feed-designs';
import { createMemoryStores, type MemoryStores } from './memory-stores';
import { createCountedStarts } from '../pipeline/transaction-ids';

export interface Socket {
  readonly chargerId: string;
  readonly connectionId: string;
  readonly order: number;
  seq: number;
}

export interface Gateway {
  id: string;
  readonly sockets: Map<string, Socket>;
  /** In order, not yet confirmed. */
  outbox: ReportEnvelope[];
  paused: boolean;
  /** The error of its clock. */
  readonly clockErrorMs: number;
}

interface Replica {
  readonly cache: ChargerCache;
  readonly leases: LeaseTable;
  readonly count: LeaseCount;
  /** Renewals and ticks that its connection to the broker holds while it is suspended. */
  held: (() => Promise<unknown>)[] | undefined;
  readonly feed: ReplicaFeed;
  readonly owner: FeedOwner;
  /** The messages of the batch that it applies. */
  batch: readonly ReportEnvelope[];
  write: ReportStore['write'];
  gate: () => Promise<void>;
  /** A batch in progress that waits before one of its calls to the store. */
  inHand: { readonly go: () => void; readonly done: Promise<void> } | undefined;
}

export interface ModelWorld {
  readonly stores: MemoryStores;
  readonly feed: FeedDesign;
  readonly gateways: readonly Gateway[];
  /** Everything that a gateway published to the broker. */
  readonly confirmed: readonly ReportEnvelope[];
  /** The answers to each start, by the content that identifies the start. */
  readonly answers: ReadonlyMap<string, ReadonlySet<string>>;
  /** The order of each charger's last connection. */
  readonly lastOrder: ReadonlyMap<string, number>;
  /** How often each charger was renamed. */
  readonly renames: ReadonlyMap<string, number>;
  connect(chargerId: string, gateway: number): Promise<void>;
  disconnect(chargerId: string): void;
  report(chargerId: string, action: string, payload: Readonly<Record<string, unknown>>): void;
  /** Its owner changes the registration. */
  rename(chargerId: string): void;
  /** Somebody finds appended events, and sends nudges. */
  nudge(): void;
  /** The charger stops the `nth` transaction that it was given; if there is none, an unknown one. */
  stop(chargerId: string, nth: number): void;
  flush(gateway: number, count: number, confirmLost: boolean): void;
  /** The active replica consumes messages; with `stopBefore` it pauses before that call to the store, until `wake`. */
  consume(count: number, stopBefore?: number): Promise<void>;
  /** The partition moves from the first replica to the second and back; both pause, and the second may die. */
  consumeTwice(count: number, stopsBefore: readonly [number, number], dies: boolean): Promise<void>;
  wake(replica: number): Promise<void>;
  takeOver(replica: number): void;
  crash(replica: number): void;
  renew(gateway: number): Promise<void>;
  /** A tick's time passes for that replica. */
  tick(replica: number): Promise<void>;
  /** That replica's connection to the broker is suspended: its deliveries are held until `flow`. */
  stall(replica: number): void;
  flow(replica: number): Promise<void>;
  /** The connection is lost, with the held messages, and restored. */
  reconnect(replica: number): void;
  pause(gateway: number): void;
  resume(gateway: number): void;
  kill(gateway: number): void;
  /** Everything runs, nobody connects, until nothing more follows. */
  converge(): Promise<void>;
}

export interface ModelOptions {
  readonly chargers: readonly string[];
  readonly gateways: number;
  readonly replicas: number;
  readonly clockErrorsMs: readonly number[];
  /** Default: as the service. */
  readonly feed?: FeedDesign;
}

const LEASE_TICKS = 3;
/** More than a history has. Room for as many as in a service costs more time than the history. */
const MAX_REMEMBERED = 200;
const UNKNOWN_TRANSACTION = 1_000_000;
const CONVERGE_ATTEMPTS = 4 * LEASE_TICKS;
const START = Date.parse('2026-01-01T12:00:00.000Z');

export function createModelWorld(options: ModelOptions): ModelWorld {
  const stores = createMemoryStores();
  const design = options.feed ?? createNumberedPages();
  let terms = 0;
  for (const chargerId of options.chargers) stores.register(chargerId);
  const logger = createRecordingLogger();
  let ids = 0;
  let elapsed = 0;
  const newId = (kind: string): string => `${kind}${String((ids += 1))}`;
  const now = (): Date => new Date(START + (elapsed += 10));
  const gateways = Array.from({ length: options.gateways }, (_, n): Gateway => newGateway(n));
  const replicas = Array.from({ length: options.replicas }, newReplica);
  const confirmed: ReportEnvelope[] = [];
  const answers = new Map<string, Set<string>>();
  const lastOrder = new Map<string, number>();
  const renames = new Map<string, number>();
  /** The partition: unacknowledged messages stay at its head. */
  const queue: ReportEnvelope[] = [];
  let active = 0;

  function newGateway(n: number): Gateway {
    const clockErrorMs = options.clockErrorsMs[n] ?? 0;
    return { id: newId('g'), sockets: new Map(), outbox: [], paused: false, clockErrorMs };
  }

  function newReplica(): Replica {
    const leases = createLeaseTable(LEASE_TICKS);
    const count = createLeaseCount({ store: stores.presence, leases, clock: { now }, logger });
    const feed = design.ofReplica((terms += 1), () => replica.batch);
    const owner = createFeedOwner({
      partition: 0,
      pages: {
        lastPage: async (stream) => replica.gate().then(() => feed.pages.lastPage(stream)),
        highestIn: async (ids) => replica.gate().then(() => feed.pages.highestIn(ids)),
      },
      reports: { commitsPages: design.commit !== undefined, write: (...args) => replica.write(...args) },
      clock: { now },
    });
    const replica: Replica = {
      cache: createPartitionCaches(100).of(0),
      leases,
      count,
      feed,
      owner,
      batch: [],
      write: () => Promise.reject(new Error('no batch')),
      gate: () => Promise.resolve(),
      held: undefined,
      inHand: undefined,
    };
    return replica;
  }

  function publish(gateway: Gateway, socket: Socket, kind: ReportKind, part: Partial<ReportEnvelope> = {}): void {
    const { chargerId, connectionId, order } = socket;
    socket.seq += 1;
    gateway.outbox.push({
      v: 1,
      id: newId('m'),
      kind,
      chargerId,
      incarnationId: `${chargerId}-1`,
      connectionId,
      gatewayId: gateway.id,
      order,
      seq: socket.seq,
      ocppVersion: 'ocpp1.6',
      action: '',
      messageId: '',
      payload: null,
      raw: '',
      receivedAt: new Date(now().getTime() + gateway.clockErrorMs).toISOString(),
      ...part,
    });
  }

  function close(gateway: Gateway, socket: Socket): void {
    if (gateway.sockets.get(socket.chargerId) === socket) gateway.sockets.delete(socket.chargerId);
    publish(gateway, socket, 'disconnected');
  }

  const newestOf = (chargerId: string): { gateway: Gateway; socket: Socket } | undefined =>
    gateways
      .flatMap((gateway) => [...gateway.sockets.values()].map((socket) => ({ gateway, socket })))
      .filter(({ socket }) => socket.chargerId === chargerId)
      .sort((a, b) => b.socket.order - a.socket.order)[0];

  function goOnAs(gateway: Gateway, id: string): void {
    gateway.id = id;
    for (const socket of gateway.sockets.values()) publish(gateway, socket, 'connected');
  }

  function follow(applied: readonly Applied[]): void {
    for (const each of applied) {
      const { report, answer } = each;
      if (report.action === 'StartTransaction') {
        const key = JSON.stringify([report.chargerId, report.payload]);
        // The whole answer: the answer to a start never changes.
        answers.set(key, (answers.get(key) ?? new Set()).add(JSON.stringify(answer)));
      }
      for (const loser of connectionsToClose(each)) {
        // A gateway that is paused or has another id by now announces its sockets again, and then gets the request
        // again.
        const gateway = gateways.find(({ id, paused }) => id === loser.gatewayId && !paused);
        const socket = gateway?.sockets.get(report.chargerId);
        if (gateway && socket?.connectionId === loser.connectionId) close(gateway, socket);
      }
    }
  }

  async function applyAs(replica: Replica, batch: readonly ReportEnvelope[], gate: () => Promise<void>): Promise<void> {
    const { reports } = stores;
    const gated: typeof reports = {
      ...reports,
      loadChargers: async (chargerIds) => gate().then(() => reports.loadChargers(chargerIds)),
      // Two calls, as where the store has no order of writes: a replica may pause, or die, between its rows and its
      // documents.
      async write(rows, changes, pages = []) {
        await gate();
        if (stores.writeRows(rows)) return 'conflict';
        await gate();
        if (design.commit !== undefined && pages.length > 0) return design.commit(stores, changes, pages);
        if (stores.writeDocuments(changes) === 'conflict') return 'conflict';
        for (const page of pages) {
          await gate();
          if (!replica.feed.write(page)) return 'conflict';
        }
        return 'written';
      },
    };
    replica.batch = batch;
    replica.write = gated.write;
    replica.gate = gate;
    const applied = await applyBatch(batch, {
      reports: gated,
      sources: {
        reports,
        countedStarts: createCountedStarts(MAX_REMEMBERED),
        clients: stores.clients,
        tags: stores.tags,
        sessions: stores.sessions,
      },
      claims: {
        find: async (tags) => gate().then(() => stores.claims.find(tags)),
        take: async (changes) => gate().then(() => stores.claims.take(changes)),
      },
      cache: replica.cache,
      feed: {
        owner: replica.owner,
        readSites: () => undefined,
        createEvents: () => createBatchEvents(() => null),
        onStored: () => undefined,
      },
      sideEffects: createPendingSideEffects(MAX_REMEMBERED),
      route: createRouter({ 'ocpp1.6': createV16Routes() }),
      heartbeatIntervalS: 300,
      isDeadGateway: (id) => replica.leases.isDead(id),
      now: () => new Date(),
    });
    follow(applied);
    // Its channel is gone when another one is active: then this acknowledges nothing.
    if (replicas[active] !== replica) return;
    for (const report of batch) if (queue[0]?.id === report.id) queue.shift();
  }

  async function give(replica: Replica, letter: () => Promise<unknown>): Promise<void> {
    if (replica.held) replica.held.push(letter);
    else await letter();
  }

  const world: ModelWorld = {
    stores,
    feed: design,
    gateways,
    confirmed,
    answers,
    lastOrder,
    renames,
    rename(chargerId) {
      stores.rename(chargerId);
      renames.set(chargerId, (renames.get(chargerId) ?? 0) + 1);
    },
    nudge: () => void queue.push(...stores.waiting().map((charger) => nudgeOf(charger, newId('m'), now()))),
    async connect(chargerId, n) {
      const gateway = gateways[n];
      if (gateway === undefined || gateway.paused) return;
      const order = await stores.reports.nextOrder(chargerId, 0);
      lastOrder.set(chargerId, order);
      const socket: Socket = { chargerId, connectionId: newId('c'), order, seq: 0 };
      const replaced = gateway.sockets.get(chargerId);
      gateway.sockets.set(chargerId, socket);
      publish(gateway, socket, 'connected');
      if (replaced) close(gateway, replaced);
    },
    disconnect(chargerId) {
      const newest = newestOf(chargerId);
      if (newest && !newest.gateway.paused) close(newest.gateway, newest.socket);
    },
    report(chargerId, action, payload) {
      const newest = newestOf(chargerId);
      // A charger does not go back to a socket that it had left for a newer one.
      if (newest === undefined || newest.gateway.paused || newest.socket.order !== lastOrder.get(chargerId)) return;
      const messageId = newId('x');
      const raw = JSON.stringify([2, messageId, action, payload]);
      const kind = action === 'StatusNotification' ? 'report' : 'decision';
      const timed =
        'timestamp' in payload ? { ...payload, timestamp: payload['timestamp'] ?? now().toISOString() } : payload;
      const deviations = ['counted'];
      publish(newest.gateway, newest.socket, kind, { action, messageId, payload: timed, raw, deviations });
    },
    stop(chargerId, nth) {
      const given = [...answers].flatMap(([key, ids]) => (key.startsWith(`["${chargerId}"`) ? [...ids] : []));
      const answer = given[nth];
      const transactionId = answer === undefined ? UNKNOWN_TRANSACTION : numberIn(answer);
      world.report(chargerId, 'StopTransaction', { transactionId, meterStop: 9, timestamp: null });
    },
    flush(n, count, confirmLost) {
      const gateway = gateways[n];
      if (gateway === undefined || gateway.paused) return;
      const batch = gateway.outbox.slice(0, count);
      queue.push(...batch);
      confirmed.push(...batch);
      if (!confirmLost) gateway.outbox = gateway.outbox.slice(count);
    },
    async consume(count, stopBefore) {
      const replica = replicas[active];
      if (replica === undefined || replica.inHand !== undefined || queue.length === 0) return;
      const batch = queue.slice(0, count);
      let calls = 0;
      let go = (): void => undefined;
      const stopped = new Promise<void>((resolve) => (go = resolve));
      let reached = (): void => undefined;
      const atStop = new Promise<void>((resolve) => (reached = resolve));
      const done = applyAs(replica, batch, () => {
        calls += 1;
        if (calls !== stopBefore) return Promise.resolve();
        reached();
        return stopped;
      });
      replica.inHand = { go, done };
      try {
        await Promise.race([done, atStop]);
      } catch (error) {
        // The broker delivers the batch again.
        replica.inHand = undefined;
        throw error;
      }
      if (stopBefore === undefined || calls < stopBefore) {
        await done;
        replica.inHand = undefined;
      }
    },
    async consumeTwice(count, [first, second], dies) {
      for (const n of [0, 1]) await world.wake(n);
      world.takeOver(0);
      await world.consume(count, first);
      world.takeOver(1);
      await world.consume(count, second);
      if (dies) world.crash(1);
      world.takeOver(0);
      for (const n of [0, 1]) await world.wake(n);
    },
    async wake(n) {
      const replica = replicas[n];
      if (replica?.inHand === undefined) return;
      replica.inHand.go();
      await replica.inHand.done;
      replica.inHand = undefined;
    },
    takeOver: (n) => void (active = n),
    crash(n) {
      // Its batch in progress never ends.
      replicas[n] = newReplica();
    },
    async renew(n) {
      const gateway = gateways[n];
      if (gateway === undefined || gateway.paused) return;
      const { id } = gateway;
      for (const replica of replicas) {
        await give(replica, async () => {
          const state = await replica.count.renewal(id);
          if (state === 'dead' && gateway.id === id && !gateway.paused) goOnAs(gateway, newId('g'));
        });
      }
    },
    async tick(n) {
      const replica = replicas[n];
      for (let ms = 0; ms < TICK_MS; ms += STEP_MS) {
        const number = replica?.count.step();
        if (replica && number !== undefined) await give(replica, () => replica.count.tick(number));
      }
    },
    stall(n) {
      const replica = replicas[n];
      if (replica) replica.held ??= [];
    },
    async flow(n) {
      const replica = replicas[n];
      const letters = replica?.held ?? [];
      if (replica) replica.held = undefined;
      for (const letter of letters) await letter();
    },
    reconnect(n) {
      const replica = replicas[n];
      if (replica === undefined) return;
      replica.count.connection(false);
      replica.held = undefined;
      replica.count.connection(true);
    },
    pause(n) {
      const gateway = gateways[n];
      if (gateway) gateway.paused = true;
    },
    resume(n) {
      const gateway = gateways[n];
      if (gateway?.paused !== true) return;
      gateway.paused = false;
      // It lost its connection to the broker meanwhile, so it announces its sockets again.
      goOnAs(gateway, gateway.id);
    },
    kill(n) {
      if (gateways[n]) gateways[n] = newGateway(n);
    },
    async converge() {
      for (const n of gateways.keys()) world.resume(n);
      for (const n of replicas.keys()) await world.wake(n);
      for (const n of replicas.keys()) await world.flow(n);
      for (let round = 0; round < CONVERGE_ATTEMPTS; round += 1) {
        for (const n of gateways.keys()) await world.renew(n);
        for (const n of replicas.keys()) await world.tick(n);
        for (const n of gateways.keys()) world.flush(n, Infinity, false);
        world.nudge();
        while (queue.length > 0) await world.consume(7);
      }
    },
  };
  return world;
}

/** The transaction that an answer to a start names. */
export function numberIn(answer: string): number {
  return (JSON.parse(answer) as { readonly transactionId: number }).transactionId;
}
