// Ends connections whose client certificate is revoked while they are open.
import type { Logger } from '@busbar/core';
import type { RevocationCheck } from '@busbar/http';
import type { Connection } from './connection';
import { closeSoon } from '../downlink/commands';
import type { Registry } from './registry';

export interface Revocations {
  /** Counts from now on, for the connections that are open too. */
  apply(isRevoked: RevocationCheck): void;
  /** A connection has opened: its handshake may be older than the newest list. */
  inspect(connection: Connection): void;
}

export function createRevocations(registry: Pick<Registry, 'all'>, logger: Logger): Revocations {
  let isRevoked: RevocationCheck = () => false;

  function inspect(connection: Connection): void {
    const { certificate, chargerId, connectionId } = connection;
    if (certificate === undefined || !isRevoked(certificate)) return;
    const { serialNumber } = certificate;
    logger.info({ chargerId, connectionId, serialNumber }, 'closing a socket whose client certificate was revoked');
    closeSoon(connection, 1008, 'certificate revoked');
  }

  return {
    apply(check) {
      isRevoked = check;
      for (const connection of registry.all()) inspect(connection);
    },
    inspect,
  };
}
