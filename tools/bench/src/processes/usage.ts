// Reads the resource usage of a process from /proc. It works for servers that are not Node's too. Elsewhere than on
// Linux there is none.
import { readFileSync } from 'node:fs';

/** USER_HZ, the unit of /proc/PID/stat: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Processor seconds, user and system, of all its threads. */
export function cpuSecondsOf(pid: number): number | undefined {
  const stat = read(`/proc/${String(pid)}/stat`);
  // The second field is a name in brackets that may hold anything.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields === undefined) return undefined;
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Resident memory in bytes. */
export function residentBytesOf(pid: number): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${String(pid)}/status`) ?? '')?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
