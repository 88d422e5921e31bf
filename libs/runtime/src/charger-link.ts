// Sends the domain's commands and closings to the gateway of a charger, over any broker.
import type { Broker } from '@busbar/broker';
import { channels, COMMAND_VERSION } from '@busbar/contracts';
import { createId } from '@busbar/core';
import type { ChargerLink } from '@busbar/domain/commands';

/** Added to the time limits of the gateway: both ways through the broker. */
const TRANSIT_MS = 5_000;
const CLOSE_MS = 5_000;

/** Addresses the gateway that the charger's record names. */
export function createChargerLink(broker: Pick<Broker, 'request'>): ChargerLink {
  return {
    async call({ gatewayId, chargerId, incarnationId }, { commandId = createId(), ...call }) {
      const request = { v: COMMAND_VERSION, commandId, chargerId, incarnationId, ...call };
      const result = await broker.request(
        channels.commands,
        gatewayId,
        request,
        call.waitMs + call.timeoutMs + TRANSIT_MS,
      );
      return result.outcome === 'answered' ? result.answer : { outcome: result.outcome };
    },

    async close({ gatewayId, chargerId, connectionId, reason }) {
      const request = { chargerId, connectionId, reason };
      const result = await broker.request(channels.closings, gatewayId, request, CLOSE_MS);
      if (result.outcome !== 'answered') return 'unreachable';
      return result.answer.wasOpen ? 'closed' : 'not_here';
    },
  };
}
