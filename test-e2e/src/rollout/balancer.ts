// A load balancer for connections, as kube-proxy is one: new connections go to any of its targets, open ones stay where they are.
import type { Random } from '../faults/random';
import { startTcpProxy, type Target } from '../faults/tcp-proxy';

export interface Balancer {
  readonly port: number;
  add(name: string, target: Target): void;
  remove(name: string): void;
  has(name: string): boolean;
  /** The target of the newest connection that came from this port. */
  nameOf(clientPort: number): string | undefined;
  stop(): Promise<void>;
}

export async function startBalancer(random: Random): Promise<Balancer> {
  const targets = new Map<string, Target>();
  /** As many as there are ports. */
  const chosen = new Map<number, string>();
  const proxy = await startTcpProxy((clientPort) => {
    if (targets.size === 0) return undefined;
    const [name, target] = random.pick([...targets]);
    chosen.set(clientPort, name);
    return target;
  });
  return {
    port: proxy.port,
    add: (name, target) => void targets.set(name, target),
    remove: (name) => void targets.delete(name),
    has: (name) => targets.has(name),
    nameOf: (clientPort) => chosen.get(clientPort),
    stop: proxy.stop,
  };
}
