import { chargerCommands } from './charger-commands';
import { clientCommands } from './client-commands';
import { parseCommandLine, usageOf, type AdminCommand, type AdminContext, type AdminResult } from './command';
import { compatibilityCommand } from './compatibility-command';
import { dataCommands } from './data-commands';
import { deadLetterCommands } from './dead-letter-commands';
import { keyCommands } from './key-commands';

/** Every administration command there is. */
export const adminCommands: readonly AdminCommand[] = [
  ...clientCommands,
  ...keyCommands,
  ...chargerCommands,
  compatibilityCommand,
  ...deadLetterCommands,
  ...dataCommands,
];

/** Runs a command line. Throws `invalid_request` for one that is not understood, else what the command throws. */
export async function runAdminCommand(context: AdminContext, line: readonly string[]): Promise<AdminResult> {
  const { command, given } = parseCommandLine(adminCommands, line);
  return command.run(context, given);
}

/** All commands with what they do, two lines each. */
export function adminUsage(): string {
  const entries = adminCommands.map((command) => `  ${usageOf(command)}\n      ${command.about}`);
  return ['Usage: npm run admin -- [--json] COMMAND', '', ...entries].join('\n');
}
