// The domain's way to chargers, on any broker: once for every service that speaks to them.
import type { Broker } from '@busbar/broker';
import { channels, COMMAND_VERSION } from '@busbar/contracts';
import { createId } from '@busbar/core';
import type { ChargerLink } from '@busbar/domain/commands';

/** Over what the gateway itself may take: the way there and back. */
const WAY_MS = 5_000;
const CLOSE_MS = 5_000;

/** Gateways are asked under the id that the charger's record names; see "Flow 2" of ARCHITECTURE.md. */
export function createChargerLink(broker: Pick<Broker, 'request'>): ChargerLink {
  return {
    async call({ gatewayId, chargerId, incarnationId }, { commandId = createId(), ...call }) {
      const request = { v: COMMAND_VERSION, commandId, chargerId, incarnationId, ...call };
      const result = await broker.request(channels.commands, gatewayId, request, call.waitMs + call.timeoutMs + WAY_MS);
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
