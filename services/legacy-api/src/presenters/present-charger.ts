import {
  chargerState,
  viewSockets,
  type Charger,
  type ChargerLocation,
  type LocatedCharger,
  type SocketView,
} from '@busbar/domain/chargers';

/** The status record. Unreported fields are `''` or `[]`, never null: docs/adr/0010. */
export function presentCharger({ charger, siteName }: LocatedCharger) {
  const { registered, connection, reported } = charger;
  const sockets = viewSockets(charger).map(presentSocket);
  return {
    chargerId: charger.chargerId,
    chargerName: registered.name,
    ...presentBoot(charger),
    amountOfSockets: sockets.length,
    lastSeen: reported.lastSeen ?? '',
    lastMessage: reported.lastMessage ?? '',
    activeConnection: connection.active,
    locationInfo: presentLocation(registered.location),
    pushIntegrationEnabled: registered.pushIntegrationEnabled,
    chargerSpecificMessageStructure: registered.chargerSpecificMessageStructure,
    chargerConfigurations: reported.configuration.map(({ configName, configValue, canBeChanged }) => {
      return { configName, configValue, canBeChanged };
    }),
    sockets,
    groupId: registered.siteId,
    groupName: siteName,
    chargerStatus: chargerState(charger),
    ocppVersion: connection.ocppVersion ?? '',
  };
}

/** A sequence of status records. */
export async function* presentChargers(chargers: AsyncIterable<LocatedCharger>) {
  for await (const charger of chargers) yield presentCharger(charger);
}

function presentBoot({ reported: { boot } }: Charger) {
  return {
    firmwareVersion: boot?.firmware ?? '',
    manufacturer: boot?.manufacturer ?? '',
    serialNumber: boot?.serial ?? '',
    chargerModel: boot?.model ?? '',
  };
}

/** Without unknown fields: they are optional, and a latitude has no empty value. */
function presentLocation(location: ChargerLocation): ChargerLocation {
  return { ...location };
}

function presentSocket({ id, registered, reported, state }: SocketView) {
  return {
    type: registered?.type ?? '',
    maxPower: registered?.maxPower ?? '',
    status: state,
    id,
    ...(registered?.name === undefined ? {} : { name: registered.name }),
    ...(reported === undefined ? {} : { lastUpdated: reported.at, errorCode: reported.errorCode }),
  };
}
