// What a gateway and a charger-state hold in memory while chargers push frames without waiting for answers and RabbitMQ
// stands still. Run by `npm run test:faults`.
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
/** Of the gateway's `limits.ts`: reading stops at so many. */
const MOST_UNCONFIRMED = 20_000;
/** What had been read of the few sockets that go on at a time comes on top: 64 KiB of each, some 500 of these frames. */
const MOST_READ = 10_000;
/**
 * 16 MiB of frames are there as text, as parsed values, which take ten times as much where each is a few bytes, and on their
 * way to RabbitMQ; and V8 collects late. Of more chargers it is no more.
 */
const MOST_GROWTH = 512 * MIB;
const LOOK_MS = 500;

const at = '2026-01-01T00:00:00.000Z';
const STATUS: Call = {
  action: 'StatusNotification',
  payload: { connectorId: 1, errorCode: 'NoError', status: 'Available', timestamp: at },
};
/** Some 45 KiB of values of a few bytes: what takes the most memory for its size. */
const MANY_VALUES: Call = {
  action: 'MeterValues',
  payload: {
    connectorId: 1,
    meterValue: [{ timestamp: at, sampledValue: Array.from({ length: 3_000 }, (_, n) => ({ value: String(n) })) }],
  },
};

describe('chargers that push without waiting', () => {
  let network: Network;
  const chargerIds = Array.from({ length: CHARGERS }, () => `P_${createId()}`);
  let pushers: Pushers | undefined;
  // One for each test: what was pushed at the last one is still being worked on.
  beforeEach(async () => {
    // They answer no ping.
    network = await openNetwork({ gateways: 1, replicas: 1, env: { OCPP_PING_INTERVAL_S: '600' } });
    const api = createApi(network.v2, API_KEY);
    const siteId = await eventually(() => api.makeSite());
    for (const chargerId of chargerIds) await api.register(chargerId, siteId);
    api.close();
  }, START_MS);
  afterEach(async () => {
    pushers?.stop();
    network.rabbit.resume();
    await network.stop();
  }, START_MS);

  /** They push from now on. */
  async function push(gateway: Node, call: Call): Promise<void> {
    const { port } = await gateway.program().bound('plain');
    pushers = await startPushers(port, chargerIds, call);
  }

  it.each<Pressed>([
    {
      what: 'statuses while RabbitMQ stands still',
      ...{ call: STATUS, frames: 2 * MOST_UNCONFIRMED, growth: 384 * MIB },
    },
    {
      what: 'many meter values while RabbitMQ stands still',
      ...{ call: MANY_VALUES, frames: 2_000, growth: MOST_GROWTH },
    },
  ])(
    'leave memory flat: $what',
    async ({ call, frames, growth }) => {
      const [[gateway], [replica]] = [network.gateways, network.replicas];
      if (gateway === undefined || replica === undefined) throw new Error('no processes');
      const before = await Promise.all([gateway, replica].map(memoryOf));
      await push(gateway, call);
      network.rabbit.pause();
      const most = await highest([gateway, replica], (await takenBy(gateway)) + frames);

      expect(most.unconfirmed).toBeLessThan(MOST_UNCONFIRMED + MOST_READ);
      for (const [n, rss] of most.memory.entries()) expect(rss - (before[n] ?? 0)).toBeLessThan(growth);
      pushers?.stop();
      network.rabbit.resume();
      await eventually(async () => readMetric(await gateway.metrics(), 'busbar_gateway_unconfirmed') === 0, 120_000);
      await eventually(async () => readMetric(await gateway.metrics(), 'busbar_gateway_connections') === 0, 120_000);
    },
    FAULT_MS,
  );
});

interface Pressed {
  readonly what: string;
  readonly call: Call;
  /** To be taken by the gateway meanwhile: of statuses, twice as many as it may hold. */
  readonly frames: number;
  readonly growth: number;
}

interface Highest {
  readonly unconfirmed: number;
  /** Of each process, in bytes. */
  readonly memory: readonly number[];
}

/** Looks until the gateway, the first, has taken so many frames of chargers. */
async function highest(nodes: readonly Node[], frames: number): Promise<Highest> {
  let seen: Highest = { unconfirmed: 0, memory: [] };
  const [gateway] = nodes;
  if (gateway === undefined) throw new Error('no gateway');
  await eventually(async () => {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const memory = await Promise.all(nodes.map(memoryOf));
    const unconfirmed = readMetric(await gateway.metrics(), 'busbar_gateway_unconfirmed');
    seen = {
      unconfirmed: Math.max(seen.unconfirmed, unconfirmed),
      memory: memory.map((bytes, n) => Math.max(seen.memory[n] ?? 0, bytes)),
    };
    return (await takenBy(gateway)) >= frames;
  }, 180_000);
  process.stdout.write(
    `at most ${String(seen.unconfirmed)} unconfirmed, ${seen.memory.map((bytes) => (bytes / MIB).toFixed(0)).join(' and ')} MiB\n`,
  );
  return seen;
}

async function memoryOf(node: Node): Promise<number> {
  return readMetric(await node.metrics(), 'process_resident_memory_bytes');
}

async function takenBy(gateway: Node): Promise<number> {
  // Not there before the first.
  return readMetric(await gateway.metrics(), 'busbar_gateway_frames_total{type="call"}') || 0;
}
