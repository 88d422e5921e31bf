// More clients than the one that a world begins with, and keys that only the command line gives.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newClient } from '@busbar/testing';
import type { World } from './world';

const ADMIN = join(__dirname, '../../../tools/admin/dist/main.js');
const run = promisify(execFile);

/** The same network as another client sees it. */
export async function asNewClient(world: World, name: string): Promise<World> {
  return { ...world, ...(await newClient(world.storeUrl, name)) };
}

/** The same client with a key of an operator, which has these permissions besides; without any given, all of a client. */
export async function asOperator(world: World, permissions?: readonly string[]): Promise<World> {
  const env = { PATH: process.env['PATH'], STORE_URL: world.storeUrl };
  const limited = permissions === undefined ? [] : ['--permissions', permissions.join(',')];
  const named = ['--client', world.clientId, '--operator', ...limited];
  const { stdout } = await run(process.execPath, [ADMIN, 'key', 'create', ...named], { env, timeout: 60_000 });
  const [, apiKey = ''] = /API key\s+(\S+)/.exec(stdout) ?? [];
  return { ...world, apiKey };
}
