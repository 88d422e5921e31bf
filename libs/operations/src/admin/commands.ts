// All administration commands, and their execution.
import { chargerCommands } from './charger-commands';
import { chargerLogCommands } from './charger-log-commands';
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
import { siteCommands } from './site-commands';
import { toolCommands } from './tool-commands';

/** In the order of the usage. */
export const adminCommands: readonly AdminCommand[] = [
  ...clientCommands,
  ...keyCommands,
  ...siteCommands,
  ...chargerCommands,
  ...chargerLogCommands,
  compatibilityCommand,
  ...sessionCommands,
  ...connectionCommands,
  ...deadLetterCommands,
  ...dataCommands,
  ...toolCommands,
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

/**
 * All commands with a description, two lines each; or those that begin with the words. Throws `invalid_request` where none
 * does.
 */
export function adminUsage(words: readonly string[] = []): string {
  // A command with its arguments, or the beginning of several.
  const named = adminCommands.filter(({ name }) => name.every((word, i) => i >= words.length || word === words[i]));
  if (named.length === 0) parseCommandLine(adminCommands, words);
  const entries = named.map((command) => `  ${usageOf(command)}\n      ${command.about}`);
  const general = words.length === 0 ? GENERAL : [];
  return ['Usage: npm run admin -- [--json] COMMAND', '', ...entries, ...general].join('\n');
}

const GENERAL = [
  '  help [COMMAND]',
  '      show this, or one command',
  '',
  '--json prints the same for programs. --version shows the version. STORE_URL=mongodb://… works on a deployment.',
  'Exit codes: 0 done, 1 failed, 2 a wrong command line.',
];
