// Runs ESLint as `npm run check` does, on text that no file holds.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(__dirname, '../../..');
const RULE = pathToFileURL(join(ROOT, 'tools/lint/dictionary.mjs')).href;
const CONFIGURATION = `
import { dictionary } from ${JSON.stringify(RULE)};
export default [{ plugins: { dictionary }, rules: { 'dictionary/words': 'error' } }];
`;

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'dictionary-'));
  writeFileSync(join(directory, 'eslint.config.mjs'), CONFIGURATION);
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Returns what the rule finds in a source text. */
function found(source: string): string[] {
  const eslint = join(ROOT, 'node_modules/eslint/bin/eslint.js');
  const { stdout } = spawnSync(process.execPath, [eslint, '--stdin', '-f', 'json'], {
    cwd: directory,
    input: source,
    encoding: 'utf8',
  });
  const [file] = JSON.parse(stdout) as { readonly messages: readonly { readonly message: string }[] }[];
  return (file?.messages ?? []).map(({ message }) => message);
}

describe('lint rule dictionary/words', () => {
  it('refuses a word of the dictionary in names, literals and templates, and names the term', () => {
    const source = 'const toldMs = 1;\nfunction MOST_TURNS() {}\nlog("the store is away");\nlog(`goes on at ${1}`);';
    expect(found(source)).toEqual([
      '"toldMs" is not a term of the field: write notify, announce, receive, report, print',
      '"MOST_TURNS" is not a term of the field: write MAX_X, X_CONCURRENCY',
      '"is away" is not a term of the field: write unavailable, unreachable, disconnected',
      '"goes on" is not a term of the field: write continue',
    ]);
  });

  it('refuses the same phrases in comments', () => {
    expect(found('// Whoever connects.\n/** Tells the others. */\nconnect();')).toEqual([
      '"Whoever" is not a term of the field: write name who',
      '"Tells" is not a term of the field: write notified, announced, received, reported',
    ]);
  });

  it('accepts the terms, and a foreign name where it is only used', () => {
    expect(found('const notifiedMs = clock.told;\nlog("the store is unavailable", "a goods train");')).toEqual([]);
  });
});
