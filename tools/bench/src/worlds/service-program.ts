// A program of the product as a measured child: started as `npm start` starts it, with the bench's attendant beside it.
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FREE_PORTS } from '@busbar/testing';
import type { Target } from '../load/charger-socket';
import type { AttendantCommands } from '../processes/attendant';
import { startChild, type Child } from '../processes/child';
import { REPOSITORY } from '../repository';

export type ServiceProgram = Child<AttendantCommands>;

/** The name of the listener, as the log line of a bound port names it. */
export type Listener = 'public' | 'plain' | 'internal';

const ATTENDANT = join(__dirname, '../processes/attendant.js');
/**
 * The options that `npm start` and the images give Node: few of a message's objects outlive a young generation of this
 * size.
 */
const AS_STARTED = ['--max-semi-space-size=32'];
const READY_MS = 60_000;
const POLL_MS = 50;

export function startService(name: string, directory: string, env: Readonly<Record<string, string>>): ServiceProgram {
  return startChild<AttendantCommands>({
    name,
    directory,
    script: join(REPOSITORY, 'services', name, 'dist/main.js'),
    nodeArguments: [...AS_STARTED, '--expose-gc', '--require', ATTENDANT],
    env: { ...FREE_PORTS, HOST: '127.0.0.1', ...env },
  });
}

/** Resolves when it says of itself that it can do its work. Rejects with the end of its output when it ends. */
export async function untilReady(program: ServiceProgram): Promise<void> {
  const { port } = await boundAt(program, 'internal');
  await until(program, 'readiness', async () => (await get(port, '/readyz'))?.status === 200);
}

export async function boundAt(program: ServiceProgram, what: Listener): Promise<Target> {
  let port: number | undefined;
  await until(program, `its ${what} port`, () => {
    port = portIn(program.output(), what);
    return Promise.resolve(port !== undefined);
  });
  return { host: '127.0.0.1', port: port ?? 0, secure: what === 'public' };
}

/** One counter out of its metrics. */
export async function counterOf(program: ServiceProgram, name: string): Promise<number> {
  const { port } = await boundAt(program, 'internal');
  const text = (await get(port, '/metrics'))?.body ?? '';
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

async function until(program: ServiceProgram, what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + READY_MS;
  while (!(await isSo())) {
    const output = (): string => program.output().slice(-1_500);
    if (program.hasEnded()) throw new Error(`${program.name} ended:\n${output()}`);
    if (Date.now() > end) throw new Error(`${program.name} does not come to ${what}:\n${output()}`);
    await sleep(POLL_MS);
  }
}

/** Out of the log line `{"msg":"listening","what":…,"port":…}`. */
function portIn(output: string, what: Listener): number | undefined {
  for (const line of output.split('\n')) {
    if (!line.includes('"listening"') || !line.includes(`"what":"${what}"`)) continue;
    const port = /"port":(\d+)/.exec(line)?.[1];
    if (port !== undefined) return Number(port);
  }
  return undefined;
}

function get(port: number, path: string): Promise<{ status: number; body: string } | undefined> {
  return new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, path, agent: false, timeout: 5_000 }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('error', () => resolve(undefined));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(undefined));
    asked.end();
  });
}
