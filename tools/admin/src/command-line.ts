// Options of the tool itself, and file names made absolute.
import { resolve } from 'node:path';
import { SECRET_OPTIONS } from './secrets';

export interface CommandLine {
  /** `line` then has the words that the help is about. */
  readonly wantsHelp: boolean;
  readonly wantsVersion: boolean;
  readonly asJson: boolean;
  /** The command with its file names made absolute: the process that runs it may be in another directory. */
  readonly line: readonly string[];
}

const FILE_COMMANDS = new Set(['backup', 'restore']);
const FILE_OPTIONS = SECRET_OPTIONS.map((option) => `${option}-file`);
/** Standard input instead of a file. */
const INPUT = '-';

/** Takes the options of the tool itself out of the arguments, before standard input is read: a password is no option. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const own = ['--json', '--help', '-h', '--version'];
  const words = args.filter((word) => !own.includes(word));
  const asksHelp = words[0] === 'help';
  const line = asksHelp ? words.slice(1) : words;
  const wantsVersion = args.includes('--version');
  return {
    wantsHelp: asksHelp || line.length === 0 || args.includes('--help') || args.includes('-h'),
    wantsVersion,
    asJson: args.includes('--json'),
    line: line.map((word, i) => absolute(word, line[i - 1], line[0])),
  };
}

function absolute(word: string, before: string | undefined, command: string | undefined): string {
  if (before !== undefined && FILE_OPTIONS.includes(before)) return word === INPUT ? word : resolve(word);
  const inline = FILE_OPTIONS.find((option) => word.startsWith(`${option}=`));
  if (inline !== undefined && word !== `${inline}=${INPUT}`)
    return `${inline}=${resolve(word.slice(inline.length + 1))}`;
  // Also behind a flag: `backup --force FILE`.
  const isFile = before !== undefined && FILE_COMMANDS.has(command ?? '') && !word.startsWith('--');
  return isFile ? resolve(word) : word;
}
