// A gateway with everything real but charger-state, which the test plays: real sockets, an embedded broker.
import type { Broker, Subscription } from '@busbar/broker';
import {
  channels,
  type AdmissionAnswer,
  type AdmissionRequest,
  type CloseConnection,
  type Compatibility,
  type CallOutcome,
  type ConnectionAttempt,
  type ReportEnvelope,
} from '@busbar/contracts';
import { createId, systemClock, type Clock } from '@busbar/core';
import { createListener, type Listener } from '@busbar/http';
import { TOLERANT } from '@busbar/ocpp';
import { createBroker, createMetrics } from '@busbar/runtime';
import {
  advanceUntil,
  connectCharger,
  createRecordingLogger,
  eventually,
  type FakeClock,
  type RecordingLogger,
  type ScriptedCharger,
  type ScriptedChargerOptions,
} from '@busbar/testing';
import type { GatewaySettings } from '../config';
import { THROTTLE_LIMITS, type ThrottleLimits } from '../admission/login-throttle';
import { createGateway, type GatewayDeps } from '../service';

type Payload = Readonly<Record<string, unknown>>;
type Acceptance = Extract<AdmissionAnswer, { outcome: 'accept' }>;

export interface WorldOptions {
  readonly settings?: Partial<GatewaySettings>;
  /** The gateway's clock; sockets and the broker use real time. */
  readonly clock?: Clock & Partial<Pick<FakeClock, 'advance'>>;
  readonly admissionLimits?: GatewayDeps['admissionLimits'];
  readonly limits?: GatewayDeps['limits'];
  readonly throttleLimits?: ThrottleLimits;
  readonly stopRequested?: GatewayDeps['stopRequested'];
  /** Default: the embedded one. */
  readonly brokerUrl?: string;
  /** Default: the port refuses every ordinary request, as the one for plain ws does. */
  readonly plainWebsocketsOnly?: boolean;
  /** What chargers offer that name no other. Default: that of OCPP 1.6. */
  readonly subprotocol?: string;
}

export interface GatewayWorld {
  readonly broker: Broker;
  readonly logger: RecordingLogger;
  /** `ws://host:port`, without a path. */
  readonly origin: string;
  /** The messages that charger-state received, oldest first. */
  readonly reports: readonly ReportEnvelope[];
  readonly admissions: readonly AdmissionRequest[];
  /** Rejected attempts that charger-state was sent, a list for each request. */
  readonly attempts: readonly (readonly ConnectionAttempt[])[];
  /** Sets the admissions of charger-state; the default accepts everybody. */
  admit(judge: (request: AdmissionRequest) => AdmissionAnswer | Promise<AdmissionAnswer>): void;
  /** An acceptance as charger-state gives it. */
  acceptance(over?: Partial<Acceptance>): Acceptance;
  /** Sets the answer of charger-state to this action's CALLs; `failed`: a failure; undefined: no answer. */
  decide(action: string, answer: (report: ReportEnvelope) => Payload | 'failed' | undefined): void;
  /** charger-state takes no report until the function that this gives is called. */
  hold(): () => void;
  /** A new charger unless the URL names one. */
  connect(options?: Partial<ScriptedChargerOptions>): Promise<ScriptedCharger>;
  /** Asks the gateway to send a CALL to the charger that connected as this. */
  command(chargerId: string, action: string, payload?: Payload, timeoutMs?: number): Promise<CallOutcome>;
  /** charger-state stops: nobody admits, consumes or decides. */
  chargerStateLeaves(): Promise<void>;
  /** Orders the charger's newest connection closed, as charger-state and the APIs do. */
  closeAsReported(chargerId: string, reason: CloseConnection['reason']): Promise<void>;
  /** The first report that fits, once it has arrived. */
  waitFor(fits: (report: ReportEnvelope) => boolean): Promise<ReportEnvelope>;
  /** The value of a metric, labels as Prometheus writes them; 0 where nothing was counted. */
  metric(name: string): Promise<number>;
  /** All metrics, in Prometheus' text format. */
  metrics(): Promise<string>;
  /** Returns the result of the gateway's own checks at `/readyz`. */
  isReady(): boolean;
  /** The gateway alone stops, in order. */
  stopGateway(): Promise<void>;
  close(): Promise<void>;
}

const PARTITIONS = 2;
const INCARNATION = 'incarnation';

/** Of a charger that nobody changed. */
export const COMPATIBILITY: Compatibility = { assumeOcpp16: false, acceptHexKey: true, ...TOLERANT };

const SETTINGS: GatewaySettings = {
  partitions: PARTITIONS,
  gatewayLeaseS: 15,
  ocppVersions: ['ocpp2.1', 'ocpp2.0.1', 'ocpp1.6'],
  pingIntervalS: 30,
  maxFrameBytes: 262_144,
  strict: false,
  maxConnections: 1_000,
  maxMessagesPerS: 0,
  maxBytesPerS: 0,
  warnBytesPerDay: 0,
  maskKeys: [],
  drainS: 0,
  drainCode: '1001',
};

const DECISIONS: Readonly<Record<string, Payload>> = {
  BootNotification: { status: 'Accepted', interval: 300, currentTime: '2026-01-01T00:00:00.000Z' },
  // OCPP 2.x has another field for it; charger-state answers with the version's own.
  Authorize: { idTagInfo: { status: 'Accepted' }, idTokenInfo: { status: 'Accepted' } },
  StartTransaction: { transactionId: 1, idTagInfo: { status: 'Accepted' } },
  StopTransaction: {},
  DataTransfer: { status: 'UnknownVendorId' },
  SignCertificate: { status: 'Rejected' },
  TransactionEvent: { idTokenInfo: { status: 'Accepted' } },
};

/** The id that a scripted charger connected with. */
export function idOf(world: GatewayWorld): string {
  const connected = world.reports.filter(({ kind }) => kind === 'connected').at(-1);
  if (connected === undefined) throw new Error('no charger has connected');
  return connected.chargerId;
}

/** Opens the whole of it; `close` ends it in order. */
export async function openWorld(options: WorldOptions = {}): Promise<GatewayWorld> {
  const {
    settings = {},
    clock = systemClock,
    admissionLimits = {},
    limits = {},
    throttleLimits = THROTTLE_LIMITS,
    brokerUrl = 'memory:',
    plainWebsocketsOnly = true,
  } = options;
  const logger = createRecordingLogger();
  const metrics = createMetrics();
  const broker = createBroker(brokerUrl, { logger, clock: systemClock });
  await broker.start();
  const state = await playChargerState(broker);
  const gateway = createGateway({
    broker,
    clock,
    logger,
    metrics,
    admissionLimits,
    limits,
    throttleLimits,
    ...(options.stopRequested && { stopRequested: options.stopRequested }),
    settings: { ...SETTINGS, ...settings },
  });
  const listener = listenerOf(gateway, logger, plainWebsocketsOnly);
  await gateway.start();
  await listener.start();
  const origin = `ws://127.0.0.1:${String(listener.address().port)}`;
  const open: ScriptedCharger[] = [];
  const offered = options.subprotocol === undefined ? {} : { subprotocols: [options.subprotocol] };

  return {
    broker,
    logger,
    origin,
    ...state,
    async connect(options = {}) {
      const charger = await connectCharger({ url: `${origin}/ocpp/${createId()}`, ...offered, ...options });
      open.push(charger);
      return charger;
    },
    async command(chargerId, action, payload = {}, timeoutMs = 20_000) {
      const { gatewayId } = await state.waitFor((report) => report.chargerId === chargerId);
      const request = {
        v: 1,
        commandId: createId(),
        chargerId,
        incarnationId: INCARNATION,
        action,
        payload,
        timeoutMs,
      };
      const asked = await broker.request(channels.commands, gatewayId, request, 30_000);
      if (asked.outcome !== 'answered') throw new Error(`the gateway did not answer: ${asked.outcome}`);
      return asked.answer;
    },
    chargerStateLeaves: state.stop,
    async closeAsReported(chargerId, reason) {
      const { gatewayId, connectionId } = await state.waitFor((report) => report.chargerId === chargerId);
      await broker.request(channels.closings, gatewayId, { chargerId, connectionId, reason }, 20_000);
    },
    metrics: () => metrics.text(),
    async metric(name) {
      const line = (await metrics.text()).split('\n').find((each) => each.startsWith(`${name} `));
      return Number(line?.slice(name.length + 1) ?? 0);
    },
    isReady: () => gateway.checks.every(({ isOk }) => isOk()),
    stopGateway: () => gateway.stop(),
    async close() {
      for (const charger of open) charger.terminate();
      await listener.stop();
      // A socket with a CALL in flight has its turn later, by the gateway's clock.
      await (isMoved(clock) ? advanceUntil(clock, gateway.stop()) : gateway.stop());
      await state.stop();
      await broker.stop();
    },
  };
}

function isMoved(clock: NonNullable<WorldOptions['clock']>): clock is FakeClock {
  return clock.advance !== undefined;
}

function listenerOf(
  gateway: ReturnType<typeof createGateway>,
  logger: RecordingLogger,
  plainWebsocketsOnly: boolean,
): Listener {
  return createListener({
    host: '127.0.0.1',
    port: 0,
    plainWebsocketsOnly,
    trustedProxies: [],
    logger,
    clock: systemClock,
    limits: { stopMs: 100 },
    onRequest: (request, response) => {
      gateway.handleRequest(request, response, { address: request.socket.remoteAddress });
    },
    onRefused: gateway.handleRefused,
    onUpgrade: gateway.handlePlainUpgrade,
    acceptsUpgrade: gateway.acceptsUpgrade,
  });
}

type PlayedState = Pick<
  GatewayWorld,
  'reports' | 'admissions' | 'attempts' | 'admit' | 'acceptance' | 'decide' | 'hold' | 'waitFor'
> & { stop(): Promise<void> };

async function playChargerState(broker: Broker): Promise<PlayedState> {
  const reports: ReportEnvelope[] = [];
  const admissions: AdmissionRequest[] = [];
  const attempts: (readonly ConnectionAttempt[])[] = [];
  const decisions = new Map<string, (report: ReportEnvelope) => Payload | 'failed' | undefined>();
  let order = 0;
  const acceptance = (over: Partial<Acceptance> = {}): Acceptance => ({
    outcome: 'accept',
    incarnationId: INCARNATION,
    order: (order += 1),
    partitions: PARTITIONS,
    compatibility: COMPATIBILITY,
    deviations: [],
    securityProfile: 0,
    ...over,
  });
  let judge: (request: AdmissionRequest) => AdmissionAnswer | Promise<AdmissionAnswer> = () => acceptance();
  let held = Promise.resolve();
  let letGo = (): void => undefined;

  const take = (report: ReportEnvelope): void => {
    reports.push(report);
    if (report.kind !== 'decision' || report.replyTo === undefined) return;
    const decide = decisions.get(report.action) ?? (() => DECISIONS[report.action] ?? 'failed');
    const answer = decide(report);
    if (answer === undefined) return;
    const { id, chargerId } = report;
    const result = answer === 'failed' ? { failed: true } : { payload: answer };
    broker.post(channels.decisionAnswers, report.replyTo, { answers: [{ id, chargerId, ...result }] });
  };

  await broker.declareQueue(channels.reports, PARTITIONS);
  const subscriptions: Subscription[] = [
    await broker.respond(channels.admissions, '', (request) => {
      admissions.push(request);
      return Promise.resolve(judge(request));
    }),
    await broker.respond(channels.connectionAttempts, '', (body) => {
      attempts.push(body.attempts);
      return Promise.resolve({ stored: body.attempts.length });
    }),
  ];
  for (let partition = 0; partition < PARTITIONS; partition += 1) {
    const options = { maxBatch: 500 };
    subscriptions.push(
      await broker.consume(channels.reports, partition, options, async (batch) => {
        await held;
        for (const { body } of batch) for (const report of body?.reports ?? []) take(report);
      }),
    );
  }
  return {
    reports,
    admissions,
    attempts,
    acceptance,
    admit: (next) => void (judge = next),
    decide: (action, answer) => void decisions.set(action, answer),
    hold() {
      held = new Promise((resolve) => (letGo = resolve));
      return letGo;
    },
    waitFor: (fits) => eventually(() => reports.find(fits)),
    async stop() {
      letGo();
      await Promise.all(subscriptions.map((subscription) => subscription.close()));
    },
  };
}
