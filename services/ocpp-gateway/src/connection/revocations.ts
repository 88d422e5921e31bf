// Closes open connections whose client certificate is revoked.
import type { Logger } from '@busbar/core';
import type { RevocationCheck } from '@busbar/http';
import type { Connection } from './connection';
import { closeSocket } from './close';
import type { Registry } from './registry';

export interface Revocations {
  /** Applies to open connections and to later ones. */
  apply(isRevoked: RevocationCheck): void;
  /** Checks a new connection: its handshake may be older than the newest list. */
  inspect(connection: Connection): void;
}

export function createRevocations(registry: Pick<Registry, 'all'>, logger: Logger): Revocations {
  let isRevoked: RevocationCheck = () => false;

  function inspect(connection: Connection): void {
    const { certificate, chargerId, connectionId } = connection;
    if (certificate === undefined || !isRevoked(certificate)) return;
    const { serialNumber } = certificate;
    logger.info({ chargerId, connectionId, serialNumber }, 'closing a socket whose client certificate was revoked');
    closeSocket(connection, 1008, 'certificate revoked');
  }

  return {
    apply(check) {
      isRevoked = check;
      for (const connection of registry.all()) inspect(connection);
    },
    inspect,
  };
}
