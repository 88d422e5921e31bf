// What a process still holds, without what the garbage collector has only not taken yet: resident memory says both at once.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of objects and of buffers that this process can still reach, after a garbage collection. Sockets of the kernel are not in it. */
export async function reachableBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Twice: the first makes weak references go, the second what they held.
  collect();
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
