import { administer, adminUsage, readSettings, startFailure } from '@busbar/runtime';
import { readCommandLine } from './command-line';
import { adminSettings } from './config';

void main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  const { wantsHelp, asJson, line } = readCommandLine(args);
  if (wantsHelp) {
    process.stdout.write(`${adminUsage()}\n`);
    return;
  }
  try {
    const result = await administer(readSettings(adminSettings, process.env), line);
    const text = asJson ? JSON.stringify(result.data) : result.lines.join('\n');
    if (text !== '') process.stdout.write(`${text}\n`);
  } catch (error) {
    const sentence = startFailure(error);
    process.stderr.write(`${sentence ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`);
    process.exitCode = 1;
  }
}
