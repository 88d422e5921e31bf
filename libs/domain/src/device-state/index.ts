export { certificateIdOf, certificatesListedAt, withCertificateListing, withoutCertificate } from './certificates';
export type { InstalledCertificate, InstalledCertificates } from './certificates';
export {
  OWN_SOURCE,
  profilesInForce,
  scheduleUpdateOf,
  withAllProfilesReported,
  withoutOtherSources,
  withoutProfiles,
  withProfile,
  withReportedProfile,
  withScheduleUpdate,
} from './charging-profile';
export type { InstalledProfile, ProfileCriteria } from './charging-profile';
export { deviceStateOf } from './device-state';
export type { DeviceState, DeviceStateChange, DeviceStateReader } from './device-state';
export { messagesInForce, withMessages } from './display-message';
export type { DisplayMessage, ShownMessage } from './display-message';
export {
  eventStreamsOf,
  hasRoomFor,
  openStream,
  openStreams,
  valuesOf,
  withListedStreams,
  withOpenStream,
  withoutStream,
  withStreamValues,
} from './event-streams';
export type { EventStream, EventStreams, EventStreamsChange, EventStreamsReader, StreamValue } from './event-streams';
export { limitsInForce, withExternalLimit } from './external-limit';
export type { ExternalLimit } from './external-limit';
export { withListUpdate, withListVersion } from './local-list';
export type { LocalListEntry } from './local-list';
export { withMonitors, withoutCustomMonitors } from './monitor';
export type { Monitor } from './monitor';
export { NO_ITEMS, withAllReported, withoutItems } from './numbered-items';
export type { NumberedItem, NumberedItems } from './numbered-items';
export { readDeviceState, readTransfers } from './read-device-state';
export type { ReadDeviceStateDeps, ReadTransfersDeps } from './read-device-state';
export { reservationState, withReservation, withReservationEnded } from './reservation';
export type { Reservation, ReservationState } from './reservation';
