// Closes open connections whose client certificate is revoked.
import type { Logger } from '@busbar/core';
import type { RevocationCheck } from '@busbar/http';
import type { Connection } from './connection';
import { closeSocket } from './close';
import type { Registry } from './registry';

export type Revocations = ReturnType<typeof createRevocations>;

export function createRevocations(registry: Pick<Registry, 'all'>, logger: Logger) {
  let isRevoked: RevocationCheck = () => false;

  function inspect(connection: Connection): void {
    const { certificate, chargerId, connectionId } = connection;
    if (certificate === undefined || !isRevoked(certificate)) return;
    const { serialNumber } = certificate;
    logger.info({ chargerId, connectionId, serialNumber }, 'closing a socket whose client certificate was revoked');
    closeSocket(connection, 1008, 'certificate revoked');
  }

  return {
    /** Applies to open connections and to later ones. */
    apply(check: RevocationCheck): void {
      isRevoked = check;
      for (const connection of registry.all()) inspect(connection);
    },
    /** Checks a new connection: its handshake may be older than the newest list. */
    inspect,
  };
}
