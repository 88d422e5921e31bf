import { authorizationTerms } from './authorization';
import { flag, integer, list, literal, nullableText, oneOf, record, text, type ValueOf } from './schema';

const compatibility = record(
  {
    /** A connection that offers no subprotocol speaks OCPP 1.6. */
    assumeOcpp16: flag,
    /** The Basic password may be the hexadecimal digits of the key. */
    acceptHexKey: flag,
    /** Timestamps without a zone are UTC. */
    zonelessIsUtc: flag,
    /** Unknown fields and enum values are stored and answered. */
    vendorFields: flag,
    /** `null` in an optional field is as if the field were absent. */
    nullFields: flag,
    /** Texts above their limit are stored, up to a limit. */
    overlongTexts: flag,
    /** Numbers for texts and texts for numbers are converted where that is exact. */
    numberTexts: flag,
    /** Meter readings with a fraction are rounded down. */
    fractionalMeters: flag,
  },
  {
    /** No CALLRESULTERROR is sent to it (OCPP 2.1). */
    noCallResultError: flag,
    /** The OCPP versions that it may speak; empty: all that the gateway offers. */
    ocppVersions: list(text),
  },
);

/** Per-charger switches for the deviations of real chargers that are tolerated (docs/ocpp-1.6.md). */
export type Compatibility = ValueOf<typeof compatibility>;

const bootStatus = literal('none', 'accepted', 'pending', 'rejected');

/** The last answer to a BootNotification of the charger by OCPP 2.x. */
export type BootStatus = ValueOf<typeof bootStatus>;

const securityProfile = literal(0, 1, 2, 3);

/** A security profile of the OCPP 1.6 security whitepaper; 0: none. */
export type SecurityProfile = ValueOf<typeof securityProfile>;

export const admissionRequest = record(
  {
    chargerId: text,
    gatewayId: text,
    connectionId: text,
    /** True where the socket uses TLS. */
    secure: flag,
    ocppVersion: nullableText,
  },
  {
    /** All versions that it offers and the gateway has, most preferred first. */
    offeredVersions: list(text),
    /** Base64 of the password bytes in the Basic header, if there is one. */
    passwordBase64: text,
    /** The names in the client certificate, if the charger presented one that a configured authority has signed. */
    certificateNames: list(text),
    /** Wrong passwords were sent lately for this charger or from this address: other requests are checked first. */
    suspect: flag,
    /** The source network: an IPv4 address, or the /64 of an IPv6 address. Absent where it is unknown. */
    network: text,
    /** Too many attempts were rejected: admit this one only if the charger was admitted from its network before. */
    knownNetworkOnly: flag,
  },
);

export type AdmissionRequest = ValueOf<typeof admissionRequest>;

export const admissionAnswer = oneOf(
  record(
    {
      outcome: literal('accept'),
      incarnationId: text,
      /** The connection's order: the charger's own counter. */
      order: integer,
      /** The partition count of the store. A gateway with another count must not publish. */
      partitions: integer,
      compatibility,
      /** Deviations in how the password was sent (rule 9). */
      deviations: list(text),
      /**
       * The security profile that the connection proved: 3 a client certificate of this charger, 2 a password over TLS,
       * 1 a password without TLS, 0 neither.
       */
      securityProfile,
    },
    {
      /** The ids of its transactions in progress, so that the gateway knows an idle charger. */
      transactions: list(text),
      /** Whether the charger may send anything but a BootNotification (OCPP 2.x). */
      bootStatus,
      /** Actions of reports that the charger has agreed to send and has not completed: accepted whatever `bootStatus` is. */
      solicited: list(text),
      clientId: text,
      siteId: integer,
      /** Where the client has an endpoint for real-time authorization that is enabled. */
      authorization: authorizationTerms,
    },
  ),
  record({ outcome: literal('unknown') }),
  record({ outcome: literal('unauthorized') }),
  record({ outcome: literal('insecure') }),
  /** Security profile 3 without a certificate that names this charger. */
  record({ outcome: literal('certificate_required') }),
  /** The client has its maximum of connected chargers. */
  record({ outcome: literal('too_many_connections') }),
  /** `knownNetworkOnly`, and the charger is unknown or was not admitted from that network. Nothing else was checked. */
  record({ outcome: literal('throttled') }),
  /** Too many passwords wait for their check. */
  record({ outcome: literal('busy') }),
  /** The store is unavailable: the charger must retry. */
  record({ outcome: literal('unavailable') }),
);

export type AdmissionAnswer = ValueOf<typeof admissionAnswer>;
