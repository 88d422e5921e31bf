import { createInterface } from 'node:readline/promises';
import { readBuildInfo, readSettings, startFailure, versionLine } from '@busbar/runtime';
import {
  administer,
  adminUsage,
  followedLine,
  followLog,
  isMisuse,
  questionOfLine,
  toolCommandOf,
} from '@busbar/operations';
import { readCommandLine } from './command-line';
import { adminSettings } from './config';
import { secretWarnings, withSecretFromInput } from './secrets';
import { runToolCommand } from './tool-command';

/** A command that failed, and a command line that is wrong. */
const FAILED = 1;
const MISUSE = 2;

void main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  const { wantsHelp, wantsVersion, asJson, line } = readCommandLine(args);
  try {
    if (wantsVersion) print(versionLine('admin', readBuildInfo()));
    else if (wantsHelp) print(adminUsage(line));
    else await run(args, line, asJson);
  } catch (error) {
    const sentence = startFailure(error);
    process.stderr.write(`${sentence ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`);
    process.exitCode = isMisuse(error) ? MISUSE : FAILED;
  }
}

async function run(args: readonly string[], line: readonly string[], asJson: boolean): Promise<void> {
  for (const warning of secretWarnings(args)) process.stderr.write(`${warning}\n`);
  const settings = readSettings(adminSettings, process.env);
  const own = toolCommandOf(line);
  if (own !== undefined) {
    await runToolCommand(own, { settings, signal: untilInterrupted(), print, printError, asJson });
    return;
  }
  const followed = followedLine(line);
  if (followed !== undefined) {
    await followLog(settings, followed, { signal: untilInterrupted(), print, asJson });
    return;
  }
  const confirmedLine = await confirmed(await withSecretFromInput(line, process.stdin));
  const result = await administer(settings, confirmedLine);
  print(asJson ? JSON.stringify(result.data) : result.lines.join('\n'));
}

function print(text: string): void {
  if (text !== '') process.stdout.write(`${text}\n`);
}

function printError(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Ctrl-C ends in order; a second one at once. A reader that closes the pipe, such as `head`, ends it too. */
function untilInterrupted(): AbortSignal {
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort.abort());
  process.stdout.on('error', () => abort.abort());
  return abort.signal;
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
