import { NEVER_ASKED, type AuthorizationEndpoint } from '../real-time-authorization/authorization-endpoint';

/** The endpoint of the client `client`, with these parts. */
export function newAuthorizationEndpoint(part: Partial<AuthorizationEndpoint> = {}): AuthorizationEndpoint {
  const { clientId = 'client' } = part;
  return {
    clientId,
    endpointId: `rta_${clientId}`,
    url: 'https://tags.example/authorize',
    format: 'standard',
    timeoutS: 3,
    onFailure: 'refuse',
    cacheS: 60,
    siteIds: null,
    enabled: true,
    secret: 'encrypted',
    authorization: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    revision: 1,
    status: NEVER_ASKED,
    ...part,
  };
}
