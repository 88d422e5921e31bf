// Real-time authorization: the endpoint of a client that is asked whether an unknown tag may charge, the formats of the requests, and
// the rules about an endpoint that fails.
export {
  appliesAt,
  AUTHORIZATION_FORMATS,
  FAILURE_POLICIES,
  MAX_ENDPOINT_SITES,
  NEVER_ASKED,
  termsOf,
  validityS,
} from './authorization-endpoint';
export type {
  AuthorizationEndpoint,
  AuthorizationEndpointReader,
  AuthorizationEndpointStatuses,
  AuthorizationEndpointWriter,
  AuthorizationFormat,
  EndpointStatus,
  EndpointTerms,
  FailurePolicy,
} from './authorization-endpoint';
export type { AuthorizationLink } from './authorization-link';
export { authorizeRemoteStart, type AskDeps } from './authorize-remote-start';
export {
  deleteAuthorizationEndpoint,
  putAuthorizationEndpoint,
  readAuthorizationEndpoint,
  type EndpointInput,
  type ManageEndpointDeps,
} from './manage-endpoint';
export { renewEndpointSecrets } from './renew-secrets';
export { testAuthorizationEndpoint, type EndpointTest } from './test-endpoint';
export { authorizationRequest, endpointResultOf, MAX_AUTHORIZATION_BYTES } from './authorization-formats';
export type { AuthorizationAction, EndpointResult, EndpointVerdict, TagQuestion } from './authorization-formats';
export { afterRequest, CLOSED_CIRCUIT, mayAsk, type Circuit } from './circuit-breaker';
