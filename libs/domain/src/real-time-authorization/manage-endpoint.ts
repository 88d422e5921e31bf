import { randomBytes } from 'node:crypto';
import { AppError, randomToken, type Clock } from '@busbar/core';
import { invalidInput } from '../invalid-input';
import { omitNil, type Nullable } from '../nullable';
import { retryOnConflict } from '../retry-on-conflict';
import type { SiteReader } from '../sites/site';
import type { StoredSecrets } from '../stored-secrets';
import { toTimestamp } from '../timestamp';
import {
  NEVER_ASKED,
  termsOf,
  type AuthorizationEndpoint,
  type AuthorizationEndpointReader,
  type AuthorizationEndpointWriter,
  type EndpointTerms,
} from './authorization-endpoint';
import type { AuthorizationLink } from './authorization-link';

export interface ReadEndpointDeps {
  readonly authorizationEndpoints: Pick<AuthorizationEndpointReader, 'find'>;
}

export interface ManageEndpointDeps {
  readonly authorizationEndpoints: Pick<AuthorizationEndpointReader, 'find'> & AuthorizationEndpointWriter;
  readonly authorizationLink: Pick<AuthorizationLink, 'announce'>;
  readonly sites: Pick<SiteReader, 'findMany'>;
  /** Undefined: no key is configured. */
  readonly secrets: StoredSecrets | undefined;
  /** Judges the URL, with the reason of a refusal. */
  readonly checkUrl: (
    url: string,
  ) => { readonly accepted: true } | { readonly accepted: false; readonly reason: string };
  readonly clock: Clock;
}

/** The settings, all of them: an absent or null field gets its default. */
export type EndpointInput = Pick<EndpointTerms, 'url' | 'format'> &
  Nullable<Omit<EndpointTerms, 'url' | 'format'> & { readonly authorization: string }>;

const DEFAULTS: Omit<EndpointTerms, 'url' | 'format'> = {
  timeoutS: 3,
  onFailure: 'refuse',
  cacheS: 60,
  siteIds: null,
  enabled: true,
};

const SECRET_BYTES = 32;

/**
 * Sets the client's endpoint, and announces it to gateways. `secret`: the signing secret of a new endpoint, which is never shown again;
 * null where the client had one that can be decrypted. Throws `invalid_webhook_url`, `invalid_request` for other input, `unavailable` without a key.
 */
export async function putAuthorizationEndpoint(
  deps: ManageEndpointDeps,
  clientId: string,
  input: EndpointInput,
): Promise<{ readonly endpoint: AuthorizationEndpoint; readonly secret: string | null }> {
  const { authorizationEndpoints: endpoints, authorizationLink: link, clock } = deps;
  const { authorization, ...given } = omitNil<EndpointInput>(input);
  const terms: EndpointTerms = {
    ...DEFAULTS,
    ...(given as Partial<EndpointTerms>),
    url: input.url,
    format: input.format,
  };
  await refuseInput(deps, clientId, terms, authorization ?? undefined);
  const secrets = requireKey(deps.secrets);
  const saved = await retryOnConflict('The endpoint was changed by others at the same time.', async () => {
    const before = await endpoints.find(clientId);
    const endpointId = before?.endpointId ?? `rta_${randomToken(12)}`;
    const updatedAt = toTimestamp(clock.now());
    const encrypted = authorization == null ? null : secrets.encrypt(authorization, endpointId);
    const common = { ...terms, clientId, endpointId, authorization: encrypted, updatedAt };
    const { stored, secret } = signingSecret(secrets, before, endpointId);
    if (before !== undefined) {
      const { createdAt, revision, status } = before;
      const endpoint = { ...common, secret: stored, createdAt, revision: revision + 1, status };
      return (await endpoints.replace(endpoint, revision)) ? { endpoint, secret } : undefined;
    }
    const endpoint = { ...common, secret: stored, createdAt: updatedAt, revision: 1, status: NEVER_ASKED };
    return (await endpoints.insert(endpoint)) ? { endpoint, secret } : undefined;
  });
  link.announce(clientId, termsOf(saved.endpoint));
  return saved;
}

/**
 * The secret of before, encrypted with the present key, so that older keys can be removed. `secret`: a new one, where there was none or its
 * key is gone.
 */
function signingSecret(
  secrets: StoredSecrets,
  before: AuthorizationEndpoint | undefined,
  endpointId: string,
): { readonly stored: string; readonly secret: string | null } {
  const known = before && secrets.decrypt(before.secret, endpointId);
  if (known === undefined) {
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    return { stored: secrets.encrypt(secret, endpointId), secret };
  }
  const isCurrent = secrets.isCurrent(before?.secret ?? '', endpointId);
  return { stored: isCurrent ? (before?.secret ?? '') : secrets.encrypt(known, endpointId), secret: null };
}

/** Throws `not_found`. */
export async function readAuthorizationEndpoint(
  { authorizationEndpoints }: ReadEndpointDeps,
  clientId: string,
): Promise<AuthorizationEndpoint> {
  const endpoint = await authorizationEndpoints.find(clientId);
  if (endpoint === undefined) throw notFound();
  return endpoint;
}

/** Deletes it with its secret, and announces that to gateways. Throws `not_found`. */
export async function deleteAuthorizationEndpoint(
  {
    authorizationEndpoints,
    authorizationLink,
  }: Pick<ManageEndpointDeps, 'authorizationEndpoints' | 'authorizationLink'>,
  clientId: string,
): Promise<void> {
  if (!(await authorizationEndpoints.delete(clientId))) throw notFound();
  authorizationLink.announce(clientId, undefined);
}

async function refuseInput(
  { checkUrl, sites }: ManageEndpointDeps,
  clientId: string,
  { url, format, siteIds }: EndpointTerms,
  authorization: string | undefined,
): Promise<void> {
  const checked = checkUrl(url);
  if (!checked.accepted) throw new AppError('invalid_webhook_url', checked.reason);
  if (format === 'standard' && authorization !== undefined) {
    const message = 'must be absent in the standard format, whose requests are signed';
    throw invalidInput(`authorization ${message}.`, { field: 'authorization', message });
  }
  if (siteIds === null) return;
  const known = new Set((await sites.findMany(clientId, siteIds)).map(({ siteId }) => siteId));
  const unknown = siteIds.findIndex((siteId) => !known.has(siteId));
  if (unknown === -1) return;
  const message = 'must be the id of a site of this client';
  throw invalidInput(`siteIds: ${String(siteIds[unknown])} ${message}.`, {
    field: `siteIds/${String(unknown)}`,
    message,
  });
}

function requireKey(secrets: StoredSecrets | undefined): StoredSecrets {
  if (secrets !== undefined) return secrets;
  throw new AppError('unavailable', 'The service has no key for secrets: its operator must set SECRETS_KEY.');
}

function notFound(): AppError {
  return new AppError('not_found', 'This client has no endpoint for real-time authorization.');
}
