// A charger that comes with another major version of OCPP, such as after an update of its firmware (rule 138).
import type { Charger } from '@busbar/domain/chargers';
import { withReported, type HandlerContext, type Needs } from '../../pipeline/contract';
import { supersedeOngoing } from './supersede-ongoing';

/** Names the sessions that a boot with another version ends. */
export function needOngoing(needs: Needs, { reported }: Charger): void {
  for (const { transactionId } of Object.values(reported.ongoing)) needs.transaction(transactionId);
}

/**
 * The record at the first boot with another major version: without the configuration, whose names are of the other version, and without
 * its sessions, whose ends will not come. Its sockets stay until it reports them.
 */
export function afterVersionChange(charger: Charger, context: HandlerContext): Charger {
  for (const ongoing of Object.values(charger.reported.ongoing)) supersedeOngoing(ongoing, context);
  return withReported(charger, { ongoing: {}, configuration: [], configurationPosition: null });
}
