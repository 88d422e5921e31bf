// One attempt to deliver an event: formats it, signs it, posts it, and judges the response.
import { performance } from 'node:perf_hooks';
import { AppError, type Clock } from '@busbar/core';
import type { StoredSecrets } from '@busbar/domain';
import {
  attemptOutcome,
  retryAfterMs,
  type AttemptOutcome,
  type DeliveryRequest,
  type FormatEvent,
  type OutgoingMessage,
  type Webhook,
  type WebhookFormat,
} from '@busbar/domain/webhooks';
import { EgressError, type Egress, type EgressResponse } from '@busbar/runtime';
import type { SourceEvent } from '../feed/page-source';
import { signatureHeaders } from '../signature';

export interface SendDeps {
  readonly egress: () => Pick<Egress, 'send'>;
  readonly formats: Readonly<Record<WebhookFormat, FormatEvent>>;
  /** Absent without SECRETS_KEY. */
  readonly secrets?: Pick<StoredSecrets, 'decrypt'> | undefined;
  readonly clock: Clock;
}

/** An attempt that ended. */
export interface Sent {
  readonly outcome: AttemptOutcome;
  readonly httpStatus: number | null;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly tookMs: number;
  /** Null where it was delivered. */
  readonly error: string | null;
  /** Its first 1,000 characters. */
  readonly responseBody: string;
  readonly retryAfterMs: number;
  /** Messages of the event that are delivered. */
  readonly messages: number;
  /** What was sent, of the headers those that sign it. */
  readonly request: DeliveryRequest & { readonly body: string };
}

/** What was sent, as it is recorded of an event: the event itself has the body. */
export function recordedRequest({ request }: Sent): DeliveryRequest {
  return { ...request, body: null };
}

/** `nothing`: the format has no message for the event. */
export type SendEvent = (webhook: Webhook, event: SourceEvent, delivered: number) => Promise<Sent | 'nothing'>;

export const REQUEST_TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 65_536;
const SHOWN_CHARACTERS = 1_000;

/** Rejects where the event could not be tried: no key, or the format could not read what it needs. */
export function createSendEvent({ egress, formats, secrets, clock }: SendDeps): SendEvent {
  function requestOf(webhook: Webhook, { id, body }: OutgoingMessage): Sent['request'] {
    const timestamp = Math.floor(clock.now().getTime() / 1_000);
    return { url: webhook.url, headers: signatureHeaders({ id, timestamp, body }, secretsOf(webhook)), body };
  }

  function post(
    { url, headers: signed, body }: Sent['request'],
    { headers }: OutgoingMessage,
    authorization: string | undefined,
  ): Promise<EgressResponse> {
    return egress().send({
      method: 'POST',
      url,
      headers: {
        'user-agent': 'Busbar-Webhooks/1',
        'content-type': 'application/json',
        ...headers,
        ...signed,
        ...(authorization === undefined ? {} : { authorization }),
      },
      body,
      timeoutMs: REQUEST_TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    });
  }

  function decrypt(stored: string, webhookId: string): string {
    const secret = secrets?.decrypt(stored, webhookId);
    if (secret !== undefined) return secret;
    throw new AppError(
      'invalid_configuration',
      'SECRETS_KEY is missing, or is not the key that encrypted the secrets of this webhook.',
    );
  }

  function secretsOf({ webhookId, secrets: stored }: Webhook): readonly string[] {
    const now = clock.now().toISOString();
    const inForce = stored.filter(({ endsAt }) => endsAt === null || endsAt > now);
    return inForce.map(({ encrypted }) => decrypt(encrypted, webhookId));
  }

  function authorizationOf({ webhookId, authorization }: Webhook): string | undefined {
    return authorization === null ? undefined : decrypt(authorization, webhookId);
  }

  async function attempt(webhook: Webhook, message: OutgoingMessage): Promise<Omit<Sent, 'messages'>> {
    const request = requestOf(webhook, message);
    const authorization = authorizationOf(webhook);
    const startedMs = clock.now().getTime();
    const began = performance.now();
    const times = () => {
      const tookMs = Math.round(performance.now() - began);
      return { startedMs, endedMs: Math.max(clock.now().getTime(), startedMs), tookMs };
    };
    try {
      return { ...judged(await post(request, message, authorization), clock.now().getTime()), ...times(), request };
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      const failed = { outcome: attemptOutcome(null), httpStatus: null, responseBody: '', retryAfterMs: 0 };
      return { ...failed, error: error.code, ...times(), request };
    }
  }

  return async (webhook, { event, json }, delivered) => {
    const messages = await formats[webhook.format](event, json(), webhook);
    let last: Sent | 'nothing' = 'nothing';
    for (const [n, message] of messages.entries()) {
      if (n < delivered) continue;
      const sent = await attempt(webhook, message);
      const isDelivered = sent.outcome === 'delivered';
      const startedMs: number = last === 'nothing' ? sent.startedMs : last.startedMs;
      last = { ...sent, startedMs, messages: isDelivered ? n + 1 : n };
      if (!isDelivered) break;
    }
    return last;
  };
}

function judged({ status, headers, body }: EgressResponse, nowMs: number) {
  const outcome = attemptOutcome(status);
  const { 'retry-after': header } = headers;
  return {
    outcome,
    httpStatus: status,
    error: errorOf(outcome, status),
    responseBody: body.toString('utf8').slice(0, SHOWN_CHARACTERS),
    retryAfterMs: retryAfterMs(typeof header === 'string' ? header : header?.[0], nowMs),
  };
}

function errorOf(outcome: AttemptOutcome, status: number): string | null {
  if (outcome === 'delivered') return null;
  return status >= 300 && status <= 399 ? 'redirect' : `http_${String(status)}`;
}
