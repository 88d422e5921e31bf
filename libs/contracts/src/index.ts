export { buildAsyncApi } from './async-api';
export { buildFeedAsyncApi } from './feed-async-api';
export { channels } from './channels';
export type { BroadcastChannel, DirectChannel, QueueChannel } from './channel';
export type { ConnectionEvent, PendingStart, ReportBatch, ReportEnvelope, ReportKind } from './report';
export { EVENT_TYPES, eventSchema } from './event';
export type { EventData, EventName, EventPermission, EventType, FeedEvent } from './event';
export { exampleEvent } from './event-examples';
export type { DeadLetter } from './dead-letter';
export type { DecisionAnswer } from './decision';
export type { AdmissionAnswer, AdmissionRequest, BootStatus, Compatibility, SecurityProfile } from './admission';
export type {
  AuthorizationAnswer,
  AuthorizationRequest,
  AuthorizationTerms,
  AuthorizationTermsNotice,
  EnvelopeAuthorization,
} from './authorization';
export type {
  CertificateFinding,
  CertificateQuestion,
  CertificateRequest,
  CertificateStatusFinding,
  CertificateStatusRequest,
} from './certificate-check';
export type { ConnectionAttempt, ConnectionAttemptsStored } from './connection-attempt';
export type { CallOutcome, CommandRequest } from './command';
export type { IdempotencyClaim, IdempotencyRecord, IdempotencyStore } from './idempotency';
export type { GatewayLease, LeaseAnswer, ReplicaNotice } from './presence';
export type { CloseConnection, ConnectionClosed } from './gateway-notice';
export { explainRejection, REJECTION_REASONS } from './rejection-reason';
export { partitionOf } from './partition';
export { isAfter, isSamePosition } from './position';
export type { Position } from './position';
export type { EventPageHint } from './event-page';
export { nudgeOf } from './nudge';
export type { NudgedCharger } from './nudge';
export {
  AUTHORIZED_REPORT_VERSION,
  COMMAND_VERSION,
  DEAD_LETTER_VERSION,
  REPORT_KINDS,
  REPORT_VERSION,
  versionOf,
} from './version';
export type { PushAnswer, PushRequest, WebhookChange } from './push';
