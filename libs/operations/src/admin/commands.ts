// All administration commands, and their execution.
import { chargerCommands } from './charger-commands';
import { clientCommands } from './client-commands';
import {
  misuse,
  parseCommandLine,
  questionOf,
  usageOf,
  type AdminCommand,
  type AdminContext,
  type AdminResult,
} from './command';
import { compatibilityCommand } from './compatibility-command';
import { connectionCommands } from './connection-commands';
import { dataCommands } from './data-commands';
import { deadLetterCommands } from './dead-letter-commands';
import { keyCommands } from './key-commands';
import { sessionCommands } from './session-commands';

/** In the order of the usage. */
export const adminCommands: readonly AdminCommand[] = [
  ...clientCommands,
  ...keyCommands,
  ...chargerCommands,
  compatibilityCommand,
  ...sessionCommands,
  ...connectionCommands,
  ...deadLetterCommands,
  ...dataCommands,
];

/** Runs a command line. Throws `invalid_request` for an unknown or incomplete one, else the error of the command. */
export async function runAdminCommand(context: AdminContext, line: readonly string[]): Promise<AdminResult> {
  const parsed = parseCommandLine(adminCommands, line);
  const question = questionOf(parsed);
  if (question !== undefined) throw misuse(`${question} Add --yes to confirm.`);
  return parsed.command.run(context, parsed.given);
}

/** The question that a terminal asks before it adds `--yes`. Undefined also for an invalid command line. */
export function questionOfLine(line: readonly string[]): string | undefined {
  try {
    return questionOf(parseCommandLine(adminCommands, line));
  } catch {
    // The run refuses it with the reason.
    return undefined;
  }
}

/** All commands with a description, two lines each. */
export function adminUsage(): string {
  const entries = adminCommands.map((command) => `  ${usageOf(command)}\n      ${command.about}`);
  return ['Usage: npm run admin -- [--json] COMMAND', '', ...entries].join('\n');
}
