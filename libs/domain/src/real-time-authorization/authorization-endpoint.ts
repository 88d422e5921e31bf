// The endpoint of a client that decides whether a tag which the client has not stored may charge, as its owner configured it; and
// what became of the requests to it, which services/push alone writes.
import type { AuthorizationTerms } from '@busbar/contracts';
import type { Timestamp } from '../timestamp';

/** `standard`: signed by Standard Webhooks. `push`: the documented request of the v1 and v2 push API, with a fixed header. */
export const AUTHORIZATION_FORMATS = ['standard', 'push'] as const;
export type AuthorizationFormat = (typeof AUTHORIZATION_FORMATS)[number];

/** What a tag gets where the endpoint gives no verdict. */
export const FAILURE_POLICIES = ['accept', 'refuse'] as const;
export type FailurePolicy = (typeof FAILURE_POLICIES)[number];

/** The settings that its owner chooses, without secrets. */
export interface EndpointTerms {
  readonly url: string;
  readonly format: AuthorizationFormat;
  /** The time for its response: 1 to 7. A charger's CALL waits up to 10 s altogether. */
  readonly timeoutS: number;
  readonly onFailure: FailurePolicy;
  /** How long a gateway may use a verdict again, for the same connection: 0 to 3600. */
  readonly cacheS: number;
  /** Only chargers at exactly these sites; at most `MAX_ENDPOINT_SITES`. Null: all. */
  readonly siteIds: readonly number[] | null;
  readonly enabled: boolean;
}

/** Gateways keep the sites of every client with an endpoint in memory. */
export const MAX_ENDPOINT_SITES = 100;

export interface EndpointStatus {
  readonly lastAskedAt: Timestamp | null;
  /** Failures since the last success. */
  readonly failures: number;
  /** After five failures: it is not asked until then, and afterwards by one request at a time. Null from the next success on. */
  readonly brokenUntil: Timestamp | null;
  /** Of the last failure: a code of docs/real-time-authorization.md. Null from the next success on. */
  readonly lastError: string | null;
}

export const NEVER_ASKED: EndpointStatus = { lastAskedAt: null, failures: 0, brokenUntil: null, lastError: null };

/** One of a client. */
export interface AuthorizationEndpoint extends EndpointTerms {
  readonly clientId: string;
  /** `rta_…`: its secrets are encrypted for this id. */
  readonly endpointId: string;
  /** The signing secret (`whsec_…`), encrypted. */
  readonly secret: string;
  /** The value of the header `authorization` in the push format, encrypted. */
  readonly authorization: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Raised by each change of the owner. */
  readonly revision: number;
  readonly status: EndpointStatus;
}

export interface AuthorizationEndpointReader {
  find(clientId: string): Promise<AuthorizationEndpoint | undefined>;
  /** Of all clients, for services/push: those behind a client's id, in the order of ids. */
  listAfter(clientId: string | undefined, limit: number): Promise<readonly AuthorizationEndpoint[]>;
}

export interface AuthorizationEndpointWriter {
  /** False where the client has one already. */
  insert(endpoint: AuthorizationEndpoint): Promise<boolean>;
  /** Leaves the status as it is. False where its revision is not `revision`, or there is none. */
  replace(endpoint: AuthorizationEndpoint, revision: number): Promise<boolean>;
  /** False where there is none. */
  delete(clientId: string): Promise<boolean>;
}

export interface AuthorizationEndpointStatuses {
  /** Does nothing where the client has another endpoint by now. The last of several writers counts. */
  saveStatus(endpoint: Pick<AuthorizationEndpoint, 'clientId' | 'endpointId'>, status: EndpointStatus): Promise<void>;
}

/** Whether a charger at this site is subject to the endpoint. */
export function appliesAt({ enabled, siteIds }: Pick<EndpointTerms, 'enabled' | 'siteIds'>, siteId: number): boolean {
  return enabled && (siteIds === null || siteIds.includes(siteId));
}

/** What gateways know of it. Undefined where there is none that is enabled. */
export function termsOf(endpoint: AuthorizationEndpoint | undefined): AuthorizationTerms | undefined {
  if (endpoint?.enabled !== true) return undefined;
  const { endpointId, revision, timeoutS, onFailure, siteIds } = endpoint;
  const terms = { revision: `${endpointId}/${String(revision)}`, timeoutS, onFailure };
  return siteIds === null ? terms : { ...terms, siteIds };
}

/** How long a verdict may be used again, in seconds: `cacheS`, or less where the response says so. */
export function validityS(cacheS: number, validForS: number | undefined): number {
  return validForS === undefined ? cacheS : Math.min(cacheS, validForS);
}
