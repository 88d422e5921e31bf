// A charger that comes with another major version of OCPP, such as after an update of its firmware (rule 138).
import type { Charger } from '@busbar/domain/chargers';
import { withReported, type HandlerContext, type Needs } from '../../pipeline/contract';
import { withoutVariables } from '@busbar/domain/device-model';
import { withoutOtherSources } from '@busbar/domain/device-state';
import { changeDeviceModel, changeDeviceState } from './device-state';
import { supersedeOngoing } from './supersede-ongoing';

/** Names the sessions that a boot with another version ends, and what the charger holds. */
export function needOngoing(needs: Needs, { chargerId, reported }: Charger): void {
  needs.deviceStates(chargerId);
  needs.deviceModel(chargerId);
  for (const { transactionId } of Object.values(reported.ongoing)) needs.transaction(transactionId);
}

/**
 * The record at the first boot with another major version: without the configuration, the list of certificates, the display messages,
 * the monitors and the profiles and limits of other sources, which are of the other version, and without its sessions, whose ends will not
 * come. Its sockets stay until it reports them.
 */
export function afterVersionChange(charger: Charger, context: HandlerContext): Charger {
  for (const ongoing of Object.values(charger.reported.ongoing)) supersedeOngoing(ongoing, context);
  changeDeviceState(charger, context, ({ profiles }) => ({
    certificates: null,
    displayMessages: null,
    monitors: null,
    profiles: withoutOtherSources(profiles),
  }));
  const current = hasReportedModel(charger) ? withoutModel(charger, context) : charger;
  return withReported(current, { ongoing: {}, configuration: [], configurationPosition: null });
}

/** Most chargers that change their version never had one. */
function hasReportedModel({ reported: { reports, changedValues, inventoryOf } }: Charger): boolean {
  return reports !== undefined || changedValues !== undefined || inventoryOf !== undefined;
}

function withoutModel(charger: Charger, context: HandlerContext): Charger {
  changeDeviceModel(charger, context, withoutVariables);
  return withReported(charger, { reports: [], changedValues: [], inventoryOf: null });
}
