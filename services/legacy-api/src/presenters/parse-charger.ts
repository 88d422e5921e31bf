import type { ChargerInput, ChargerLocation, RegisteredSocket } from '@busbar/domain/chargers';
import type { FromSchema } from 'json-schema-to-ts';
import type { chargerChangeSchema, chargerInputSchema } from '../schemas/charger';

type Body = FromSchema<typeof chargerInputSchema>;
type Change = FromSchema<typeof chargerChangeSchema>;

const OWN_FIELDS = [
  'pushIntegrationEnabled',
  'chargerSpecificMessageStructure',
  'evseId',
  'splitEvseBySocket',
  'capabilities',
  'integrationRelays',
] as const;
const LOCATION_FIELDS = [
  'latitude',
  'longitude',
  'streetAddress',
  'streetNumber',
  'houseLetter',
  'postalNumber',
  'city',
  'area',
  'country',
] as const;
const SOCKET_FIELDS = ['id', 'name', 'type', 'maxPower'] as const;

/** Translates a charger of this API into the domain's. Unknown fields are ignored. */
export function parseCharger(body: Body): Pick<ChargerInput, 'name'> & Partial<ChargerInput> {
  return { ...parseChargerChange(body), name: body.chargerName };
}

/** The same for a change, in which every field is optional. */
export function parseChargerChange(body: Change): Partial<ChargerInput> & { readonly siteId?: number } {
  const { chargerName, groupId, locationInfo, sockets } = body;
  const location: ChargerLocation | undefined = locationInfo && pick(locationInfo, LOCATION_FIELDS);
  const known: readonly RegisteredSocket[] | undefined = sockets?.map((socket) => pick(socket, SOCKET_FIELDS));
  return {
    ...(chargerName === undefined ? {} : { name: chargerName }),
    ...(groupId === undefined ? {} : { siteId: groupId }),
    ...pick(body, OWN_FIELDS),
    ...(location === undefined ? {} : { location }),
    ...(known === undefined ? {} : { sockets: known }),
  };
}

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(from, key)).map((key) => [key, from[key]])) as Pick<
    T,
    K
  >;
}
