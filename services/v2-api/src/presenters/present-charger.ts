import {
  chargerState,
  viewSockets,
  type Charger,
  type ChargerLocation,
  type LocatedCharger,
  type RegisteredSocket,
  type SocketView,
} from '@busbar/domain';

/** A socket of which the owner said nothing. */
const UNNAMED: Omit<RegisteredSocket, 'id'> = {};

/** The charger record. What a charger has not said yet is `""`, `[]` or, of an instant, `null`. */
export function presentCharger({ charger, siteName }: LocatedCharger) {
  const { registered, connection } = charger;
  return {
    chargerId: charger.chargerId,
    name: registered.name,
    state: chargerState(charger),
    activeConnection: connection.active,
    lastSeen: charger.reported.lastSeen,
    lastMessage: charger.reported.lastMessage ?? '',
    connectedSince: connection.active ? connection.since : null,
    ocppVersion: connection.ocppVersion,
    siteId: registered.siteId,
    siteName,
    ...presentBoot(charger),
    location: presentLocation(registered.location),
    sockets: viewSockets(charger).map(presentSocket),
    capabilities: registered.capabilities,
    chargerConfigurations: charger.reported.configuration.map(({ configName, configValue, canBeChanged }) => {
      return { configName, configValue, canBeChanged };
    }),
    ongoingTransactions: presentOngoing(charger),
    pushIntegrationEnabled: registered.pushIntegrationEnabled,
    chargerSpecificMessageStructure: registered.chargerSpecificMessageStructure,
    evseId: registered.evseId,
    splitEvseBySocket: registered.splitEvseBySocket,
    physicalReference: registered.physicalReference,
    integrationRelays: registered.integrationRelays,
    customProperties: registered.customProperties,
    compatibility: { ...registered.compatibility },
    deviations: Object.entries(charger.reported.deviations).map(([kind, { count, lastAt }]) => ({
      kind,
      count,
      lastAt,
    })),
    createdAt: registered.createdAt,
    updatedAt: registered.updatedAt,
  };
}

function presentBoot({ reported: { boot } }: Charger) {
  return {
    manufacturer: boot?.manufacturer ?? '',
    model: boot?.model ?? '',
    serial: boot?.serial ?? '',
    firmware: boot?.firmware ?? '',
    iccid: boot?.iccid ?? '',
    imsi: boot?.imsi ?? '',
    meterType: boot?.meterType ?? '',
    meterSerialNumber: boot?.meterSerialNumber ?? '',
  };
}

function presentLocation(location: ChargerLocation) {
  return {
    latitude: location.latitude ?? null,
    longitude: location.longitude ?? null,
    streetAddress: location.streetAddress ?? null,
    streetNumber: location.streetNumber ?? null,
    houseLetter: location.houseLetter ?? null,
    postalNumber: location.postalNumber ?? null,
    city: location.city ?? null,
    area: location.area ?? null,
    country: location.country ?? null,
  };
}

function presentSocket({ id, registered = { id, ...UNNAMED }, reported, state }: SocketView) {
  return {
    id,
    name: registered.name ?? '',
    type: registered.type ?? '',
    maxPower: registered.maxPower ?? '',
    status: state,
    errorCode: reported?.errorCode ?? '',
    format: registered.format ?? '',
    socketPowerType: registered.socketPowerType ?? '',
    maxWatts: registered.maxWatts ?? null,
    maxVoltage: registered.maxVoltage ?? null,
    maxAmperage: registered.maxAmperage ?? null,
    phaseRotation: registered.phaseRotation ?? '',
    // OCPP 1.6 numbers connectors only; a socket's id is that number.
    deviceEvseId: null,
    deviceConnectorId: reported === undefined ? null : id,
    lastUpdated: reported?.at ?? null,
  };
}

function presentOngoing({ reported }: Charger) {
  return Object.values(reported.ongoing)
    .sort((a, b) => a.socketId - b.socketId)
    .map(({ socketId, transactionId }) => ({ socketId, transactionId, evseTransactionId: null }));
}
