import { AppError, type Clock } from '@busbar/core';
import type { CommandReader, CommandRecord } from './command-record';

const RETENTION_MS = 86_400_000;
/** Longer than any command takes: the process that waited for the end has stopped. */
const MAX_MS = 120_000;

/** Throws `not_found` for a command that is unknown, older than 24 hours or another client's. */
export async function readCommand(
  { commands, clock }: { readonly commands: CommandReader; readonly clock: Clock },
  clientId: string,
  commandId: string,
): Promise<CommandRecord> {
  const command = await commands.find(commandId);
  const ageMs = command === undefined ? 0 : clock.now().getTime() - Date.parse(command.requestedAt);
  if (command?.clientId !== clientId || ageMs > RETENTION_MS) {
    throw new AppError('not_found', `There is no command ${commandId} of the last 24 hours.`);
  }
  return command.outcome === 'in_progress' && ageMs > MAX_MS ? { ...command, outcome: 'unknown' } : command;
}
