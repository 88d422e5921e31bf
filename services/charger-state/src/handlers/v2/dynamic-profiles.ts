// Dynamic charging profiles of OCPP 2.1 (K28): the last update of each is stored with it, and is the answer to a charger that asks for one.
import { scheduleUpdateOf, withScheduleUpdate } from '@busbar/domain/device-state';
import { changeDeviceState } from '../shared/device-state';
import { storeEvent } from '../shared/store-event';
import type { CallHandler, OutcomeHandler, RequestOf } from './route';

type Update = RequestOf<'UpdateDynamicSchedule'>['scheduleUpdate'];

export const updateDynamicScheduleOutcome: OutcomeHandler<'UpdateDynamicSchedule'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, { payload: { request, status } }, context) {
    if (request === undefined || status !== 'Accepted') return { charger };
    const { chargingProfileId, scheduleUpdate } = request;
    const update = { values: withoutVendorData(scheduleUpdate), position: context.position };
    changeDeviceState(charger, context, ({ profiles }) => ({
      profiles: withScheduleUpdate(profiles, chargingProfileId, update),
    }));
    return { charger };
  },
};

export const pullDynamicScheduleUpdate: CallHandler<'PullDynamicScheduleUpdate'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, report, context) {
    storeEvent(charger, report, context);
    const { profiles } = context.lookups.deviceStates(charger);
    const update = scheduleUpdateOf(profiles, report.payload.chargingProfileId);
    if (update === undefined) return { charger, answer: { status: 'Rejected' } };
    return { charger, answer: { status: 'Accepted', scheduleUpdate: update.values } };
  },
};

function withoutVendorData({ customData: _next, ...values }: Update): Omit<Update, 'customData'> {
  return values;
}
