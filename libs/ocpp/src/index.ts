export type { Action, CommandAction, DecisionAction, ReportAction } from './action';
export { acceptCall, errorAnswer } from './accept-call';
export type { AcceptedCall } from './accept-call';
export { createInputSerializer } from './command-input';
export { createCallQueue } from './call-queue';
export type {
  CallEnd,
  CallResult,
  CallQueue,
  CallQueueOptions,
  CallQueueState,
  OutgoingCall,
  PendingCall,
} from './call-queue';
export { DEVIATIONS, NO_DEVIATIONS, STRICT, TOLERANT } from './deviation';
export type { DeviationKind, Tolerance } from './deviation';
export type { Situation } from './error-codes';
export { parseFrame, serialiseCall, serialiseError, serialiseResult } from './frame';
export type { CallFrame, ErrorFrame, Frame, MessageRef, ResultFrame, UnknownTypeFrame, UnreadableFrame } from './frame';
export type { V16Action, V16Requests, V16Responses } from './v16/payloads';
export { compactFrame, storedFrame, MAX_KEPT_BYTES, oversize } from './stored-frame';
export type { StoredFrame } from './stored-frame';
export { createMasker, maskFrame, maskPayload } from './mask';
export type { Masker } from './mask';
export { ALL_SOCKETS } from './protocol';
export type { ActionCall, Protocol, RemoteStart } from './protocol';
export { protocolOf, supportedVersions } from './protocols';
export { createReplay } from './replay';
export type { Replay, ReplayVerdict } from './replay';
export { TRIGGERED_MESSAGES } from './operations/operation';
export type { ChargingProfile, OperationName, Operations, TriggeredMessage, VersionCall } from './operations/operation';
export { encodeOperation, encodeRawCall } from './operations/encode';
export type { RawAnswer } from './operations/encode';
export { parseTimestamp } from './timestamp';
export type { OcppTimestamp } from './timestamp';
export { validateRequest, validateResponse } from './validator';
export type { Refusal, ValidPayload, Validation } from './validator';
export { isOcppVersion, OCPP_VERSIONS } from './version';
export type { OcppVersion } from './version';
