// Ends what a test started when the test's own process ends without doing so: interrupted, killed, crashed. Handlers of
// 'exit' do not run inside jest's sandbox, and never after SIGKILL; the end of a pipe always arrives.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SCRIPT = `
cat >/dev/null
for file in "$1"/*.group; do
  [ -f "$file" ] && kill -s KILL -- "-$(cat "$file")" 2>/dev/null
done
rm -rf "$1"
`;

export interface Guard {
  /** A fresh directory for the server's data; removed with the guard. */
  readonly directory: string;
  /** From now on the process group of that id (a detached child's) is killed when this process ends. */
  watch(name: string, processGroup: number): void;
  forget(name: string): void;
  /** Removes the directory and the guard itself. Kills nothing. */
  release(): Promise<void>;
}

/** Starts a guard with a directory whose name begins with `prefix`. */
export function createGuard(prefix: string): Guard {
  const directory = mkdtempSync(join(tmpdir(), `${prefix}-`));
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'guard', directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Neither the child nor the pipe to it may keep a finished test run alive.
  shell.unref();
  (shell.stdin as typeof shell.stdin & { unref?: () => void }).unref?.();

  const file = (name: string): string => join(directory, `${name}.group`);
  return {
    directory,
    watch: (name, processGroup) => writeFileSync(file(name), String(processGroup)),
    forget: (name) => rmSync(file(name), { force: true }),
    async release() {
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
      shell.stdin.end();
    },
  };
}
