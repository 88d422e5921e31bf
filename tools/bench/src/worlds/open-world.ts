import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createId, randomToken, systemClock } from '@busbar/core';
import { selfSignedPair } from '@busbar/operations';
import type { Resources } from '../processes/resources';
import { BENCH_DIRECTORY } from '../repository';
import { openQueueDepth, type QueueDepth } from './queue-depth';
import { startServers, type Servers } from './servers';
import { boundAt, counterOf, startService, untilReady, type ServiceProgram } from './service-program';
import type { Column, Running, World } from './world';

const PARTS = ['charger-state', 'v2-api', 'legacy-api', 'ocpp-gateway', 'push'] as const;
const REPLICATED: readonly string[] = ['charger-state', 'ocpp-gateway'] satisfies readonly (typeof PARTS)[number][];

interface Place {
  readonly column: Column;
  readonly replicas: number;
  readonly delivers: boolean;
  readonly directory: string;
  readonly servers: Servers;
  readonly depth: QueueDepth | undefined;
  readonly certificate: World['certificate'];
  readonly env: Readonly<Record<string, string>>;
}

export interface Processes {
  /** Of gateways and of charger-state, where they are processes of their own. */
  readonly replicas: number;
  /** Whether webhooks are delivered: push is a process of its own in column 3, and in the others always a part of the one. */
  readonly delivers: boolean;
}

/** Starts the servers and the product's processes of a column; resolves when they are ready. */
export async function openWorld(column: Column, resources: Resources, processes: Processes): Promise<World> {
  const place = { ...(await openPlace(column, resources)), ...processes };
  let programs = await beginAll(place, resources);
  let running = await runningOf(place, programs);
  const end = () => Promise.all(programs.map((program) => program.end()));
  const stop = async (): Promise<void> => {
    await end();
    await place.depth?.close();
    await place.servers.stop();
    rmSync(place.directory, { recursive: true, force: true });
  };
  const held = resources.hold(place, stop);
  return {
    column,
    clientId: place.env['BOOTSTRAP_CLIENT_ID'] ?? '',
    apiKey: place.env['BOOTSTRAP_API_KEY'] ?? '',
    storeUrl: place.env['STORE_URL'] ?? '',
    certificate: place.certificate,
    rabbitUrl: place.servers.rabbit?.url,
    running: () => running,
    async restart() {
      await end();
      programs = await beginAll(place, resources);
      running = await runningOf(place, programs);
    },
    async killGateway() {
      const killed = running.gateway;
      await killed.kill();
      const next = begin(place, resources, killed.name);
      programs = programs.map((program) => (program === killed ? next : program));
      running = await runningOf(place, programs);
    },
    stop: () => held.release(),
  };
}

async function openPlace(column: Column, resources: Resources): Promise<Omit<Place, keyof Processes>> {
  // Not in the system's temporary directory, which may be memory: a sync to disk must be one.
  mkdirSync(BENCH_DIRECTORY, { recursive: true });
  const directory = mkdtempSync(join(BENCH_DIRECTORY, 'run-'));
  resources.hold(directory, (path) => Promise.resolve(rmSync(path, { recursive: true, force: true })));
  const servers = await startServers(column, resources);
  const pair = await selfSignedPair(directory, systemClock);
  const depth = servers.rabbit && (await openQueueDepth(servers.rabbit.url));
  const env = {
    BOOTSTRAP_CLIENT_ID: `bench-${createId().toLowerCase()}`,
    BOOTSTRAP_API_KEY: randomToken(24),
    // The limits are not what is measured.
    RATE_LIMIT_PER_KEY: '100000',
    OCPP_MAX_STARTS_PER_DAY: '0',
    MAX_SOCKETS_PER_ADDRESS: '0',
    OCPP_MAX_MESSAGES_PER_S: '0',
    OCPP_MAX_BYTES_PER_S: '0',
    DRAIN_S: '0',
    RATE_LIMIT_PER_ADDRESS: '100000',
    TLS_CERT_FILE: pair.certFile,
    TLS_KEY_FILE: pair.keyFile,
    STORE_URL: servers.documents?.url ?? `file:${directory}`,
    BROKER_URL: servers.rabbit?.url ?? 'memory:',
    // Receivers are on this machine.
    PUSH_PLAIN_HTTP: 'true',
    ...(column === 3 && { PUSH_ALLOWED_CIDRS: '127.0.0.0/8', SECRETS_KEY: randomBytes(32).toString('base64') }),
  };
  return { column, directory, servers, depth, certificate: pair, env };
}

/** All at once: each waits for what it needs of the others. */
async function beginAll(place: Place, resources: Resources): Promise<ServiceProgram[]> {
  const parts = place.column === 3 ? PARTS.filter((part) => part !== 'push' || place.delivers) : ['all-in-one'];
  const counts = parts.map((part) => (REPLICATED.includes(part) ? place.replicas : 1));
  const programs = parts.flatMap((part, n) =>
    Array.from({ length: counts[n] ?? 1 }, () => begin(place, resources, part)),
  );
  await Promise.all(programs.map(untilReady));
  return programs;
}

function begin({ directory, env }: Place, resources: Resources, part: string): ServiceProgram {
  return resources.hold(startService(part, directory, env), (held) => held.end()).value;
}

async function runningOf(place: Place, programs: readonly ServiceProgram[]): Promise<Running> {
  const all = (name: (typeof PARTS)[number]): readonly ServiceProgram[] => {
    const found = programs.filter((program) => program.name === name);
    return found.length > 0 ? found : programs.slice(0, 1);
  };
  const part = (name: (typeof PARTS)[number]): ServiceProgram => {
    const [found] = all(name);
    if (found === undefined) throw new Error(`no ${name} runs`);
    return found;
  };
  const { depth, servers } = place;
  const others = { rabbitmq: servers.rabbit?.pid(), 'document-server': servers.documents?.pid() };
  const plains = await Promise.all(all('ocpp-gateway').map((program) => boundAt(program, 'plain')));
  return {
    plain: await boundAt(part('ocpp-gateway'), 'plain'),
    plains,
    secure: await boundAt(part('ocpp-gateway'), 'public'),
    v2: await boundAt(part('v2-api'), 'public'),
    legacy: await boundAt(part('legacy-api'), 'public'),
    gateway: part('ocpp-gateway'),
    programs,
    pids: {
      ...Object.fromEntries(programs.map(({ name }) => [name, pidsOf(programs, name)])),
      ...Object.fromEntries(Object.entries(others).map(([name, pid]) => [name, pid === undefined ? [] : [pid]])),
    },
    async waiting() {
      if (depth === undefined) return undefined;
      const applied = await Promise.all(
        all('charger-state').map((program) => counterOf(program, 'busbar_state_applied_total')),
      );
      return { queued: await depth.read(), applied: applied.reduce((sum, each) => sum + each, 0) };
    },
  };
}

function pidsOf(programs: readonly ServiceProgram[], name: string): readonly number[] {
  return programs.filter((program) => program.name === name).map(({ pid }) => pid);
}
