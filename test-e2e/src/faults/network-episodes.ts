// A network of processes with what an episode needs of it.
import { explained, runEpisode, type EpisodeOptions, type EpisodeWorld } from './episode';
import { untilQueuesAreOld, type Fault } from './fault';
import { untilReady } from './faults';
import { createFeedSource } from './feed-followers';
import { createApi } from './fleet';
import { API_KEY, openNetwork, type Network, type NetworkOptions } from './network';
import type { Random } from './random';
import { openStore } from './stored';

export interface FaultWorld extends EpisodeWorld {
  readonly network: Network;
  episode(options: EpisodeOptions): Promise<void>;
  fault(fault: Fault<Network>, random: Random): Promise<void>;
  stop(): Promise<void>;
}

export async function openFaultWorld(options: NetworkOptions): Promise<FaultWorld> {
  const network = await openNetwork(options);
  const declared = Date.now();
  const api = createApi(network.v2, API_KEY);
  const stored = await openStore(network.documents.url);
  const world: EpisodeWorld = {
    api,
    withStore: (read) => read(stored.store),
    addresses: network.chargerAddresses,
    consumers: () => network.replicas,
    counters: () => network.replicas,
    ledgers: [],
    events: network.pushes.length === 0 ? undefined : createFeedSource(network.v2),
  };
  return {
    ...world,
    network,
    episode: (episode) => explained(network.nodes, runEpisode(world, episode)),
    fault: (fault, random) => {
      const episode = runEpisode(world, {
        random,
        disconnectsNobody: fault.disconnectsNobody ?? false,
        async fault() {
          await untilQueuesAreOld(declared);
          await fault.run(network, random);
          await untilReady(network);
        },
      });
      return explained(network.nodes, episode);
    },
    async stop() {
      api.close();
      await stored.stop();
      await network.stop();
    },
  };
}
