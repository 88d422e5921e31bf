// Finds the pod that each connection to a Service goes to: kube-proxy chooses one, and the kernel's connection tracking
// says which.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface ServiceConnections {
  /** The address of the pod that the newest connection from this port goes to. */
  podOf(localPort: number): string | undefined;
  stop(): Promise<void>;
}

/** The port that the connection came from, and who answers it instead of the Service. */
const NEW_CONNECTION = / sport=(\d+) .* src=(\S+) /;

/** From now on, of the connections that this machine opens to this address. */
export function watchServiceConnections(address: string): ServiceConnections {
  /** As many as there are ports. */
  const pods = new Map<number, string>();
  const watcher = spawn('conntrack', ['--event', '--event-mask', 'NEW', '--proto', 'tcp', '--orig-dst', address], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const gone = once(watcher, 'exit').catch(() => undefined);
  createInterface(watcher.stdout).on('line', (line) => {
    const [, port, pod] = NEW_CONNECTION.exec(line) ?? [];
    if (pod !== undefined) pods.set(Number(port), pod);
  });
  return {
    podOf: (localPort) => pods.get(localPort),
    async stop() {
      watcher.kill('SIGKILL');
      await gone;
    },
  };
}
