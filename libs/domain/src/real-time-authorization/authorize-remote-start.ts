import { AppError } from '@busbar/core';
import type { Charger } from '../chargers/charger';
import { appliesAt, type AuthorizationEndpointReader } from './authorization-endpoint';
import type { AuthorizationVerdict } from './authorization-formats';
import type { AuthorizationLink } from './authorization-link';

export interface AskDeps {
  readonly authorizationEndpoints: Pick<AuthorizationEndpointReader, 'find'>;
  readonly authorizationLink: Pick<AuthorizationLink, 'ask'>;
}

type Place = Pick<Charger, 'clientId' | 'chargerId' | 'incarnationId' | 'registered'>;

const RETRY_AFTER_S = 10;
const REASONS: Readonly<Record<Exclude<AuthorizationVerdict, 'accepted'>, string>> = {
  unknown: 'it does not know or accept it',
  blocked: 'it is blocked',
  expired: 'it has expired',
  not_allowed_here: 'it may not charge here',
  no_credit: 'it has no credit',
};

/**
 * Asks the client's endpoint whether a remote start with a tag may be sent. Returns `accepted`; undefined where the client has the tag, or
 * no endpoint applies to the charger. Throws `tag_refused`, and `unavailable` where there is no verdict and `onFailure` refuses.
 */
export async function authorizeRemoteStart(
  { authorizationEndpoints, authorizationLink }: AskDeps,
  { clientId, chargerId, incarnationId, registered }: Place,
  { rfidTag, socketId }: { readonly rfidTag: string; readonly socketId: number },
): Promise<'accepted' | undefined> {
  const endpoint = await authorizationEndpoints.find(clientId);
  if (endpoint === undefined || !appliesAt(endpoint, registered.siteId)) return undefined;
  const question = { clientId, chargerId, incarnationId, rfidTag, socketId, action: 'remote_start' } as const;
  const answer = await authorizationLink.ask(question, endpoint.timeoutS);
  switch (answer.outcome) {
    case 'own':
    case 'not_asked':
      return undefined;
    case 'judged':
      if (answer.verdict === 'accepted') return 'accepted';
      throw refused(answer.verdict);
    case 'failed':
    case 'unavailable':
      if (endpoint.onFailure === 'accept') return 'accepted';
      throw new AppError(
        'unavailable',
        'The endpoint for real-time authorization gave no verdict, and its onFailure refuses.',
        {
          details: { retryAfterS: RETRY_AFTER_S },
        },
      );
  }
}

function refused(verdict: Exclude<AuthorizationVerdict, 'accepted'>): AppError {
  return new AppError(
    'tag_refused',
    `The endpoint for real-time authorization refused this RFID tag: ${REASONS[verdict]}.`,
  );
}
