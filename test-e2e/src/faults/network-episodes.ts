// A network of processes with what an episode needs of it.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApi, type Api } from './fleet';
import { runEpisode, type EpisodeOptions, type EpisodeWorld } from './episode';
import { untilReady, type Fault } from './faults';
import { API_KEY, openNetwork, type Network, type NetworkOptions } from './network';
import type { Random } from './random';
import { openStore } from './stored';

export interface FaultWorld extends EpisodeWorld {
  readonly network: Network;
  readonly api: Api;
  episode(options: EpisodeOptions): Promise<void>;
  fault(fault: Fault, random: Random): Promise<void>;
  stop(): Promise<void>;
}

/**
 * RabbitMQ 3.10 may lose a quorum queue's leader for good when it is killed within about 5 s of the queue's declaration
 * (its issue 10070); the service detects and logs that, but nothing can mend it, so no test provokes it.
 */
const YOUNG_QUEUES_MS = 6_000;

export async function openFaultWorld(options: NetworkOptions): Promise<FaultWorld> {
  const network = await openNetwork(options);
  const declared = Date.now();
  const api = createApi(network.v2, API_KEY);
  const stored = await openStore(network.documents.url);
  const world: EpisodeWorld = {
    api,
    withStore: (read) => read(stored.store),
    addresses: network.chargerAddresses,
    ledgers: [],
  };
  return {
    ...world,
    network,
    episode: (episode) => explained(network, runEpisode(world, episode)),
    fault: (fault, random) => {
      const episode = runEpisode(world, {
        random,
        async fault() {
          const young = YOUNG_QUEUES_MS - (Date.now() - declared);
          if (young > 0) await new Promise((resolve) => setTimeout(resolve, young));
          await fault.run(network, random);
          await untilReady(network);
        },
      });
      return explained(network, episode);
    },
    async stop() {
      api.close();
      await stored.stop();
      await network.stop();
    },
  };
}

/** What the processes wrote is kept when an episode fails: without it nobody finds the cause. */
async function explained(network: Network, episode: Promise<void>): Promise<void> {
  try {
    await episode;
  } catch (error) {
    const directory = mkdtempSync(join(tmpdir(), 'busbar-fault-logs-'));
    for (const node of network.nodes())
      writeFileSync(join(directory, `${node.name.replace(' ', '-')}.log`), node.output());
    process.stdout.write(`what the processes wrote: ${directory}\n`);
    throw error;
  }
}
