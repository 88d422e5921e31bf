// Measures the memory of a gateway and a charger-state while chargers push frames without waiting for answers and
// RabbitMQ or the document server is suspended. Run by `npm run test:faults`.
import { setTimeout as last } from 'node:timers/promises';
import { createId } from '@busbar/core';
import { eventually } from '@busbar/testing';
import { readMetric } from '../harness/metrics';
import { createApi } from './fleet';
import { API_KEY, openNetwork, type Network, type Node } from './network';
import { startPushers, type Call, type Pushers } from './pushers';

const START_MS = 120_000;
const FAULT_MS = 300_000;
const CHARGERS = 200;
const MIB = 1_048_576;
/** The limit in the gateway's `limits.ts`: reading stops at so many. */
const MAX_UNCONFIRMED = 20_000;
/**
 * The bytes already read of the few connections that continue at a time come on top: 64 KiB of each, some 500 of these
 * frames.
 */
const MAX_READ = 10_000;
/**
 * 16 MiB of frames are there as text, as parsed values, which take ten times as much where each is a few bytes, and on their
 * way to RabbitMQ; and V8 collects late. Of more chargers it is no more. A charger-state has fetched 160 MiB at most (16 partitions,
 * 20 bodies each of half a million characters) and has one MiB of each partition in hand, which takes ten times as much.
 */
const MAX_GROWTH = 512 * MIB;
/** As the chart sets it for a container of 512 MiB. Without it V8 leaves garbage of a gigabyte where it lies. */
const HEAP = '--max-old-space-size=358';
const LOOK_MS = 500;

const at = '2026-01-01T00:00:00.000Z';
const statusOf = (version: string): Call => ({
  action: 'StatusNotification',
  payload:
    version === 'ocpp1.6'
      ? { connectorId: 1, errorCode: 'NoError', status: 'Available', timestamp: at }
      : { evseId: 1, connectorId: 1, connectorStatus: 'Available', timestamp: at },
});
/** Some 45 KiB of values of a few bytes: what takes the most memory for its size. */
function manyValuesOf(version: string): Call {
  const is16 = version === 'ocpp1.6';
  const sampledValue = Array.from({ length: 3_000 }, (_, n) => ({ value: is16 ? String(n) : n }));
  const meterValue = [{ timestamp: at, sampledValue }];
  return { action: 'MeterValues', payload: is16 ? { connectorId: 1, meterValue } : { evseId: 1, meterValue } };
}

describe('chargers that push without waiting', () => {
  let network: Network;
  const chargerIds = Array.from({ length: CHARGERS }, () => `P_${createId()}`);
  let pushers: Pushers | undefined;
  // One for each test: what was pushed at the last one is still being worked on.
  beforeEach(async () => {
    // They answer no ping, and each pushes as fast as it can.
    const env = {
      OCPP_PING_INTERVAL_S: '600',
      OCPP_MAX_MESSAGES_PER_S: '0',
      OCPP_MAX_BYTES_PER_S: '0',
      NODE_OPTIONS: HEAP,
    };
    network = await openNetwork({ gateways: 1, replicas: 1, env });
    const api = createApi(network.v2, API_KEY);
    const siteId = await eventually(() => api.makeSite());
    for (const chargerId of chargerIds) await api.register(chargerId, siteId);
    api.close();
  }, START_MS);
  afterEach(async () => {
    pushers?.stop();
    for (const server of [network.rabbit, network.documents]) server.resume();
    await network.stop();
  }, START_MS);

  function nodes(): Watched {
    const [[gateway], [replica]] = [network.gateways, network.replicas];
    if (gateway === undefined || replica === undefined) throw new Error('no processes');
    return { gateway, replica };
  }

  /** They push from now on. */
  async function push(gateway: Node, callOf: Backpressured['callOf']): Promise<void> {
    const { port } = await gateway.program().bound('plain');
    pushers = await startPushers(port, chargerIds, callOf);
  }

  it.each<Backpressured>([
    { what: 'statuses', callOf: statusOf, frames: 2 * MAX_UNCONFIRMED, growth: 384 * MIB },
    { what: 'many meter values', callOf: manyValuesOf, frames: 2_000, growth: MAX_GROWTH },
  ])(
    'does not grow in memory while RabbitMQ is suspended: $what',
    async ({ callOf, frames, growth }) => {
      const { gateway } = nodes();
      const watch = await watchMemory(nodes());
      await push(gateway, callOf);
      network.rabbit.pause();
      const enough = (await takenBy(gateway)) + frames;
      await watch.until(async () => (await takenBy(gateway)) >= enough);
      watch.isFlat(growth);
      pushers?.stop();
      network.rabbit.resume();
      await watch.until(() => isDone(gateway));
    },
    FAULT_MS,
  );

  it.each<Backpressured>([
    { what: 'statuses', callOf: statusOf, frames: 2 * MAX_UNCONFIRMED, growth: MAX_GROWTH },
    { what: 'many meter values', callOf: manyValuesOf, frames: 6_000, growth: MAX_GROWTH },
  ])(
    'does not grow in memory while the document server is suspended, and during the catch-up: $what',
    async ({ callOf, frames, growth }) => {
      const { gateway, replica } = nodes();
      const watch = await watchMemory(nodes());
      await push(gateway, callOf);
      network.documents.pause();
      const enough = (await takenBy(gateway)) + frames;
      await watch.until(async () => (await takenBy(gateway)) >= enough);
      pushers?.stop();
      network.documents.resume();
      // The backlog is larger than what a charger-state may process at a time.
      await watch.until(
        async () => (await isDone(gateway)) && (await appliedBy(replica)) >= (await answeredBy(gateway)),
      );
      watch.isFlat(growth);
      expect(await replica.metrics()).not.toMatch(/^busbar_state_dead_letters_total\{[^}]*\} [1-9]/m);
    },
    FAULT_MS,
  );
});

interface Backpressured {
  readonly what: string;
  readonly callOf: (version: string) => Call;
  /** To be taken by the gateway meanwhile: of statuses, twice as many as it may hold. */
  readonly frames: number;
  readonly growth: number;
}

interface Watched {
  readonly gateway: Node;
  readonly replica: Node;
}

interface MemoryWatch {
  /** Looks until it is so. */
  until(isSo: () => Promise<boolean>): Promise<void>;
  /** Fails when a process has grown by more bytes than that, or the gateway has held more than it may. */
  isFlat(growth: number): void;
}

async function watchMemory({ gateway, replica }: Watched): Promise<MemoryWatch> {
  const memory = (): Promise<number[]> => Promise.all([gateway, replica].map(memoryOf));
  const before = await memory();
  let max = before;
  let unconfirmed = 0;
  return {
    until: (isSo) =>
      eventually(async () => {
        await last(LOOK_MS);
        const now = await memory();
        max = max.map((bytes, n) => Math.max(bytes, now[n] ?? 0));
        unconfirmed = Math.max(unconfirmed, readMetric(await gateway.metrics(), 'busbar_gateway_unconfirmed'));
        return isSo();
      }, 180_000).then(() => undefined),
    isFlat(growth) {
      const grown = max.map((bytes, n) => bytes - (before[n] ?? 0));
      const shown = grown.map((bytes) => `${(bytes / MIB).toFixed(0)} MiB`).join(' and ');
      process.stdout.write(`at most ${String(unconfirmed)} unconfirmed; gateway and charger-state grew by ${shown}\n`);
      expect(unconfirmed).toBeLessThan(MAX_UNCONFIRMED + MAX_READ);
      expect(Math.max(...grown)).toBeLessThan(growth);
    },
  };
}

async function memoryOf(node: Node): Promise<number> {
  return readMetric(await node.metrics(), 'process_resident_memory_bytes');
}

async function takenBy(gateway: Node): Promise<number> {
  // Not there before the first.
  return readMetric(await gateway.metrics(), 'busbar_gateway_frames_total{type="call"}') || 0;
}

/** Returns the number of CALLs that it has not answered with an error. */
async function answeredBy(gateway: Node): Promise<number> {
  return (await takenBy(gateway)) - readMetric(await gateway.metrics(), 'busbar_gateway_failed_calls_total');
}

async function appliedBy(replica: Node): Promise<number> {
  return readMetric(await replica.metrics(), 'busbar_state_applied_total');
}

/** Nobody is connected to it any more, and everything is confirmed. */
async function isDone(gateway: Node): Promise<boolean> {
  const text = await gateway.metrics();
  return ['busbar_gateway_unconfirmed', 'busbar_gateway_connections'].every((name) => readMetric(text, name) === 0);
}
