import {
  admissionOf,
  chargerState,
  DEFAULT_COMPATIBILITY,
  evseState,
  isOfOcpp16,
  ongoingTransactions,
  viewSockets,
  type Charger,
  type ChargerLocation,
  type LocatedCharger,
  type SocketView,
} from '@busbar/domain/chargers';
import { placeOfSocket } from '@busbar/ocpp';

const NO_BOOT = {
  manufacturer: '',
  model: '',
  serial: '',
  firmware: '',
  iccid: '',
  imsi: '',
  meterType: '',
  meterSerialNumber: '',
};

/** A socket without a registration. */
const UNREGISTERED = {
  name: '',
  type: '',
  maxPower: '',
  format: '',
  socketPowerType: '',
  maxWatts: null,
  maxVoltage: null,
  maxAmperage: null,
  phaseRotation: '',
};

/** A socket without a report. */
const NO_STATUS = { errorCode: '', vendorErrorCode: '', info: '', at: null };

/** The charger record. Unreported fields are `""`, `[]` or, for a timestamp, `null`. */
export function presentCharger({ charger, siteName }: LocatedCharger) {
  const { registered, connection } = charger;
  return {
    chargerId: charger.chargerId,
    name: registered.name,
    state: chargerState(charger),
    activeConnection: connection.active,
    lastSeen: charger.reported.lastSeen,
    ...presentLastMessage(charger),
    connectedSince: connection.active ? connection.since : null,
    ocppVersion: connection.ocppVersion,
    siteId: registered.siteId,
    siteName,
    ...presentBoot(charger),
    location: presentLocation(registered.location),
    sockets: presentSockets(charger),
    capabilities: registered.capabilities,
    chargerConfigurations: presentConfiguration(charger),
    ongoingTransactions: presentOngoing(charger),
    pushIntegrationEnabled: registered.pushIntegrationEnabled,
    chargerSpecificMessageStructure: registered.chargerSpecificMessageStructure,
    evseId: registered.evseId,
    splitEvseBySocket: registered.splitEvseBySocket,
    physicalReference: registered.physicalReference,
    integrationRelays: registered.integrationRelays,
    customProperties: registered.customProperties,
    admission: admissionOf(charger),
    chargingNeeds: registered.chargingNeeds ?? null,
    bootReason: charger.reported.boot?.reason ?? null,
    securityProfile: registered.authentication.securityProfile,
    authenticationSetAt: registered.authentication.setAt ?? null,
    // Chargers of an older version lack the newer switches.
    compatibility: { ...DEFAULT_COMPATIBILITY, ...registered.compatibility },
    deviations: Object.entries(charger.reported.deviations).map(([kind, { count, lastAt }]) => ({
      kind,
      count,
      lastAt,
    })),
    createdAt: registered.createdAt,
    // Chargers of an older version have no time of their own until they change.
    updatedAt: charger.updatedAt ?? registered.updatedAt,
  };
}

/** Lists have the configuration, which may be long, only on request. */
export function presentListedCharger(located: LocatedCharger, withConfigurations: boolean) {
  const { chargerConfigurations, ...rest } = presentCharger(located);
  return withConfigurations ? { ...rest, chargerConfigurations } : rest;
}

export function presentSockets(charger: Charger) {
  return viewSockets(charger).map((socket) => presentSocket(socket, charger));
}

/** Other stored fields of an item are internal. */
export function presentConfiguration({ reported }: Charger) {
  return reported.configuration.map(({ configName, configValue, canBeChanged, changedAt = null }) => {
    return { configName, configValue, canBeChanged, changedAt };
  });
}

/** The length is shown only for a truncated frame. */
function presentLastMessage({ reported: { lastMessage, lastMessageBytes = null } }: Charger) {
  const shown = { lastMessage: lastMessage ?? '' };
  return lastMessageBytes === null ? shown : { ...shown, lastMessageTruncated: true as const, lastMessageBytes };
}

function presentBoot({ reported: { boot } }: Charger) {
  const { manufacturer, model, serial, firmware, iccid, imsi, meterType, meterSerialNumber } = boot ?? NO_BOOT;
  return { manufacturer, model, serial, firmware, iccid, imsi, meterType, meterSerialNumber };
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

function presentSocket({ id, registered, reported, state, availability }: SocketView, charger: Charger) {
  const { errorCode, vendorErrorCode, info, at } = reported ?? NO_STATUS;
  return {
    ...UNREGISTERED,
    ...registered,
    id,
    status: state,
    errorCode,
    vendorErrorCode,
    info,
    availability: availability?.inForce ?? null,
    scheduledAvailability: availability?.scheduled ?? null,
    ...(reported === undefined ? NO_PLACE : placeOf(id, charger)),
    lastUpdated: at,
  };
}

/** The EVSEs by number. OCPP 1.6 has none: there each socket is one. */
export function presentEvses(charger: Charger) {
  const isV16 = isOfOcpp16(charger);
  const evses = new Map<number, SocketView[]>();
  const socketsOf = (evseId: number): SocketView[] => {
    const sockets = evses.get(evseId) ?? [];
    evses.set(evseId, sockets);
    return sockets;
  };
  if (!isV16) for (const evseId of Object.keys(charger.reported.evses ?? {})) socketsOf(Number(evseId));
  for (const socket of viewSockets(charger)) {
    socketsOf((isV16 ? undefined : placeOfSocket(socket.id)?.evseId) ?? socket.id).push(socket);
  }
  return [...evses]
    .sort(([one], [other]) => one - other)
    .map(([evseId, sockets]) => ({
      evseId,
      state: evseState(
        charger,
        evseId,
        sockets.map(({ state }) => state),
      ),
      sockets: sockets.map(({ id }) => id),
    }));
}

const NO_PLACE = { deviceEvseId: null, deviceConnectorId: null };

/** OCPP 1.6 numbers connectors only; a socket's id is that number. */
function placeOf(socketId: number, charger: Charger) {
  const place = isOfOcpp16(charger) ? undefined : placeOfSocket(socketId);
  return { deviceEvseId: place?.evseId ?? null, deviceConnectorId: place?.connectorId ?? socketId };
}

function presentOngoing(charger: Charger) {
  return ongoingTransactions(charger).map(({ socketId, transactionId, device }) => {
    return { socketId, transactionId, evseTransactionId: device?.id ?? null };
  });
}
