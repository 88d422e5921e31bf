// The table of all messages between the services. A new message is one entry here, its publisher and its consumer.
import { admissionAnswer, admissionRequest } from './admission';
import { authorizationAnswer, authorizationRequest, authorizationTermsNotice } from './authorization';
import { certificateFinding, certificateRequest } from './certificate-check';
import { broadcast, direct, queue, type Channel } from './channel';
import { callOutcome, commandRequest } from './command';
import { connectionAttempts, connectionAttemptsStored } from './connection-attempt';
import { deadLetter } from './dead-letter';
import { decisionAnswers } from './decision';
import { closeConnection, connectionClosed } from './gateway-notice';
import { eventPage } from './event-page';
import { pushAnswer, pushRequest, webhookChange } from './push';
import { gatewayLease, leaseAnswer, replicaNotice, replicaTick } from './presence';
import { decodeReports, encodeReports, reportBatch } from './report';
import { COMMAND_VERSION, DEAD_LETTER_VERSION, REPORT_VERSION } from './version';

export const channels = {
  reports: queue({
    name: 'busbar.reports',
    partitioned: true,
    version: REPORT_VERSION,
    purpose:
      'Reports of chargers and of their sockets being opened and closed, in order per charger; and nudges, after a change by another ' +
      'service.',
    publishedBy: ['ocpp-gateway', 'charger-state', 'v2-api', 'legacy-api'],
    consumedBy: ['charger-state'],
    schema: reportBatch,
    encode: encodeReports,
    decode: decodeReports,
  }),
  deadLetters: queue({
    name: 'busbar.dead-letters',
    partitioned: false,
    version: Math.max(DEAD_LETTER_VERSION, REPORT_VERSION),
    purpose:
      'Single reports that failed five times through their own fault, and bodies that contain no reports, on the way to the ' +
      'store.',
    publishedBy: ['charger-state'],
    consumedBy: ['charger-state'],
    schema: deadLetter,
  }),
  admissions: direct({
    name: 'busbar.admissions',
    shared: true,
    purpose: 'Asks whether a charger may connect, before its upgrade is answered.',
    publishedBy: ['ocpp-gateway'],
    consumedBy: ['charger-state'],
    schema: admissionRequest,
    answerSchema: admissionAnswer,
  }),
  connectionAttempts: direct({
    name: 'busbar.connection-attempts',
    shared: true,
    purpose: 'Rejected connection attempts of chargers, in bulk. A gateway resends them until they are stored.',
    publishedBy: ['ocpp-gateway'],
    consumedBy: ['charger-state'],
    schema: connectionAttempts,
    answerSchema: connectionAttemptsStored,
  }),
  commands: direct({
    name: 'gateway',
    shared: false,
    version: COMMAND_VERSION,
    purpose: 'A CALL to a charger, sent to the gateway that the charger record names.',
    publishedBy: ['v2-api', 'legacy-api', 'charger-state'],
    consumedBy: ['ocpp-gateway'],
    schema: commandRequest,
    answerSchema: callOutcome,
  }),
  decisionAnswers: direct({
    name: 'busbar.decision-answers',
    shared: false,
    purpose: 'Answers to decisions, sent to the gateway that asked after the store has the decision.',
    publishedBy: ['charger-state'],
    consumedBy: ['ocpp-gateway'],
    schema: decisionAnswers,
  }),
  closings: direct({
    name: 'busbar.closings',
    shared: false,
    purpose:
      'Orders a gateway to close a connection. It is repeated for minutes, until the gateway answers or is dead.',
    publishedBy: ['charger-state', 'v2-api', 'legacy-api'],
    consumedBy: ['ocpp-gateway'],
    schema: closeConnection,
    answerSchema: connectionClosed,
  }),
  leaseAnswers: direct({
    name: 'busbar.lease-answers',
    shared: false,
    purpose: "The state of a gateway's lease, in response to each renewal.",
    publishedBy: ['charger-state'],
    consumedBy: ['ocpp-gateway'],
    schema: leaseAnswer,
  }),
  leases: broadcast({
    name: 'busbar.leases',
    purpose: 'A gateway renews its lease at every replica, and says its load to the other gateways.',
    publishedBy: ['ocpp-gateway'],
    consumedBy: ['charger-state', 'ocpp-gateway', 'v2-api'],
    schema: gatewayLease,
  }),
  ticks: broadcast({
    name: 'busbar.ticks',
    purpose: 'A replica measures time by its own ticks that the broker returns.',
    publishedBy: ['charger-state'],
    consumedBy: ['charger-state'],
    schema: replicaTick,
  }),
  eventPages: broadcast({
    name: 'busbar.event-pages',
    purpose: 'A page was added to the feed of a client. A hint: readers look for pages by themselves too.',
    publishedBy: ['charger-state'],
    consumedBy: ['v2-api', 'push'],
    schema: eventPage,
  }),
  webhooks: broadcast({
    name: 'busbar.webhooks',
    purpose: 'A webhook was created, changed or deleted. A hint: push looks for changes by itself too.',
    publishedBy: ['v2-api'],
    consumedBy: ['push'],
    schema: webhookChange,
  }),
  pushReplicas: broadcast({
    name: 'busbar.push-replicas',
    purpose: 'Processes of push announce themselves. The owner of each webhook is computed from the present ones.',
    publishedBy: ['push'],
    consumedBy: ['push'],
    schema: replicaNotice,
  }),
  pushRequests: direct({
    name: 'busbar.push-requests',
    shared: true,
    purpose: 'Tests a webhook, or sends some of its events again. Any process of push answers.',
    publishedBy: ['v2-api'],
    consumedBy: ['push'],
    schema: pushRequest,
    answerSchema: pushAnswer,
  }),
  authorisations: direct({
    name: 'busbar.authorisations',
    shared: true,
    purpose: "Asks a client's endpoint whether a tag may charge. Any process of push answers.",
    publishedBy: ['ocpp-gateway', 'v2-api'],
    consumedBy: ['push'],
    schema: authorizationRequest,
    answerSchema: authorizationAnswer,
  }),
  authorisationTerms: broadcast({
    name: 'busbar.authorisation-terms',
    purpose:
      'Which clients have an endpoint for real-time authorization: after a change, and every half minute of all of them.',
    publishedBy: ['v2-api', 'push'],
    consumedBy: ['ocpp-gateway', 'charger-state'],
    schema: authorizationTermsNotice,
  }),
  certificateChecks: direct({
    name: 'busbar.certificate-checks',
    shared: true,
    purpose:
      'Asks for a contract of ISO 15118 or for the status of certificates, for a charger of OCPP 2.x. Any process of push answers.',
    publishedBy: ['ocpp-gateway'],
    consumedBy: ['push'],
    schema: certificateRequest,
    answerSchema: certificateFinding,
  }),
  replicas: broadcast({
    name: 'busbar.replicas',
    purpose: 'Replicas announce themselves. The owner of each partition is computed from the present replicas.',
    publishedBy: ['charger-state'],
    consumedBy: ['charger-state', 'v2-api'],
    schema: replicaNotice,
  }),
} as const;

/** All channels, in the order of the table. */
export function describeChannels(): readonly Channel[] {
  return Object.values(channels) as readonly Channel[];
}
