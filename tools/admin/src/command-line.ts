import { resolve } from 'node:path';

export interface CommandLine {
  readonly wantsHelp: boolean;
  readonly asJson: boolean;
  /** The command with its file names made absolute: the process that runs it may be in another directory. */
  readonly line: readonly string[];
}

const FILE_COMMANDS = new Set(['backup', 'restore']);
const FILE_OPTION = '--password-file';

/** Takes the options of the tool itself out of the arguments. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const line = args.filter((word) => word !== '--json' && word !== '--help' && word !== '-h');
  return {
    wantsHelp: line.length === 0 || args.includes('--help') || args.includes('-h'),
    asJson: args.includes('--json'),
    line: line.map((word, i) => absolute(word, line[i - 1], line[0])),
  };
}

function absolute(word: string, before: string | undefined, command: string | undefined): string {
  if (before === FILE_OPTION) return resolve(word);
  if (word.startsWith(`${FILE_OPTION}=`)) return `${FILE_OPTION}=${resolve(word.slice(FILE_OPTION.length + 1))}`;
  const isFile = before !== undefined && before === command && FILE_COMMANDS.has(before) && !word.startsWith('--');
  return isFile ? resolve(word) : word;
}
