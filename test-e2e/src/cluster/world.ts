// The cluster with the release in it, for the tests of one file.
import { openCluster, type Cluster } from './cluster';
import { installRelease, type Release } from './release';
import { startServers, type Servers } from './servers';

export interface World {
  readonly cluster: Cluster;
  readonly servers: Servers;
  readonly release: Release;
  stop(): Promise<void>;
}

export const START_MS = 300_000;

/** Prints one line for each step: with nothing on the screen for minutes nobody could tell which one hangs. */
export async function openWorld(): Promise<World> {
  const cluster = await openCluster();
  report('both nodes are ready');
  const servers = await startServers(cluster);
  const release = await installRelease(cluster, servers).catch(async (error: unknown) => {
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
    async stop() {
      await release.stop();
      await servers.stop();
      await cluster.stop();
    },
  };
}

export function report(line: string): void {
  process.stdout.write(`· ${line}\n`);
}

/** What somebody would look at who has the cluster before them. */
export async function explain({ api }: Cluster): Promise<void> {
  for (const command of [
    ['get', 'pods', '--all-namespaces', '--output=wide'],
    ['get', 'events', '--all-namespaces', '--field-selector=type=Warning'],
    ['logs', '--namespace=busbar', '--selector=app.kubernetes.io/part-of=busbar', '--tail=12', '--prefix'],
  ]) {
    process.stdout.write(await api.kubectl(command).catch(String));
  }
}
