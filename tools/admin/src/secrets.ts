// Secrets in a command line: read from standard input, with a warning where one was typed.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { AppError } from '@busbar/core';

/** Options with a secret as their value; each has a form that ends in `-file`. */
export const SECRET_OPTIONS = ['--password', '--authorization-key'] as const;
const MAX_CHARACTERS = 65_536;

/** Warnings for secrets among the arguments, which `ps` and the shell's history show. */
export function secretWarnings(args: readonly string[]): readonly string[] {
  return SECRET_OPTIONS.filter((option) => args.some((word) => word === option || word.startsWith(`${option}=`))).map(
    (option) =>
      `Warning: other users of this machine can read the value of ${option} while the command runs, and the shell stores it in its ` +
      `history. Use ${option}-file FILE, or ${option}-file - for standard input.`,
  );
}

/** Replaces `--password-file -` by the secret on standard input. */
export async function withSecretFromInput(
  args: readonly string[],
  input: NodeJS.ReadStream,
): Promise<readonly string[]> {
  const words: string[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const word = args[i] ?? '';
    const option = SECRET_OPTIONS.find((each) => word === `${each}-file` || word === `${each}-file=-`);
    const isInput = option !== undefined && (word.endsWith('=-') || args[i + 1] === '-');
    if (!isInput) {
      words.push(word);
      continue;
    }
    if (word === `${option}-file`) i += 1;
    words.push(option, await readSecret(input));
  }
  return words;
}

async function readSecret(input: NodeJS.ReadStream): Promise<string> {
  if (input.isTTY) return askHidden(input);
  let text = '';
  input.setEncoding('utf8');
  for await (const chunk of input) {
    text += String(chunk);
    if (text.length > MAX_CHARACTERS)
      throw new AppError('invalid_request', 'Standard input is too long for a secret: give at most 65,536 characters.');
  }
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') throw new AppError('invalid_request', 'Standard input holds no secret.');
  return secret;
}

/** Reads a line without echo. */
async function askHidden(input: NodeJS.ReadStream): Promise<string> {
  process.stderr.write('Secret (not shown): ');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: nowhere, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
