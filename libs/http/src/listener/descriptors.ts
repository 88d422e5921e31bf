// File descriptors of the process. Without any left, libuv accepts a connection and closes it without an event or an error (its
// EMFILE trick), so Node's servers cannot report it.
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { devNull } from 'node:os';

/** Reserved for broker, store, data files and sockets of other listeners. */
const RESERVED = 256;

/** The limit of this process; undefined where the system does not report it (only Linux has the file). */
export function descriptorLimit(): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const soft = /^Max open files +(\d+) /m.exec(limits)?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/** The number of sockets within a limit: all but a reserve, and at least half. */
export function socketsWithin(descriptors: number): number {
  return Math.max(1, Math.floor(descriptors / 2), descriptors - RESERVED);
}

/** Returns whether the process or the machine has no descriptor left. Opens one to find out. */
export async function isOutOfDescriptors(): Promise<boolean> {
  try {
    const file = await open(devNull);
    await file.close();
    return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EMFILE' || code === 'ENFILE';
  }
}
