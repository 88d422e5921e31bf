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
export { authorizationRequest, endpointResultOf, MAX_AUTHORIZATION_BYTES } from './authorization-formats';
export type { AuthorizationAction, EndpointResult, EndpointVerdict, TagQuestion } from './authorization-formats';
export { afterRequest, CLOSED_CIRCUIT, mayAsk, type Circuit } from './circuit-breaker';
