// Certificates of ISO 15118 about which a charger asks: contracts, and whether certificates are revoked (docs/iso-15118.md).
import { integer, list, literal, oneOf, record, text, timestamp, type ValueOf } from './schema';

/** A certificate by the hashes of its issuer, as RFC 6960 names it. Hexadecimal, as the charger sent them. */
const certificateId = {
  hashAlgorithm: text,
  issuerNameHash: text,
  issuerKeyHash: text,
  serialNumber: text,
};

/** `urls`: responders (OCSP), the first of which is asked. Empty: its status is not available. */
const statusRequest = record({ ...certificateId, urls: list(text) });

export type CertificateStatusRequest = ValueOf<typeof statusRequest>;

export const certificateQuestion = oneOf(
  /** A contract for the vehicle, from the contract provider. */
  record(
    { kind: literal('contract'), schemaVersion: text, action: text, exiRequest: text },
    { maxContracts: integer, contractIds: list(text) },
  ),
  /** The response of a responder as it is: the charger verifies it. */
  record({ kind: literal('response'), certificate: statusRequest }),
  /** The status of certificates, verified. */
  record({ kind: literal('statuses'), certificates: list(statusRequest) }),
  /** Whether a contract may be used: the status of its certificates, and its chain in PEM where the charger sends it. */
  record({ kind: literal('trust'), certificates: list(statusRequest) }, { chain: text }),
);

export type CertificateQuestion = ValueOf<typeof certificateQuestion>;

export const certificateRequest = record({ chargerId: text, ocppVersion: text, question: certificateQuestion });

export type CertificateRequest = ValueOf<typeof certificateRequest>;

const statusFinding = record(
  {
    /** `failed`: no response that verifies. */
    status: literal('good', 'revoked', 'unknown', 'failed'),
  },
  {
    /** Absent: the responder names none. */
    nextUpdate: timestamp,
  },
);

export type CertificateStatusFinding = ValueOf<typeof statusFinding>;

/** The answer of push, and in the envelope of the decision. */
export const certificateFinding = oneOf(
  record({ kind: literal('contract'), exiResponse: text }, { remainingContracts: integer }),
  /** Base64 of DER. */
  record({ kind: literal('response'), response: text }),
  /** In the order of the question. */
  record({ kind: literal('statuses'), statuses: list(statusFinding) }),
  record({
    kind: literal('trust'),
    /** `unavailable`: a status is not to be had, or no authority of the operator is above the chain. */
    verdict: literal('accepted', 'revoked', 'expired', 'signature_error', 'chain_error', 'unavailable'),
  }),
  /** Nothing is configured, or nobody answered. */
  record({ kind: literal('none') }),
);

export type CertificateFinding = ValueOf<typeof certificateFinding>;
