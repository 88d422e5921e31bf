import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a socket's path may have on every system (macOS: 104 bytes with the end). */
const PATH_BYTES = 100;

/**
 * Where the process that has a data directory listens for administration: in the directory, or, where that path is too
 * long for a socket, in an owner-only folder of the temporary directory that is named after it.
 */
export function adminSocketPath(directory: string): string {
  const inside = join(directory, 'admin.sock');
  if (Buffer.byteLength(inside) <= PATH_BYTES) return inside;
  const name = createHash('sha256').update(realpathSync(directory)).digest('hex').slice(0, 16);
  return join(tmpdir(), `busbar-${name}`, 'admin.sock');
}
