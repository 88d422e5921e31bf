// Suspends a process of another program. A signal is delivered to each thread in its own time: a server with many threads can
// still answer for a moment after `kill` has returned.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const LIMIT_MS = 5_000;
const POLL_MS = 1;

/** Sends SIGSTOP and returns when every thread has stopped. Throws when they do not within 5 s. */
export function pauseProcess(pid: number): void {
  process.kill(pid, 'SIGSTOP');
  const tasks = `/proc/${String(pid)}/task`;
  if (!existsSync(tasks)) return;
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  const endMs = performance.now() + LIMIT_MS;
  while (!readdirSync(tasks).every((task) => isStopped(`${tasks}/${task}/stat`))) {
    if (performance.now() > endMs) throw new Error(`process ${String(pid)} does not stop`);
    Atomics.wait(sleeper, 0, 0, POLL_MS);
  }
}

/** The state is the field after the name, which is in parentheses and may hold any character (proc_pid_stat(5)). */
function isStopped(file: string): boolean {
  try {
    const text = readFileSync(file, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).startsWith('T');
  } catch {
    // The thread ended meanwhile.
    return true;
  }
}
