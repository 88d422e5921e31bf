// What the operating system leaves of file descriptors. Out of them, libuv accepts a connection and closes it again without an
// event or an error (its EMFILE trick), so Node's servers cannot report it.
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { devNull } from 'node:os';

/** For everything but the sockets of a listener: broker, store, data files, sockets of other listeners. */
const RESERVED = 256;

/** How many descriptors this process may have; undefined where the system does not say (only Linux has the file). */
export function descriptorLimit(): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const soft = /^Max open files +(\d+) /m.exec(limits)?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/** How many sockets fit: all but a reserve, and never less than half. */
export function socketsWithin(descriptors: number): number {
  return Math.max(1, Math.floor(descriptors / 2), descriptors - RESERVED);
}

/** Whether the process, or the machine, has no descriptor left at this moment: found out by opening one. */
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
