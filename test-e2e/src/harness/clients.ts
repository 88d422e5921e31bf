// More clients than the one that a world begins with, made as a provider makes them: from the command line.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { World } from './world';

const MAIN = join(__dirname, '../../../tools/admin/dist/main.js');
const WITHIN_MS = 60_000;

/** The same network as another client sees it. */
export async function asNewClient(world: World, name: string): Promise<World> {
  const printed = await new Promise<string>((resolve, reject) => {
    const env = { PATH: process.env['PATH'], STORE_URL: world.storeUrl };
    execFile(process.execPath, [MAIN, 'client', 'create', name], { env, timeout: WITHIN_MS }, (error, out, err) => {
      if (error === null) resolve(out);
      else reject(new Error(`${out}${err}`, { cause: error }));
    });
  });
  const [, clientId] = /client id\s+(\S+)/.exec(printed) ?? [];
  const [, apiKey] = /API key\s+(\S+)/.exec(printed) ?? [];
  if (clientId === undefined || apiKey === undefined) throw new Error(`no client in: ${printed}`);
  return { ...world, clientId, apiKey };
}
