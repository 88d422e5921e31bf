// Asks services/push for the verdict of a client's endpoint on a tag (docs/real-time-authorization.md). Without a verdict, the
// `onFailure` of the client's settings counts.
import type { Broker } from '@busbar/broker';
import { channels, type AuthorizationAnswer, type EnvelopeAuthorization } from '@busbar/contracts';
import type { Clock } from '@busbar/core';
import { parseTimestamp, type TagQuestion } from '@busbar/ocpp';
import { appliesHere, keepVerdict, keptVerdict, type ClientAuthorization } from '../connection/client-authorization';
import type { Connection, Findings } from '../connection/connection';
import type { GatewayMetrics } from '../gateway-metrics';
import { createPushRequests } from './push-requests';

export interface AuthorizerDeps {
  readonly broker: Pick<Broker, 'request'>;
  readonly clock: Clock;
  readonly metrics: Pick<GatewayMetrics, 'authorizations' | 'authorizationSeconds'>;
}

export type Authorized = Pick<Findings, 'authorization'>;

export type Authorizer = ReturnType<typeof createAuthorizer>;

/** A start whose own time is so much before its receipt was made offline. */
const LATE_MS = 300_000;
/** No charger with a working clock reports a time before this. */
const EARLIEST_MS = Date.UTC(2020, 0);
/** For both ways through the broker and the look-ups of push, beside the time of the endpoint. */
const TRANSIT_MS = 500;
/** Requests of this gateway in flight. Beyond, tags are judged as without an answer. */
const MAX_IN_FLIGHT = 1_000;

const NOT_ASKED: Authorized = { authorization: undefined };

export function createAuthorizer({ broker, clock, metrics }: AuthorizerDeps) {
  const requestPush = createPushRequests(broker, channels.authorisations, { maxInFlight: MAX_IN_FLIGHT });

  async function request(
    { chargerId, incarnationId }: Connection,
    { clientId }: ClientAuthorization,
    { rfidTag, socketId, action }: TagQuestion,
    deadlineMs: number,
  ): Promise<AuthorizationAnswer | 'nobody' | 'timeout'> {
    const asked = await requestPush({ clientId, chargerId, incarnationId, rfidTag, socketId, action }, deadlineMs);
    return typeof asked === 'object' ? asked.answer : asked;
  }

  return {
    /** What is known without asking; undefined where the endpoint must be asked. */
    known(connection: Connection, { rfidTag, timestamp }: TagQuestion, receivedAt: Date): Authorized | undefined {
      const { authorization } = connection;
      if (authorization?.terms === undefined) return NOT_ASKED;
      if (isLate(timestamp, receivedAt)) return { authorization: fallbackOf(authorization, null) };
      const kept = keptVerdict(authorization, rfidTag, clock.monotonicMs());
      return kept && { authorization: kept };
    },

    /** Never rejects. `withinMs`: the charger needs its answer then. */
    async ask(connection: Connection, question: TagQuestion, withinMs: number): Promise<Authorized> {
      const { authorization: client } = connection;
      if (client?.terms === undefined) return NOT_ASKED;
      const { revision, timeoutS } = client.terms;
      const startMs = clock.monotonicMs();
      const answer = await request(connection, client, question, Math.min(timeoutS * 1_000 + TRANSIT_MS, withinMs));
      const nowMs = clock.monotonicMs();
      const authorization = authorizationOf(client, answer, nowMs - startMs);
      if (authorization === undefined) return NOT_ASKED;
      metrics.authorizations.inc({ source: authorization.source });
      if (authorization.tookMs !== null) metrics.authorizationSeconds.observe((nowMs - startMs) / 1_000);
      if (typeof answer === 'object' && answer.outcome === 'judged' && client.terms.revision === revision) {
        const kept = { authorization: { ...authorization, tookMs: null }, untilMs: nowMs + answer.validForMs };
        if (answer.validForMs > 0) keepVerdict(client, question.rfidTag, kept);
      }
      return { authorization };
    },
  };
}

function authorizationOf(
  client: ClientAuthorization,
  answer: AuthorizationAnswer | 'nobody' | 'timeout',
  tookMs: number,
): EnvelopeAuthorization | undefined {
  if (answer === 'nobody') return fallbackOf(client, null);
  if (answer === 'timeout') return fallbackOf(client, Math.round(tookMs));
  switch (answer.outcome) {
    case 'not_asked':
      return undefined;
    case 'unavailable':
      return fallbackOf(client, null);
    case 'own':
      // Should the client delete the tag before the decision is stored, it is unknown.
      return { source: 'own', verdict: 'unknown', tookMs: null };
    case 'failed':
      return { source: 'fallback', verdict: answer.verdict, tookMs: answer.tookMs };
    case 'judged': {
      const { verdict, parentIdTag, expiresAt } = answer;
      return {
        source: 'endpoint',
        verdict,
        tookMs: answer.tookMs,
        ...(parentIdTag === undefined ? {} : { parentIdTag }),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      };
    }
  }
}

/** Undefined where the endpoint is not for the charger's site: as of the admission, since nobody says where it is now. */
function fallbackOf(client: ClientAuthorization, tookMs: number | null): EnvelopeAuthorization | undefined {
  if (!appliesHere(client)) return undefined;
  return { source: 'fallback', verdict: client.terms?.onFailure === 'accept' ? 'accepted' : 'unknown', tookMs };
}

function isLate(timestamp: string | undefined, receivedAt: Date): boolean {
  const statedMs = timestamp === undefined ? undefined : parseTimestamp(timestamp)?.date.getTime();
  return statedMs !== undefined && statedMs >= EARLIEST_MS && receivedAt.getTime() - statedMs > LATE_MS;
}
