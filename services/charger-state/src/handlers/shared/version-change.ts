// A charger that comes with another major version of OCPP, such as after an update of its firmware (rule 138).
import type { Charger } from '@busbar/domain/chargers';
import type { OngoingTransaction } from '@busbar/domain/sessions';
import { withReported, type HandlerContext, type Needs } from '../../pipeline/contract';
import { withoutVariables } from '@busbar/domain/device-model';
import { withoutOtherSources } from '@busbar/domain/device-state';
import { changeDeviceModel, changeDeviceState } from './device-state';
import { supersedeOngoing } from './supersede-ongoing';

/**
 * Whether the charger boots with another major version than its last boot. Before its first one, what it has reported decides: a charger
 * that the service took over in operation may never have booted in its first version.
 */
export function isOfOtherVersion({ reported: { boot, ongoing, configuration } }: Charger, isOcpp2: boolean): boolean {
  if (boot !== null) return (boot.majorVersion === 2) !== isOcpp2;
  if (Object.values(ongoing).some((each) => beganInOcpp2(each) !== isOcpp2)) return true;
  // A name of 2.x has its component before a dot. Names of 1.6 may have one too.
  return isOcpp2 && configuration.some(({ configName }) => !configName.includes('.'));
}

/** Names the sessions that a boot with another version ends, and what the charger holds. */
export function needOngoing(needs: Needs, { chargerId, reported }: Charger): void {
  needs.deviceStates(chargerId);
  needs.deviceModel(chargerId);
  for (const { transactionId } of Object.values(reported.ongoing)) needs.transaction(transactionId);
}

/**
 * The record at the first boot with another major version: without the configuration, the list of certificates, the display messages,
 * the monitors and the profiles and limits of other sources, which are of the other version, and without the sessions that began in it, whose
 * ends will not come. Its sockets stay until it reports them.
 */
export function afterVersionChange(charger: Charger, context: HandlerContext, isOcpp2: boolean): Charger {
  const sessions = Object.entries(charger.reported.ongoing);
  const kept = sessions.filter(([, each]) => beganInOcpp2(each) === isOcpp2);
  for (const [, each] of sessions) if (beganInOcpp2(each) !== isOcpp2) supersedeOngoing(each, context);
  changeDeviceState(charger, context, ({ profiles }) => ({
    certificates: null,
    displayMessages: null,
    monitors: null,
    profiles: withoutOtherSources(profiles),
  }));
  const current = hasReportedModel(charger) ? withoutModel(charger, context) : charger;
  return withReported(current, {
    ongoing: Object.fromEntries(kept),
    configuration: [],
    configurationPosition: null,
  });
}

function beganInOcpp2({ device }: OngoingTransaction): boolean {
  return device !== undefined;
}

/** Most chargers that change their version never had one. */
function hasReportedModel({ reported: { reports, changedValues, inventoryOf } }: Charger): boolean {
  return reports !== undefined || changedValues !== undefined || inventoryOf !== undefined;
}

function withoutModel(charger: Charger, context: HandlerContext): Charger {
  changeDeviceModel(charger, context, withoutVariables);
  return withReported(charger, { reports: [], changedValues: [], inventoryOf: null });
}
