// Limits that others than the operator set at a charger of OCPP 2.x (2.0.1, K12 and K13). Each message is an event too.
import type { Charger } from '@busbar/domain/chargers';
import { withExternalLimit, withoutProfiles, type ExternalLimit } from '@busbar/domain/device-state';
import type { HandlerContext } from '../../pipeline/contract';
import { changeDeviceState } from '../shared/device-state';
import { storeEvent } from '../shared/store-event';
import { socketOf } from './charging-profiles';
import type { CallHandler } from './route';

/** The purpose of a profile that the charger has made of such a limit. */
const OF_LIMIT = 'ChargingStationExternalConstraints';

export const notifyChargingLimit: CallHandler<'NotifyChargingLimit'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, report, context) {
    storeEvent(charger, report, context);
    const { chargingLimit, chargingSchedule = [], evseId } = report.payload;
    const { chargingLimitSource: source, isGridCritical = false, isLocalGeneration = false } = chargingLimit;
    const about = { isGridCritical, isLocalGeneration, chargingSchedule: [...chargingSchedule] };
    store(charger, context, { ...placeOf(evseId), source, limit: { at: report.receivedAt, ...about } });
    return { charger };
  },
};

/** The profiles of the limit are cleared with it. */
export const clearedChargingLimit: CallHandler<'ClearedChargingLimit'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, report, context) {
    storeEvent(charger, report, context);
    const { chargingLimitSource: source, evseId } = report.payload;
    const { socketId } = placeOf(evseId);
    store(charger, context, { source, socketId });
    const criteria = { source, purpose: OF_LIMIT, ...(socketId !== null && { socketId }) };
    changeDeviceState(charger, context, ({ profiles }) => ({
      profiles: withoutProfiles(profiles, { criteria, position: context.position, isOfCharger: true }),
    }));
    return { charger };
  },
};

function placeOf(evseId: number | undefined): Pick<ExternalLimit, 'socketId'> {
  return { socketId: evseId === undefined || evseId === 0 ? null : socketOf(evseId) };
}

function store(charger: Charger, context: HandlerContext, limit: Omit<ExternalLimit, 'position'>): void {
  const next = { ...limit, position: context.position };
  changeDeviceState(charger, context, ({ profiles }) => ({
    profiles: { ...profiles, externalLimits: withExternalLimit(profiles.externalLimits ?? [], next) },
  }));
}
