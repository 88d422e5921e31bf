// The charging profiles that a charger has: as stored, or as it reports them now.
import { COMMAND_ERRORS, commandOf, newRequestId, ownerOf, type CommandDeps, type CommandRequest } from '@busbar/api';
import { omitNil } from '@busbar/domain';
import { isOfOcpp16, type Charger } from '@busbar/domain/chargers';
import { requestWholeReport } from '@busbar/domain/commands';
import { limitsInForce, profilesInForce, readDeviceState, type ReadDeviceStateDeps } from '@busbar/domain/device-state';
import { pageOf } from '@busbar/http';
import { encodeOperation, isSameEvse, type ChargingProfileCriteria } from '@busbar/ocpp';
import { presentProfile } from '../presenters/present-device-state';
import { route } from '../route';
import { profilePageSchema, profileQuerySchema } from '../schemas/installed-profile';
import { chargerParamsSchema } from '../schemas/values';
import { requirePermission } from './commands/command';

type ShownProfile = ReturnType<typeof presentProfile>;

const NOT_ASKED = { status: null, commandId: null };
const NONE = 'NoProfiles';

export const chargingProfilesRoute = (deps: ReadDeviceStateDeps & CommandDeps) =>
  route({
    method: 'GET',
    path: '/chargers/:chargerId/charging-profiles',
    tag: 'Chargers',
    operationId: 'listChargingProfiles',
    summary: "List a charger's installed charging profiles",
    description: [
      'Profiles that it accepted and that were not cleared since, and those of other sources that it reported. A profile of one transaction is listed until that ends.',
      '`refresh=true` requests those that match the filters from a charger of OCPP 2.x, which also requires `chargers:operate`; without filters its report replaces what is stored.',
      'With OCPP 1.6 it is 409 `not_supported_by_version`.',
    ].join(' '),
    permission: 'chargers:read',
    params: chargerParamsSchema,
    query: profileQuerySchema,
    response: profilePageSchema,
    errors: [...COMMAND_ERRORS, 'forbidden'],
    async handler(call) {
      const { auth, params, query } = call;
      const criteria = criteriaOf(query);
      const asked = query.refresh === true ? await refreshed(deps, call, criteria) : NOT_ASKED;
      const { charger, deviceStates } = await readDeviceState(deps, auth.clientId, params.chargerId);
      const { profiles } = deviceStates;
      const stored = asked.status === NONE ? [] : profilesInForce(profiles, Object.values(charger.reported.ongoing));
      const shown = stored.map(presentProfile).filter((each) => isWanted(charger, each, criteria));
      const page = pageOf(shown, query, {
        sort: (each, key) => (key === 'stackLevel' ? each.stackLevel : each.setAt),
        searched: ({ chargingProfilePurpose }) => chargingProfilePurpose,
      });
      const externalLimits = limitsInForce(profiles.externalLimits).map(({ chargingSchedule, ...limit }) => ({
        ...limit,
        chargingSchedule: chargingSchedule.map((schedule) => ({ ...schedule })),
      }));
      return { externalLimits, ...asked, ...page };
    },
  });

function criteriaOf(query: Parameters<typeof omitNil<ChargingProfileCriteria>>[0]): ChargingProfileCriteria {
  const { socketId, chargingProfilePurpose, stackLevel, chargingProfileId, chargingLimitSource } = query;
  return omitNil({ socketId, chargingProfilePurpose, stackLevel, chargingProfileId, chargingLimitSource });
}

async function refreshed(deps: CommandDeps, call: CommandRequest, criteria: ChargingProfileCriteria) {
  requirePermission(call, 'chargers:operate', 'refresh=true');
  const requestId = newRequestId();
  const command = commandOf(deps, call, encodeOperation('getChargingProfiles', { requestId, ...criteria }));
  const request = { requestId, kind: 'charging_profiles' as const, isPartial: Object.keys(criteria).length > 0 };
  const { status, commandId } = await requestWholeReport(deps, ownerOf(call), request, command);
  return { status, commandId };
}

function isWanted(charger: Charger, profile: ShownProfile, criteria: ChargingProfileCriteria): boolean {
  const { socketId, chargingProfileId, chargingLimitSource, ...equal } = criteria;
  if (socketId !== undefined && !isOf(charger, profile.socketId ?? 0, socketId)) return false;
  if (chargingProfileId?.includes(profile.chargingProfileId) === false) return false;
  if (chargingLimitSource?.includes(profile.source) === false) return false;
  const { chargingProfilePurpose = profile.chargingProfilePurpose, stackLevel = profile.stackLevel } = equal;
  return chargingProfilePurpose === profile.chargingProfilePurpose && stackLevel === profile.stackLevel;
}

/** A profile of OCPP 2.x is for an EVSE, and stored with the socket of its first connector. */
function isOf(charger: Charger, of: number, socketId: number): boolean {
  return of === socketId || (!isOfOcpp16(charger) && isSameEvse(of, socketId));
}
