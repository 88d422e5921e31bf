import type { ReportKind } from '@busbar/contracts';
import { EAGER_VERSIONS, protocolOf, type Protocol } from '@busbar/ocpp';
import { type CounterMetric, CALL_BUCKETS_S, type Distribution, type Metrics } from '@busbar/runtime';
import { SERVICE_FAILURES } from './admission/upgrade-results';
import { END_CAUSES } from './connection/close-reason';
import type { Publisher } from './uplink/publisher';
import type { Registry } from './connection/registry';
import type { TrafficMeter } from './connection/traffic';

const REPORT_KINDS: readonly ReportKind[] = ['report', 'decision', 'log_only', 'connected', 'disconnected', 'outcome'];
const AUTHORIZATION_SOURCES = ['own', 'endpoint', 'fallback'] as const;
const MIB = 1_048_576;
const DAILY_BYTES_BUCKETS = [MIB, 16 * MIB, 64 * MIB, 256 * MIB, 1_024 * MIB, 8_192 * MIB];

/** The counters of a gateway. */
export function createGatewayMetrics(metrics: Metrics) {
  // The upgrade log is one too.
  const upgrades: CounterMetric<'result'> = metrics.counter({
    name: 'busbar_gateway_upgrades_total',
    help: 'Websocket upgrades, by result.',
    labels: ['result'],
    initial: ['accepted', ...SERVICE_FAILURES].map((result) => ({ result })),
  });
  return {
    frames: metrics.counter({
      name: 'busbar_gateway_frames_total',
      help: 'Frames from chargers, by type.',
      labels: ['type'],
    }),
    refusedCalls: metrics.counter({
      name: 'busbar_gateway_refused_calls_total',
      help: 'CALLs of chargers answered with a CALLERROR, by situation.',
      labels: ['situation'],
    }),
    failedCalls: metrics.counter({
      name: 'busbar_gateway_failed_calls_total',
      help: 'CALLs answered InternalError because the broker or charger-state was unavailable.',
    }),
    deviations: metrics.counter({
      name: 'busbar_gateway_deviations_total',
      help: 'Deviations of chargers from OCPP that were tolerated or ignored, by kind.',
      labels: ['kind'],
    }),
    slowReaders: metrics.counter({
      name: 'busbar_gateway_slow_readers_total',
      help: 'Sockets terminated because their charger did not read its answers.',
    }),
    rateLimited: metrics.counter({
      name: 'busbar_gateway_rate_limited_total',
      help: 'Times that reading from a socket paused because its charger exceeded its rate limit.',
    }),
    closed: metrics.counter({
      name: 'busbar_gateway_closed_total',
      help: 'Connections of chargers that ended, by reason.',
      labels: ['reason'],
      initial: END_CAUSES.map((reason) => ({ reason })),
    }),
    answers: answerTimes(metrics),
    dailyBytes: metrics
      .histogram({
        name: 'busbar_gateway_charger_daily_bytes',
        help: 'Inflated bytes that one charger sent in a day (UTC), counted when the day is over.',
        buckets: DAILY_BYTES_BUCKETS,
      })
      .child({}),
    closedForOutage: metrics.counter({
      name: 'busbar_gateway_closed_for_outage_total',
      help: 'Sockets closed because a transaction message was rejected in a long outage.',
    }),
    unsendable: metrics.counter({
      name: 'busbar_gateway_unsendable_total',
      help: 'Reports given up because the broker can never accept them: too large, or impossible to encode.',
      labels: ['kind'],
      initial: REPORT_KINDS.map((kind) => ({ kind })),
    }),
    droppedSends: metrics.counter({
      name: 'busbar_gateway_sends_dropped_total',
      help: 'SENDs of chargers that were dropped because the broker does not keep up. A charger gets no answer to a SEND.',
    }),
    newIds: metrics.counter({
      name: 'busbar_gateway_new_ids_total',
      help: 'Times that this gateway took a new id: its lease had lapsed while it was paused or cut off.',
    }),
    droppedAttempts: metrics.counter({
      name: 'busbar_gateway_dropped_attempts_total',
      help: 'Rejected connection attempts that were logged but not stored: the buffer for charger-state was full.',
    }),
    authorizations: metrics.counter({
      name: 'busbar_authorisations_total',
      help: "Tags that real-time authorization was asked about, by source of the verdict: the client's tags, its endpoint, or onFailure.",
      labels: ['source'],
      initial: AUTHORIZATION_SOURCES.map((source) => ({ source })),
    }),
    authorizationSeconds: metrics
      .histogram({
        name: 'busbar_authorisation_seconds',
        help: 'Time until a gateway had the verdict of an endpoint for real-time authorization, or gave it up.',
        buckets: CALL_BUCKETS_S,
      })
      .child({}),
    upgrades,
  };
}

export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>;

/** Names that a charger invents count together. */
const UNKNOWN_ACTION = 'unknown';

/**
 * The distribution of an action's answers, resolved once: this is looked up for every message. Actions of a version that is
 * loaded later are added by their first message.
 */
function answerTimes(metrics: Metrics): (action: string, protocol: Pick<Protocol, 'actions'>) => Distribution {
  const durations = metrics.histogram({
    name: 'busbar_gateway_answer_seconds',
    help: "Time from a charger's message until its answer was sent, by OCPP action.",
    labels: ['action'],
    buckets: CALL_BUCKETS_S,
  });
  const actions = EAGER_VERSIONS.flatMap((version) => [...(protocolOf(version)?.actions.values() ?? [])]);
  const fromChargers = actions.filter(({ from }) => from !== 'us').map(({ name }) => name);
  const known = new Map(fromChargers.map((action) => [action, durations.child({ action })]));
  const unknown = durations.child({ action: UNKNOWN_ACTION });
  const later = (action: string, { actions }: Pick<Protocol, 'actions'>): Distribution => {
    const from = actions.get(action)?.from ?? 'us';
    if (from === 'us') return unknown;
    const added = durations.child({ action });
    known.set(action, added);
    return added;
  };
  return (action, protocol) => known.get(action) ?? later(action, protocol);
}

export interface Observed {
  readonly registry: Registry;
  readonly publisher: Publisher;
  /** Upgrades that wait for admission. */
  readonly pending: () => number;
  readonly maxConnections: number;
  readonly isDraining: () => boolean;
  readonly traffic: Pick<TrafficMeter, 'aboveVolume'>;
}

/** Registers the gauges, which are read at each scrape. */
export function observeGateway(metrics: Metrics, observed: Observed): void {
  const { registry, publisher, pending, maxConnections, isDraining, traffic } = observed;
  const gauges: readonly (readonly [name: string, help: string, read: () => number])[] = [
    ['connections', 'Open charger connections.', registry.size],
    ['connections_max', 'OCPP_MAX_CONNECTIONS, beyond which upgrades are rejected.', () => maxConnections],
    ['draining', '1 while the gateway closes its sockets to stop.', () => (isDraining() ? 1 : 0)],
    ['paused_sockets', 'Sockets from which reading is paused.', () => pausedOf(registry)],
    ['unconfirmed', 'Reports not yet confirmed by the broker.', publisher.unconfirmed],
    [
      'held_seconds',
      'Seconds since the broker last accepted reports; 0 while it accepts them.',
      publisher.failingSeconds,
    ],
    ['chargers_above_daily_volume', 'Chargers above OCPP_WARN_BYTES_PER_DAY today (UTC).', traffic.aboveVolume],
    ['pending_upgrades', 'Upgrades that wait for admission.', pending],
  ];
  for (const [name, help, read] of gauges) metrics.observed({ name: `busbar_gateway_${name}`, help }, read);
}

function pausedOf(registry: Registry): number {
  let paused = 0;
  for (const connection of registry.all()) if (connection.paused) paused += 1;
  return paused;
}
