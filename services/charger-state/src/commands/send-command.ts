import type { Broker } from '@busbar/broker';
import { channels, type CommandAnswer } from '@busbar/contracts';
import { createId } from '@busbar/core';
import type { Charger } from '@busbar/domain';

/** Over the charger's own time limit: the wait in the gateway's line and the way there and back. */
const WAY_MS = 5_000;

export interface Command {
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
}

/** Sends a CALL to the charger through the gateway that its record names; undefined when that gateway could not be asked. */
export async function sendCommand(
  broker: Broker,
  charger: Charger,
  command: Command,
): Promise<CommandAnswer | undefined> {
  const { gatewayId } = charger.connection;
  if (gatewayId === null) return undefined;
  const { chargerId, incarnationId } = charger;
  const request = { commandId: createId(), chargerId, incarnationId, ...command };
  const result = await broker.request(channels.commands, gatewayId, request, command.timeoutMs + WAY_MS);
  return result.outcome === 'answered' ? result.answer : undefined;
}
