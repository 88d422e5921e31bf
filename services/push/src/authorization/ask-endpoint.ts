// One request to a client's endpoint for real-time authorization, in its format. There is no retry: a charger waits.
import { createId, type Clock } from '@busbar/core';
import type { StoredSecrets } from '@busbar/domain';
import {
  authorizationRequest,
  endpointResultOf,
  MAX_AUTHORIZATION_BYTES,
  type AuthorizationEndpoint,
  type EndpointResult,
  type TagQuestion,
} from '@busbar/domain/real-time-authorization';
import { EgressError, type Egress } from '@busbar/runtime';
import { signatureHeaders } from '../signature';

export interface AskDeps {
  readonly egress: Pick<Egress, 'send'>;
  /** Undefined: this process has no key. */
  readonly secrets: Pick<StoredSecrets, 'decrypt'> | undefined;
  readonly clock: Clock;
}

export interface Asked {
  readonly result: EndpointResult;
  readonly tookMs: number;
}

type Headers = Readonly<Record<string, string>>;

const COMMON: Headers = { 'content-type': 'application/json', 'user-agent': 'Busbar-Webhooks/1' };

/** Never rejects: without a verdict the result has the code of the error. */
export async function askEndpoint(
  deps: AskDeps,
  endpoint: AuthorizationEndpoint,
  question: TagQuestion,
): Promise<Asked> {
  const { clock } = deps;
  const startMs = clock.monotonicMs();
  const result = await exchange(deps, endpoint, question);
  return { result, tookMs: Math.round(clock.monotonicMs() - startMs) };
}

async function exchange(
  deps: AskDeps,
  endpoint: AuthorizationEndpoint,
  question: TagQuestion,
): Promise<EndpointResult> {
  const { url, format, timeoutS } = endpoint;
  const timeoutMs = timeoutS * 1_000;
  const at = deps.clock.now();
  const body = authorizationRequest(format, question, { at, deadline: new Date(at.getTime() + timeoutMs) });
  const headers = headersOf(deps, endpoint, at, body);
  if (headers === undefined) return { error: 'no_key' };
  try {
    const request = {
      method: 'POST',
      url,
      headers,
      body,
      timeoutMs,
      maxResponseBytes: MAX_AUTHORIZATION_BYTES,
    } as const;
    const response = await deps.egress.send(request);
    return endpointResultOf(format, { ...response, body: response.body.toString('utf8') });
  } catch (error) {
    if (error instanceof EgressError) return { error: error.code };
    throw error;
  }
}

/** Undefined where a secret cannot be decrypted. */
function headersOf(
  { secrets }: AskDeps,
  { endpointId, format, secret, authorization }: AuthorizationEndpoint,
  at: Date,
  body: string,
): Headers | undefined {
  if (format === 'push') {
    if (authorization === null) return COMMON;
    const value = secrets?.decrypt(authorization, endpointId);
    return value === undefined ? undefined : { ...COMMON, authorization: value };
  }
  const key = secrets?.decrypt(secret, endpointId);
  if (key === undefined) return undefined;
  const signed = { id: `auth_${createId()}`, timestamp: Math.floor(at.getTime() / 1_000), body };
  return { ...COMMON, ...signatureHeaders(signed, [key]) };
}
