// The cluster with the release in it, for the tests of one file.
import type { Store } from '@busbar/store';
import { openStore } from '../faults/stored';
import { openCluster, type Cluster } from './cluster';
import { installRelease, SERVICES, type Release } from './release';
import { NAMESPACE, startServers, type Servers } from './servers';

export interface World {
  readonly cluster: Cluster;
  readonly servers: Servers;
  readonly release: Release;
  /** Reads what the release has stored. */
  withStore<T>(read: (store: Store) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

export const START_MS = 300_000;

/** Prints one line for each step: without it, minutes pass without output and a hanging step has no name. */
export async function openWorld(): Promise<World> {
  const cluster = await openCluster();
  report('both nodes are ready');
  const servers = await startServers(cluster);
  const serving = { chargers: 'gateway', v2: 'v2-api', legacy: 'legacy-api' } as const;
  const options = { namespace: NAMESPACE, values: SERVICES, serving };
  const release = await installRelease(cluster, options).catch(async (error: unknown) => {
    await explain(cluster);
    await servers.stop();
    await cluster.stop();
    throw error;
  });
  report('the release is installed');
  return {
    cluster,
    servers,
    release,
    async withStore(read) {
      const stored = await openStore(servers.documents.url);
      try {
        return await read(stored.store);
      } finally {
        await stored.stop();
      }
    },
    async stop() {
      await release.uninstall();
      await servers.stop();
      await cluster.stop();
    },
  };
}

export function report(line: string): void {
  process.stdout.write(`· ${line}\n`);
}

/** Returns what an engineer with access to the cluster would look at. */
export async function explain({ api }: Cluster): Promise<void> {
  for (const command of [
    ['get', 'pods', '--all-namespaces', '--output=wide'],
    ['get', 'events', '--all-namespaces', '--field-selector=type=Warning'],
    ['logs', '--namespace=busbar', '--selector=app.kubernetes.io/part-of=busbar', '--tail=12', '--prefix'],
  ]) {
    process.stdout.write(await api.kubectl(command).catch(String));
  }
}
