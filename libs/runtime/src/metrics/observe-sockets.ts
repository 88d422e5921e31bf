import type { Metrics } from './metrics';

/** Adds the gauge of open sockets of the public listeners. */
export function observeSockets(metrics: Metrics, listeners: readonly { sockets(): number }[]): void {
  const help = 'Open sockets of the public ports: chargers, API clients and sockets that are not authenticated yet.';
  metrics.observed({ name: 'busbar_listener_sockets', help }, () =>
    listeners.reduce((sum, listener) => sum + listener.sockets(), 0),
  );
}
