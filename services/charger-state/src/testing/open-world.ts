// A charger-state whose parts are all real except the gateway, which the test plays: an embedded broker, a store in a
// file.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Broker, RequestOutcome } from '@busbar/broker';
import {
  channels,
  partitionOf,
  type AdmissionAnswer,
  type CallOutcome,
  type CommandRequest,
  type ConnectionEvent,
  type ReportEnvelope,
  type ReportKind,
} from '@busbar/contracts';
import { AppError, createId, createIdSource, systemClock, type Service } from '@busbar/core';
import { createCharger, type Charger } from '@busbar/domain/chargers';
import { type LogRow } from '@busbar/domain/history';
import { type MeterValueRow, type Session } from '@busbar/domain/sessions';
import { createSite } from '@busbar/domain/sites';
import { createMetrics, createPlatform, type Platform } from '@busbar/runtime';
import { createRecords, type Collection, type Store } from '@busbar/store';
import { createRecordingLogger, eventually, type RecordingLogger } from '@busbar/testing';
import { createChargerState, type ChargerStateDeps } from '../service';
import { losable, type LosableQueues } from './losable-queues';

export const PARTITIONS = 4;

/** One connection of a charger, as its gateway announces it. */
export interface FakeConnection {
  readonly connectionId: string;
  readonly order: number;
  /** Publishes a report and resolves when it is confirmed. Returns the envelope, so that it can be sent again. */
  report(
    action: string,
    payload: Readonly<Record<string, unknown>>,
    over?: Partial<ReportEnvelope>,
  ): Promise<ReportEnvelope>;
  /** Publishes a decision and resolves with its answer. */
  ask(
    action: string,
    payload: Readonly<Record<string, unknown>>,
    over?: Partial<ReportEnvelope>,
  ): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Publishes the outcome of a CALL of the service: with this payload, or with this answer. Returns the
   * envelope.
   */
  outcome(
    action: string,
    request: Readonly<Record<string, unknown>>,
    answer: Readonly<Record<string, unknown>>,
    over?: Partial<ReportEnvelope>,
  ): Promise<ReportEnvelope>;
  /** Publishes a report of this kind in the connection's order. Returns the envelope. */
  send(kind: ReportKind, over?: Partial<ReportEnvelope>): Promise<ReportEnvelope>;
  /** Publishes an envelope as it is. */
  publish(report: ReportEnvelope): Promise<void>;
}

export interface ChargerStateWorld {
  readonly platform: Platform;
  readonly logger: RecordingLogger;
  readonly clientId: string;
  readonly gatewayId: string;
  /** CALLs that charger-state asked the gateway to send; answered by `answer`. */
  readonly commands: readonly CommandRequest[];
  answerCommands(answer: (request: CommandRequest) => CallOutcome): void;
  register(chargerId?: string): Promise<Charger>;
  /** Asks as a gateway does before it answers an upgrade. */
  admission(charger: Charger): Promise<RequestOutcome<AdmissionAnswer>>;
  connect(charger: Charger, over?: { gatewayId?: string }): Promise<FakeConnection>;
  read(charger: Charger): Promise<Charger>;
  sessions(charger: Charger): Promise<Session[]>;
  meterValues(sessionId: string): Promise<MeterValueRow[]>;
  log(charger: Charger): Promise<LogRow[]>;
  /** The subscriptions of this charger-state, not those of other services. */
  readonly queues: LosableQueues;
  /**
   * Another charger-state on the same broker, whose access to the store can be cut. Stops with the world. `over` replaces
   * what it depends on.
   */
  otherReplica(over?: ReplicaOverrides): Promise<OtherReplica>;
  /** Stops this charger-state: only other replicas are left. */
  stop(): Promise<void>;
  /** Stops charger-state and starts another on the same store and broker. */
  restart(): Promise<void>;
  ready(): boolean;
  /** The value of a metric, labels as Prometheus writes them; 0 where nothing was counted. */
  metric(name: string): Promise<number>;
  close(): Promise<void>;
}

export interface OtherReplica {
  readonly queues: LosableQueues;
  cut(now: boolean): void;
  ready(): boolean;
  stop(): Promise<void>;
}

export interface ReplicaOverrides extends Partial<Pick<ChargerStateDeps, 'clock' | 'migrations'>> {
  /** Wraps the broker. */
  readonly broker?: (broker: Broker) => Broker;
}

const SETTINGS = {
  partitions: PARTITIONS,
  gatewayLeaseS: 15,
  commandTimeoutS: 5,
  heartbeatIntervalS: 300,
  logRetentionDays: 30,
  historyRetentionDays: 90,
  sessionRetentionDays: 3650,
  eventRetentionDays: 7,
  deliveryLogDays: 3,
  maxConnectionsPerClient: 0,
  maxStartsPerDay: 1_000,
  maxClientStartsPerDay: 0,
  chargerCaCertFile: undefined,
  chargerCaKeyFile: undefined,
  v2gCaCertFile: undefined,
  v2gCaKeyFile: undefined,
  v2g20CaCertFile: undefined,
  v2g20CaKeyFile: undefined,
  v2gOcspUrl: undefined,
};

export interface WorldOptions {
  /** Default: the embedded ones. */
  readonly brokerUrl?: string;
  readonly storeUrl?: string;
  readonly maxStartsPerDay?: number;
  readonly maxClientStartsPerDay?: number;
  /** The client lets unknown tags charge. */
  readonly openCharging?: boolean;
}

export async function openWorld(options: WorldOptions = {}): Promise<ChargerStateWorld> {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-test-'));
  const { brokerUrl = 'memory:', storeUrl = `file:${directory}` } = options;
  const logger = createRecordingLogger();
  const { maxStartsPerDay, maxClientStartsPerDay } = { ...SETTINGS, ...options };
  const settings = { ...SETTINGS, maxStartsPerDay, maxClientStartsPerDay };
  const clock = systemClock;
  const platform = createPlatform({ brokerUrl, storeUrl, logger, clock });
  const { broker, store, records } = platform;
  const queues = losable(broker);
  let metrics = createMetrics();
  const create = () => {
    metrics = createMetrics();
    return createChargerState({ broker: queues.broker, store, records, clock, logger, metrics, settings });
  };
  let state = create();
  await platform.start();
  await state.start();

  const others: Service[] = [];
  async function otherReplica({ broker: wrap, ...over }: ReplicaOverrides = {}): Promise<OtherReplica> {
    let isCut = false;
    const reached = cuttable(store, () => isCut);
    const consumed = losable(wrap === undefined ? broker : wrap(broker));
    const own = { broker: consumed.broker, store: reached, records: createRecords(reached), metrics: createMetrics() };
    const other = createChargerState({ clock, logger, settings, ...own, ...over });
    await other.start();
    others.push(other);
    return {
      queues: consumed,
      cut: (now) => void (isCut = now),
      ready: () => other.ready(),
      stop: () => other.stop(),
    };
  }

  const gatewayId = createId();
  // Ids as of a gateway: they sort in the order of the messages, within a millisecond too.
  const reportId = createIdSource();
  const replyTo = createId();
  const clientId = 'client';
  if (options.openCharging === true) {
    const createdAt = clock.now().toISOString();
    await records.clients.insert({ clientId, name: 'A client', openCharging: true, createdAt });
  }
  const answers = new Map<string, Readonly<Record<string, unknown>> | 'failed'>();
  await broker.receive(channels.decisionAnswers, replyTo, (body) => {
    for (const answer of body.answers) answers.set(answer.id, answer.payload ?? 'failed');
  });
  const commands: CommandRequest[] = [];
  let answer: (request: CommandRequest) => CallOutcome = () => ({ outcome: 'timeout' });
  await broker.respond(channels.commands, gatewayId, (request) => {
    commands.push(request);
    return Promise.resolve(answer(request));
  });

  const publish = (report: ReportEnvelope): Promise<void> =>
    new Promise((resolve, reject) => {
      const partition = partitionOf(report.chargerId, PARTITIONS);
      broker.enqueue(channels.reports, partition, { reports: [report] }, (failure) => {
        if (failure === undefined) resolve();
        else reject(new Error(failure));
      });
    });

  const admission = ({ chargerId }: Charger): Promise<RequestOutcome<AdmissionAnswer>> => {
    const request = { chargerId, gatewayId, connectionId: createId(), secure: true, ocppVersion: 'ocpp1.6' };
    return broker.request(channels.admissions, '', request, 5_000);
  };

  async function connect(charger: Charger, over: { gatewayId?: string } = {}): Promise<FakeConnection> {
    const admitted = await admission(charger);
    if (admitted.outcome !== 'answered' || admitted.answer.outcome !== 'accept') throw new Error('not admitted');
    const { order, incarnationId } = admitted.answer;
    const connectionId = createId();
    let seq = 0;
    const envelope = (kind: ReportKind, more: Partial<ReportEnvelope>): ReportEnvelope => ({
      v: 1,
      id: reportId(clock.now().getTime()),
      kind,
      chargerId: charger.chargerId,
      incarnationId,
      connectionId,
      gatewayId: over.gatewayId ?? gatewayId,
      order,
      seq: (seq += 1),
      ocppVersion: 'ocpp1.6',
      action: '',
      messageId: '',
      payload: null,
      raw: '',
      receivedAt: clock.now().toISOString(),
      ...more,
    });
    const call = (action: string, payload: Readonly<Record<string, unknown>>): Partial<ReportEnvelope> => {
      const messageId = createId();
      return { action, messageId, payload, raw: JSON.stringify([2, messageId, action, payload]) };
    };
    const send = async (kind: ReportKind, more: Partial<ReportEnvelope> = {}): Promise<ReportEnvelope> => {
      const report = envelope(kind, more);
      await publish(report);
      return report;
    };
    await send('connected', { payload: openedEvent(clock.now()) });
    return {
      connectionId,
      order,
      publish,
      send,
      report: (action, payload, more = {}) => send('report', { ...call(action, payload), ...more }),
      outcome(action, request, answer, more = {}) {
        const messageId = createId();
        return send('outcome', {
          // As of a charger that sends nothing between the CALL and its response.
          action,
          messageId,
          commandId: createId(),
          sentAfter: seq,
          payload: { outcome: 'answered', payload: answer },
          raw: JSON.stringify([3, messageId, answer]),
          request: JSON.stringify([2, messageId, action, request]),
          ...more,
        });
      },
      async ask(action, payload, more = {}) {
        const { id } = await send('decision', { ...call(action, payload), replyTo, ...more });
        const given = await eventually(() => answers.get(id));
        if (given === 'failed') throw new Error(`${action} failed`);
        return given;
      },
    };
  }

  return {
    platform,
    logger,
    clientId,
    gatewayId,
    commands,
    admission,
    connect,
    queues,
    otherReplica,
    answerCommands: (give) => void (answer = give),
    async register(chargerId = createId()) {
      const site = await createSite({ sites: records.sites, clock }, clientId, { name: 'A site' });
      return createCharger({ ...records, clock }, clientId, { chargerId, name: 'A charger', siteId: site.siteId });
    },
    async read(charger) {
      const found = await records.chargers.find(charger.chargerId);
      if (found === undefined) throw new Error('the charger is gone');
      return found;
    },
    async sessions({ clientId, chargerId, incarnationId }) {
      const newest = { page: 1, limit: 100, sortKey: 'startTime', sortDescending: true } as const;
      const { items } = await records.sessions.list(clientId, { chargerIds: [chargerId] }, newest);
      return items.filter((session) => session.incarnationId === incarnationId);
    },
    async meterValues(sessionId) {
      const oldest = { page: 1, limit: 100, sortKey: 'receivedAt', sortDescending: false } as const;
      return [...(await records.sessions.meterValuesPage(sessionId, oldest)).items];
    },
    log: (charger) => records.history.log(charger.incarnationId, 1000),
    stop: () => state.stop(),
    ready: () => state.ready(),
    async metric(name) {
      const line = (await metrics.text()).split('\n').find((each) => each.startsWith(`${name} `));
      return Number(line?.slice(name.length + 1) ?? 0);
    },
    async restart() {
      await state.stop();
      state = create();
      await state.start();
    },
    async close() {
      for (const other of others) await other.stop();
      await state.stop();
      await platform.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Returns the report of a gateway about an open connection. */
export function openedEvent(connectedAt: Date): ConnectionEvent {
  const common = { remoteAddress: '198.51.100.7', securityProfile: 2, closeCode: null, closeReason: null };
  return { connectedAt: connectedAt.toISOString(), ...common };
}

/** The same store, which does not answer while it is cut off. */
function cuttable(store: Store, isCut: () => boolean): Store {
  return {
    ...store,
    ready: () => !isCut() && store.ready(),
    collection: (definition) =>
      new Proxy(store.collection(definition), {
        get(target, name: keyof Collection<never>) {
          if (isCut()) return () => Promise.reject(new AppError('unavailable', 'The store does not answer.'));
          return target[name];
        },
      }),
  };
}
