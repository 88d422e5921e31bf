import type { Connection } from './connection';

/** The open connections of this gateway, one for each charger. */
export type Registry = ReturnType<typeof createRegistry>;

export function createRegistry() {
  const connections = new Map<string, Connection>();
  return {
    /** Returns the connection that this one replaces, or this one where a newer one is present already. */
    add(connection: Connection): Connection | undefined {
      const present = connections.get(connection.chargerId);
      // Two upgrades of one charger may finish in another order than their admissions.
      if (present !== undefined && present.order > connection.order) return connection;
      connections.set(connection.chargerId, connection);
      return present;
    },
    /** Only if it is still the charger's current one. Returns whether it was. */
    remove(connection: Connection): boolean {
      if (connections.get(connection.chargerId) !== connection) return false;
      return connections.delete(connection.chargerId);
    },
    get: (chargerId: string) => connections.get(chargerId),
    all: () => connections.values(),
    size: () => connections.size,
  };
}
