// Real-time authorization: whether the client's own endpoint lets a tag charge (docs/real-time-authorization.md).
import { integer, list, literal, nullableInteger, oneOf, record, text, timestamp, type ValueOf } from './schema';

export const authorizationRequest = record({
  clientId: text,
  chargerId: text,
  incarnationId: text,
  /** As the charger sent it. */
  rfidTag: text,
  socketId: nullableInteger,
  /** `test`: the client tries its endpoint, so neither its tags nor earlier failures count. */
  action: literal('authorize', 'start', 'remote_start', 'test'),
});

export type AuthorizationRequest = ValueOf<typeof authorizationRequest>;

const verdict = literal('accepted', 'blocked', 'expired', 'unknown', 'not_allowed_here', 'no_credit');
/** What an endpoint that accepts a tag may say of it. */
const ofTag = { parentIdTag: text, expiresAt: timestamp };

export const authorizationAnswer = oneOf(
  /** No enabled endpoint applies to the charger. */
  record({ outcome: literal('not_asked') }),
  /** The client has the tag: its own verdict counts. */
  record({ outcome: literal('own') }),
  record({ outcome: literal('judged'), verdict, tookMs: integer, validForMs: integer }, ofTag),
  /** The endpoint gave no verdict. `verdict`: that of its `onFailure`. `tookMs` is null where it was not asked. */
  record({ outcome: literal('failed'), verdict, tookMs: nullableInteger, error: text }),
  /** The store does not answer push, so nobody was asked. */
  record({ outcome: literal('unavailable') }),
);

export type AuthorizationAnswer = ValueOf<typeof authorizationAnswer>;

/** The verdict on an unknown tag, in the envelope of the decision that names it. A tag that the client has is judged as ever. */
export const envelopeAuthorization = record(
  {
    /** `own`: the client had the tag when its endpoint would have been asked. `fallback`: the endpoint gave no verdict. */
    source: literal('own', 'endpoint', 'fallback'),
    verdict,
    /** Null where the endpoint was not asked for this message. */
    tookMs: nullableInteger,
  },
  ofTag,
);

export type EnvelopeAuthorization = ValueOf<typeof envelopeAuthorization>;

/** What gateways know of a client's endpoint. */
export const authorizationTerms = record(
  {
    /** Differs with each change of the settings. */
    revision: text,
    timeoutS: integer,
    onFailure: literal('accept', 'refuse'),
  },
  {
    /** Absent: chargers at all sites. */
    siteIds: list(integer),
  },
);

export type AuthorizationTerms = ValueOf<typeof authorizationTerms>;

const clientTerms = record(
  { clientId: text },
  {
    /** Absent: the client has no enabled endpoint. */
    terms: authorizationTerms,
  },
);

export const authorizationTermsNotice = record({ clients: list(clientTerms) });

/** The terms of some clients: after a change, and now and then of all clients that have an endpoint. */
export type AuthorizationTermsNotice = ValueOf<typeof authorizationTermsNotice>;
