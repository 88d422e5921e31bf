import type { AuthorizationAnswer, AuthorizationRequest, AuthorizationTerms } from '@busbar/contracts';

/** The way to services/push, which asks endpoints, and to gateways, which know who has one. */
export interface AuthorizationLink {
  /** Without an answer: nobody of push is there, it took too long, or the store does not answer it. */
  ask(request: AuthorizationRequest, timeoutS: number): Promise<AuthorizationAnswer>;
  /** Undefined: the client has no enabled endpoint. */
  announce(clientId: string, terms: AuthorizationTerms | undefined): void;
}
