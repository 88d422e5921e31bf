// Sends the domain's commands and closings to the gateway of a charger, over any broker.
import type { Broker } from '@busbar/broker';
import { channels, COMMAND_VERSION } from '@busbar/contracts';
import { createId, type Clock } from '@busbar/core';
import type { ChargerLink } from '@busbar/domain/commands';
import { REQUEST_BUCKETS_S, type Metrics } from '../metrics/metrics';

/** Added to the time limits of the gateway: both ways through the broker. */
const TRANSIT_MS = 5_000;
const CLOSE_MS = 5_000;

export interface ChargerLinkDeps {
  readonly broker: Pick<Broker, 'request'>;
  readonly clock: Clock;
  /** Gets the durations of calls. Absent in a tool that ends at once. */
  readonly metrics?: Metrics;
}

/** Addresses the gateway that the charger's record names. */
export function createChargerLink({ broker, clock, metrics }: ChargerLinkDeps): ChargerLink {
  // Actions are few: the encoder of a call refuses those that its OCPP version lacks.
  const durations = metrics?.histogram({
    name: 'busbar_command_duration_seconds',
    help: 'Time from sending a command towards its gateway until its outcome, by OCPP action and outcome.',
    labels: ['action', 'outcome'],
    buckets: REQUEST_BUCKETS_S,
  });
  return {
    async call({ gatewayId, chargerId, incarnationId }, { commandId = createId(), ...call }) {
      const request = { v: COMMAND_VERSION, commandId, chargerId, incarnationId, ...call };
      const startMs = clock.monotonicMs();
      const result = await broker.request(
        channels.commands,
        gatewayId,
        request,
        call.waitMs + call.timeoutMs + TRANSIT_MS,
      );
      const outcome = result.outcome === 'answered' ? result.answer : { outcome: result.outcome };
      const seconds = (clock.monotonicMs() - startMs) / 1000;
      durations?.child({ action: call.action, outcome: outcome.outcome }).observe(seconds);
      return outcome;
    },

    async close({ gatewayId, chargerId, connectionId, reason }) {
      const request = { chargerId, connectionId, reason };
      const result = await broker.request(channels.closings, gatewayId, request, CLOSE_MS);
      if (result.outcome !== 'answered') return 'unreachable';
      return result.answer.wasOpen ? 'closed' : 'not_here';
    },
  };
}
