// Declares gateway ids dead in the store, and sets their chargers disconnected.
import type { Clock, Logger } from '@busbar/core';
import { toTimestamp } from '@busbar/domain';
import type { PresenceStore } from '@busbar/domain/chargers';
import type { LeaseTable } from './lease-table';

export interface DeclarationDeps {
  readonly store: PresenceStore;
  readonly leases: LeaseTable;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  /** Called when a gateway with connected chargers is declared dead. */
  readonly onLapse?: () => void;
}

/** The time before now from which dead ids are read again: other replicas declare them too. */
const DEAD_LOOK_BACK_MS = 10 * 60_000;

/** The state of an id that is new to this replica: another one may have declared it dead. */
export async function standingInStore(deps: DeclarationDeps, gatewayId: string): Promise<'live' | 'dead'> {
  if (!(await deps.store.isDead(gatewayId))) return 'live';
  deps.leases.markDead(gatewayId);
  return 'dead';
}

/** Writes the store first: only what is stored is dead, for every replica and permanently. */
export async function declareDead(deps: DeclarationDeps, gatewayId: string): Promise<void> {
  const at = toTimestamp(deps.clock.now());
  await deps.store.markDead(gatewayId, at);
  deps.leases.markDead(gatewayId);
  const chargers = await deps.store.disconnectAll(gatewayId, at);
  // A gateway that stopped regularly has closed its sockets before.
  if (chargers === 0) deps.logger.info({ gatewayId }, 'a gateway has left');
  else {
    deps.onLapse?.();
    deps.logger.warn({ gatewayId, chargers }, 'the lease of a gateway expired; its chargers are set disconnected');
  }
}

/** Reads what other replicas declared, and finds chargers connected under an id without a lease. */
export async function sweep(deps: DeclarationDeps): Promise<void> {
  const { store, leases, clock } = deps;
  const since = toTimestamp(new Date(clock.now().getTime() - DEAD_LOOK_BACK_MS));
  for (const { gatewayId } of await store.listDead(since)) leases.markDead(gatewayId);
  for (const { gatewayId } of await store.countActive()) {
    // Connected under a dead id: a `connected` that was in flight when the lease expired.
    if (leases.isDead(gatewayId)) await store.disconnectAll(gatewayId, toTimestamp(clock.now()));
    else leases.notice(gatewayId);
  }
}

/** Sets all chargers disconnected, for a process that no gateway outlives. */
export async function sweepAll(deps: DeclarationDeps): Promise<void> {
  for (const { gatewayId, chargers } of await deps.store.countActive()) {
    const at = toTimestamp(deps.clock.now());
    await deps.store.markDead(gatewayId, at);
    deps.leases.markDead(gatewayId);
    await deps.store.disconnectAll(gatewayId, at);
    deps.logger.info({ gatewayId, chargers }, 'set chargers disconnected whose gateway has no lease');
  }
}
