export { acceptCall, acceptSend, addresseeOf, errorAnswer } from './accept-call';
export type { AcceptedCall } from './accept-call';
export { createInputSerializer } from './command-input';
export { createCallQueue } from './call-queue';
export type { CallEnd, CallResult, CallQueue, CallQueueOptions, OutgoingCall } from './call-queue';
export { DEVIATIONS, NO_DEVIATIONS, STRICT, TOLERANT } from './deviation';
export type { DeviationKind } from './deviation';
export { errorDescription } from './error-codes';
export type { Situation } from './error-codes';
export { parseFrame, serializeError, serializeResult, serializeResultError } from './frame';
export type { CallFrame, Frame, MessageRef, SendFrame, UnreadableFrame } from './frame';
export { EXAMPLES_16 } from './v16/examples';
export type { V16Action, V16Requests, V16Responses } from './v16/payloads';
export { MAX_SOCKET_ID, isSameEvse, placeOfSocket, socketIdOf } from './v2/sockets';
export { hasOwnTime } from './v2/own-time';
export { variableOfKey } from './v2/configuration-aliases';
export { variableName } from './v2/variable-name';
export type { V2Action, V2Requests, V2Responses } from './v2/payloads';
export { compactFrame, storedFrame, MAX_KEPT_BYTES, oversize } from './stored-frame';
export type { StoredFrame } from './stored-frame';
export { createMasker, hasCustomerData, maskFrame, maskPayload } from './masking/mask';
export type { Masker } from './masking/mask';
export { ALL_SOCKETS } from './protocol';
export type { Protocol, TagQuestion } from './protocol';
export { EAGER_VERSIONS, protocolOf, supportedVersions } from './protocols';
export { createReplay } from './replay';
export type { EarlierReplay, Replay, ReplayEntry } from './replay';
export { CERTIFICATE_TYPES, CERTIFICATE_TYPES_16, INSTALLABLE_CERTIFICATES } from './operations/certificate';
export type { CertificateType, ListedCertificate } from './operations/certificate';
export { listedCertificates16 } from './v16/certificate-operations';
export { listedCertificates2 } from './v2/certificate-operations';
export { MESSAGE_FORMATS, MESSAGE_PRIORITIES, MESSAGE_STATES } from './operations/display-message';
export type { DisplayCriteria } from './operations/display-message';
export { MONITOR_TYPES, MONITORING_BASES } from './operations/monitoring';
export { APN_AUTHENTICATIONS, NETWORK_INTERFACES, VPN_TYPES } from './operations/network-profile';
export type { ChargingProfileCriteria } from './operations/smart-charging';
export { TRIGGERED_MESSAGES } from './operations/triggered-message';
export { encodeOperation, encodeRawCall } from './operations/encode';
export { EARLIEST_CLOCK_MS, parseTimestamp } from './timestamp';
export { validateRequest, validateResponse } from './validator';
export {
  allowedVersions,
  allowsIdentity,
  carriedParent,
  OCPP_VERSIONS,
  requiresSecurity,
  UNNAMED_VERSION,
} from './version';
