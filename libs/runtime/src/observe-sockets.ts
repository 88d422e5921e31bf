import type { Metrics } from './metrics';

/** A gauge of what the public listeners of a process hold open. */
export function observeSockets(metrics: Metrics, listeners: readonly { sockets(): number }[]): void {
  const help =
    'Open sockets of the public ports: of chargers, of API clients, and of those that have not said who they are.';
  metrics.observed({ name: 'busbar_listener_sockets', help }, () =>
    listeners.reduce((sum, listener) => sum + listener.sockets(), 0),
  );
}
