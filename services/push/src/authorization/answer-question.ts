// Answers a gateway or an API whether a tag may charge: the client's own tags first, then its endpoint.
import type { AuthorizationAnswer, AuthorizationRequest } from '@busbar/contracts';
import { isAppError } from '@busbar/core';
import type { Records } from '@busbar/domain';
import type { Charger } from '@busbar/domain/chargers';
import { appliesAt, validityS, type AuthorizationEndpoint } from '@busbar/domain/real-time-authorization';
import { tagKey } from '@busbar/domain/tags';
import { askEndpoint, type AskDeps } from './ask-endpoint';
import type { EndpointCircuits, Outcome } from './endpoint-circuits';

export interface AnswerDeps extends AskDeps {
  readonly records: Pick<Records, 'authorizationEndpoints' | 'chargers' | 'tags'>;
  readonly circuits: EndpointCircuits;
}

const NOT_ASKED: AuthorizationAnswer = { outcome: 'not_asked' };

export async function answerQuestion(deps: AnswerDeps, request: AuthorizationRequest): Promise<AuthorizationAnswer> {
  try {
    return await answer(deps, request);
  } catch (error) {
    if (isAppError(error, 'unavailable')) return { outcome: 'unavailable' };
    throw error;
  }
}

async function answer(deps: AnswerDeps, request: AuthorizationRequest): Promise<AuthorizationAnswer> {
  const { authorizationEndpoints, chargers, tags } = deps.records;
  const { clientId, chargerId, rfidTag, socketId, action } = request;
  const isTest = action === 'test';
  const [endpoint, charger, own] = await Promise.all([
    authorizationEndpoints.find(clientId),
    chargers.find(chargerId),
    isTest ? [] : tags.findByKeys(clientId, [tagKey(rfidTag)]),
  ]);
  if (endpoint === undefined || !isAsked(charger, request)) return NOT_ASKED;
  const { siteId } = charger.registered;
  if (!isTest && !appliesAt(endpoint, siteId)) return NOT_ASKED;
  if (own.length > 0) return { outcome: 'own' };
  const question = { chargerId, siteId, socketId, rfidTag, action };
  return answerOf(endpoint, await deps.circuits.run(endpoint, () => askEndpoint(deps, endpoint, question), isTest));
}

/** A charger that was deleted meanwhile may be another client's by now. */
function isAsked(charger: Charger | undefined, { clientId, incarnationId }: AuthorizationRequest): charger is Charger {
  return charger?.clientId === clientId && charger.incarnationId === incarnationId;
}

function answerOf({ onFailure, cacheS }: AuthorizationEndpoint, { result, tookMs }: Outcome): AuthorizationAnswer {
  if ('error' in result) {
    const verdict = onFailure === 'accept' ? 'accepted' : 'unknown';
    return { outcome: 'failed', verdict, tookMs, error: result.error };
  }
  const { verdict, parentIdTag, expiresAt, validForS } = result;
  return {
    outcome: 'judged',
    verdict,
    tookMs: tookMs ?? 0,
    validForMs: Math.round(validityS(cacheS, validForS) * 1_000),
    ...(parentIdTag === undefined ? {} : { parentIdTag }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}
