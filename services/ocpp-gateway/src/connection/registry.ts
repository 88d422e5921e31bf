import type { Connection } from './connection';

/** The open connections of this gateway, one for each charger. */
export interface Registry {
  /** Returns the connection that this one replaces, or this one where a newer one is present already. */
  add(connection: Connection): Connection | undefined;
  /** Only if it is still the charger's current one. */
  remove(connection: Connection): void;
  get(chargerId: string): Connection | undefined;
  all(): IterableIterator<Connection>;
  size(): number;
}

export function createRegistry(): Registry {
  const connections = new Map<string, Connection>();
  return {
    add(connection) {
      const present = connections.get(connection.chargerId);
      // Two upgrades of one charger may finish in another order than their admissions.
      if (present !== undefined && present.order > connection.order) return connection;
      connections.set(connection.chargerId, connection);
      return present;
    },
    remove(connection) {
      if (connections.get(connection.chargerId) === connection) connections.delete(connection.chargerId);
    },
    get: (chargerId) => connections.get(chargerId),
    all: () => connections.values(),
    size: () => connections.size,
  };
}
