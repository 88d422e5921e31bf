// The table of all messages between the services. A new message is one entry here, its publisher and its consumer.
import type { AdmissionAnswer, AdmissionRequest } from './admission';
import type { BroadcastChannel, Channel, DirectChannel, QueueChannel } from './channel';
import type { CallOutcome, CommandRequest } from './command';
import type { ConnectionAttempts, ConnectionAttemptsStored } from './connection-attempt';
import type { DeadLetter } from './dead-letter';
import type { DecisionAnswers } from './decision';
import type { CloseConnection, ConnectionClosed } from './gateway-notice';
import type { GatewayLease, LeaseAnswer, ReplicaNotice, ReplicaTick } from './presence';
import { decodeReports, encodeReports, type ReportBatch } from './report';
import {
  admissionAnswerSchema,
  admissionRequestSchema,
  closeConnectionSchema,
  callOutcomeSchema,
  commandRequestSchema,
  connectionAttemptsSchema,
  connectionAttemptsStoredSchema,
  connectionClosedSchema,
  deadLetterSchema,
  decisionAnswersSchema,
  gatewayLeaseSchema,
  leaseAnswerSchema,
  replicaNoticeSchema,
  replicaTickSchema,
  reportBatchSchema,
} from './schemas';
import { DEAD_LETTER_VERSION, REPORT_VERSION } from './version';

const reports: QueueChannel<ReportBatch> = {
  kind: 'queue',
  name: 'busbar.reports',
  partitioned: true,
  version: REPORT_VERSION,
  purpose: 'Reports of chargers and of their sockets being opened and closed, in order per charger.',
  publishedBy: ['ocpp-gateway'],
  consumedBy: ['charger-state'],
  schema: reportBatchSchema,
  encode: encodeReports,
  decode: decodeReports,
};

const deadLetters: QueueChannel<DeadLetter> = {
  kind: 'queue',
  name: 'busbar.dead-letters',
  partitioned: false,
  version: Math.max(DEAD_LETTER_VERSION, REPORT_VERSION),
  purpose:
    'Single reports that failed five times through their own fault, and bodies that contain no reports, on the way to the ' +
    'store.',
  publishedBy: ['charger-state'],
  consumedBy: ['charger-state'],
  schema: deadLetterSchema,
};

const admissions: DirectChannel<AdmissionRequest, AdmissionAnswer> = {
  kind: 'direct',
  name: 'busbar.admissions',
  shared: true,
  purpose: 'Asks whether a charger may connect, before its upgrade is answered.',
  publishedBy: ['ocpp-gateway'],
  consumedBy: ['charger-state'],
  schema: admissionRequestSchema,
  answerSchema: admissionAnswerSchema,
};

const connectionAttempts: DirectChannel<ConnectionAttempts, ConnectionAttemptsStored> = {
  kind: 'direct',
  name: 'busbar.connection-attempts',
  shared: true,
  purpose: 'Rejected connection attempts of chargers, in bulk. A gateway resends them until they are stored.',
  publishedBy: ['ocpp-gateway'],
  consumedBy: ['charger-state'],
  schema: connectionAttemptsSchema,
  answerSchema: connectionAttemptsStoredSchema,
};

const commands: DirectChannel<CommandRequest, CallOutcome> = {
  kind: 'direct',
  name: 'gateway',
  shared: false,
  purpose: 'A CALL to a charger, sent to the gateway that the charger record names.',
  publishedBy: ['v2-api', 'legacy-api', 'charger-state'],
  consumedBy: ['ocpp-gateway'],
  schema: commandRequestSchema,
  answerSchema: callOutcomeSchema,
};

const decisionAnswers: DirectChannel<DecisionAnswers> = {
  kind: 'direct',
  name: 'busbar.decision-answers',
  shared: false,
  purpose: 'Answers to decisions, sent to the gateway that asked after the store has the decision.',
  publishedBy: ['charger-state'],
  consumedBy: ['ocpp-gateway'],
  schema: decisionAnswersSchema,
};

const closings: DirectChannel<CloseConnection, ConnectionClosed> = {
  kind: 'direct',
  name: 'busbar.closings',
  shared: false,
  purpose: 'Orders a gateway to close a connection. It is repeated until the gateway answers or is dead.',
  publishedBy: ['charger-state', 'v2-api', 'legacy-api'],
  consumedBy: ['ocpp-gateway'],
  schema: closeConnectionSchema,
  answerSchema: connectionClosedSchema,
};

const leaseAnswers: DirectChannel<LeaseAnswer> = {
  kind: 'direct',
  name: 'busbar.lease-answers',
  shared: false,
  purpose: "The state of a gateway's lease, in response to each renewal.",
  publishedBy: ['charger-state'],
  consumedBy: ['ocpp-gateway'],
  schema: leaseAnswerSchema,
};

const leases: BroadcastChannel<GatewayLease> = {
  kind: 'broadcast',
  name: 'busbar.leases',
  purpose: 'A gateway renews its lease at every replica.',
  publishedBy: ['ocpp-gateway'],
  consumedBy: ['charger-state'],
  schema: gatewayLeaseSchema,
};

const ticks: BroadcastChannel<ReplicaTick> = {
  kind: 'broadcast',
  name: 'busbar.ticks',
  purpose: 'A replica measures time by its own ticks that the broker returns.',
  publishedBy: ['charger-state'],
  consumedBy: ['charger-state'],
  schema: replicaTickSchema,
};

const replicas: BroadcastChannel<ReplicaNotice> = {
  kind: 'broadcast',
  name: 'busbar.replicas',
  purpose: 'Replicas announce themselves. The owner of each partition is computed from the present replicas.',
  publishedBy: ['charger-state'],
  consumedBy: ['charger-state'],
  schema: replicaNoticeSchema,
};

export const channels = {
  reports,
  deadLetters,
  admissions,
  connectionAttempts,
  commands,
  decisionAnswers,
  closings,
  leaseAnswers,
  leases,
  ticks,
  replicas,
} as const;

/** All channels, in the order of the table. */
export function describeChannels(): readonly Channel[] {
  return Object.values(channels) as readonly Channel[];
}
