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

/** Every administration command there is. */
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

/** Runs a command line. Throws `invalid_request` for one that is not understood, else what the command throws. */
export async function runAdminCommand(context: AdminContext, line: readonly string[]): Promise<AdminResult> {
  const parsed = parseCommandLine(adminCommands, line);
  const question = questionOf(parsed);
  if (question !== undefined) throw misuse(`${question} Add --yes to do it.`);
  return parsed.command.run(context, parsed.given);
}

/** What a terminal asks before a command line gets its `--yes`. Undefined also for one that is not understood. */
export function questionOfLine(line: readonly string[]): string | undefined {
  try {
    return questionOf(parseCommandLine(adminCommands, line));
  } catch {
    // Where it runs, it is refused with the reason.
    return undefined;
  }
}

/** All commands with what they do, two lines each. */
export function adminUsage(): string {
  const entries = adminCommands.map((command) => `  ${usageOf(command)}\n      ${command.about}`);
  return ['Usage: npm run admin -- [--json] COMMAND', '', ...entries].join('\n');
}
