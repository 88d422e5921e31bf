import { createInterface } from 'node:readline/promises';
import { readSettings, startFailure } from '@busbar/runtime';
import { administer, adminUsage, questionOfLine } from '@busbar/operations';
import { readCommandLine } from './command-line';
import { adminSettings } from './config';
import { secretWarnings, withSecretFromInput } from './secrets';

void main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  const { wantsHelp, asJson, line } = readCommandLine(args);
  if (wantsHelp) {
    process.stdout.write(`${adminUsage()}\n`);
    return;
  }
  for (const warning of secretWarnings(args)) process.stderr.write(`${warning}\n`);
  try {
    const confirmedLine = await confirmed(await withSecretFromInput(line, process.stdin));
    const result = await administer(readSettings(adminSettings, process.env), confirmedLine);
    const text = asJson ? JSON.stringify(result.data) : result.lines.join('\n');
    if (text !== '') process.stdout.write(`${text}\n`);
  } catch (error) {
    const sentence = startFailure(error);
    process.stderr.write(`${sentence ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`);
    process.exitCode = 1;
  }
}

/** Asks for a confirmation where the command needs one. Without a terminal `--yes` must be on the command line. */
async function confirmed(line: readonly string[]): Promise<readonly string[]> {
  const question = questionOfLine(line);
  if (question === undefined || !process.stdin.isTTY) return line;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} Continue? [y/N] `);
    return /^y(es)?$/i.test(answer.trim()) ? [...line, '--yes'] : line;
  } finally {
    terminal.close();
  }
}
