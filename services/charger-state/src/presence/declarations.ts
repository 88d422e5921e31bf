// What becomes of a gateway id in the store: declared dead for ever, and its chargers shown disconnected.
import type { Clock, Logger } from '@busbar/core';
import { toTimestamp } from '@busbar/domain';
import type { PresenceStore } from '@busbar/domain/chargers';
import type { LeaseTable } from './lease-table';

export interface DeclarationDeps {
  readonly store: PresenceStore;
  readonly leases: LeaseTable;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  /** A gateway was declared dead that had chargers. */
  readonly onLapse?: () => void;
}

/** How far back dead ids are read again: another replica may have declared them. */
const DEAD_LOOK_BACK_MS = 10 * 60_000;

/** Of an id that this replica sees for the first time: another one may have declared it. */
export async function standingInStore(deps: DeclarationDeps, gatewayId: string): Promise<'live' | 'dead'> {
  if (!(await deps.store.isDead(gatewayId))) return 'live';
  deps.leases.markDead(gatewayId);
  return 'dead';
}

/** The store first: only what is written there is dead, for every replica and for ever. */
export async function declareDead(deps: DeclarationDeps, gatewayId: string): Promise<void> {
  await deps.store.markDead(gatewayId, toTimestamp(deps.clock.now()));
  deps.leases.markDead(gatewayId);
  const chargers = await deps.store.disconnectAll(gatewayId);
  // One that stopped in order has closed its sockets before.
  if (chargers === 0) deps.logger.info({ gatewayId }, 'a gateway has left');
  else {
    deps.onLapse?.();
    deps.logger.warn({ gatewayId, chargers }, 'a gateway let its lease lapse; its chargers are shown disconnected');
  }
}

/** Learns what other replicas declared, and looks for chargers shown connected under an id without a lease. */
export async function sweep(deps: DeclarationDeps): Promise<void> {
  const { store, leases, clock } = deps;
  const since = toTimestamp(new Date(clock.now().getTime() - DEAD_LOOK_BACK_MS));
  for (const { gatewayId } of await store.listDead(since)) leases.markDead(gatewayId);
  for (const { gatewayId } of await store.countActive()) {
    // Shown connected under a dead id: a `connected` that was still under way when the lease lapsed.
    if (leases.isDead(gatewayId)) await store.disconnectAll(gatewayId);
    else leases.notice(gatewayId);
  }
}

/** Whoever is shown connected now is not: for a process that no gateway outlives. */
export async function sweepAll(deps: DeclarationDeps): Promise<void> {
  for (const { gatewayId, chargers } of await deps.store.countActive()) {
    await deps.store.markDead(gatewayId, toTimestamp(deps.clock.now()));
    deps.leases.markDead(gatewayId);
    await deps.store.disconnectAll(gatewayId);
    deps.logger.info({ gatewayId, chargers }, 'shown disconnected: the process that had these chargers is gone');
  }
}
