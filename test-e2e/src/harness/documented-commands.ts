// The shell lines of a document, run as a reader would type them, at the addresses of a test.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from './world';

export const ROOT = join(__dirname, '../../..');
const PRINTED_ORIGIN = 'https://localhost:8443';
/** A line that stores what it reads out of a response, for the lines below it. */
const ASSIGNMENT = /^(\w+)=\$\(curl /;
/** Another run has other ones. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

type Variables = Readonly<Record<string, string>>;

export interface Line {
  readonly command: string;
  /** The variable that it stores its result in. */
  readonly variable?: string;
  /** The part of the response that is shown. */
  readonly shown?: unknown;
}

/** Lines with curl, each with the JSON below its block where it is the block's last. */
export function linesOf(file: string): Line[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const fences = text.matchAll(/^( *)```(\w*)\n([^]*?)^ *```$/gm);
  const blocks = [...fences].map(([, indent = '', language, body = '']) => {
    return { language, body: body.replaceAll(new RegExp(`^${indent}`, 'gm'), '') };
  });
  return blocks.flatMap(({ language, body }, at) => {
    if (language !== 'sh') return [];
    const commands = body.split('\n').filter((line) => line.startsWith('curl ') || ASSIGNMENT.test(line));
    const next = blocks[at + 1];
    return commands.map((command, n): Line => {
      const variable = ASSIGNMENT.exec(command)?.[1];
      const hasShown = n === commands.length - 1 && next?.language === 'json';
      return {
        command,
        ...(variable === undefined ? {} : { variable }),
        ...(hasShown ? { shown: JSON.parse(next.body) as unknown } : {}),
      };
    });
  });
}

/** Runs the line and compares what is shown. Timestamps and ULIDs match any other ones. */
export async function expectShown(world: World, { command, shown }: Line, variables: Variables): Promise<void> {
  const [body = '', status] = (await runInShell(world, command, variables)).split('\nstatus ');
  const expected = statusOf(shown);
  expect(`${command}: ${status ?? ''} ${status === expected ? '' : body}`).toBe(`${command}: ${expected} `);
  const response: unknown = JSON.parse(body);
  if (shown !== undefined) expect(withoutNoise(response)).toMatchObject(withoutNoise(shown));
}

/** Returns the value that the line stores in its variable. */
export function valueOf(world: World, command: string, variable: string, variables: Variables = {}): Promise<string> {
  return runScript(world, `${command}; printf '%s' "$${variable}"`, variables);
}

/** Resolves with the output. Rejects with it where the script fails. */
export function runScript(world: World, script: string, variables: Variables): Promise<string> {
  const { v2: newer, api } = world.addresses();
  const asked = script.replaceAll(`${PRINTED_ORIGIN}/v2`, newer).replaceAll(`${PRINTED_ORIGIN}/api`, api);
  const env = { PATH: process.env['PATH'], API_KEY: world.apiKey, CLIENT_ID: world.clientId, ...variables };
  return new Promise((resolve, reject) => {
    execFile('bash', ['-euc', asked], { env, timeout: 90_000, maxBuffer: 10_000_000 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${asked}\n${stdout}${stderr}`, { cause: error }));
    });
  });
}

/** The method and the path that the line asks for. */
export function callOf({ command }: Line): [method: string, path: string] {
  const method = /-X (\w+)/.exec(command)?.[1] ?? 'GET';
  const path = /https:\/\/localhost:8443([^?"\s]*)/.exec(command)?.[1] ?? '';
  return [method, path];
}

/** That of the problem that is shown, else 200. */
function statusOf(shown: unknown): string {
  const { code, status } = (shown ?? {}) as { readonly code?: string; readonly status?: unknown };
  return code === undefined ? '200' : String(status);
}

function runInShell(world: World, command: string, variables: Variables): Promise<string> {
  return runScript(world, `${command} -s --max-time 60 -w '\\nstatus %{http_code}'`, variables);
}

function withoutNoise(value: unknown): object {
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) => {
    if (typeof part !== 'string') return part;
    return TIMESTAMP.test(part) ? 'TIMESTAMP' : ULID.test(part) ? 'ULID' : part;
  }) as object;
}
