// Decides whether the charger of an upgrade may connect: the login throttle first, then charger-state.
import type { IncomingMessage } from 'node:http';
import type { Broker, RequestOutcome } from '@busbar/broker';
import { channels, type AdmissionAnswer, type AdmissionRequest } from '@busbar/contracts';
import { createConcurrencyLimiter, type Clock, type ConcurrencyLimiter, type Logger } from '@busbar/core';
import { networkOf, type UpgradeConnection } from '@busbar/http';
import { requiresSecurity } from '@busbar/ocpp';
import { isSameIdentity, narrowChoice, readCredentials, type chooseSubprotocol } from './handshake';
import {
  createLoginThrottle,
  type Attempt,
  type AttemptEnd,
  type LoginThrottle,
  type ThrottleLimits,
} from './login-throttle';
import type { Rejection } from './rejection';

export interface AdmissionLimits {
  /** Admission requests in flight. */
  readonly concurrency: number;
  /** Upgrades that wait behind them. */
  readonly maxQueue: number;
  readonly maxWaitMs: number;
}

export interface JudgeDeps {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Tolerates nothing, whatever the charger's own switches are. */
  readonly strict: boolean;
  readonly gatewayId: () => string;
  readonly admissionLimits: AdmissionLimits;
  readonly throttleLimits?: ThrottleLimits;
}

export interface Candidate {
  readonly chargerId: string;
  readonly connectionId: string;
  readonly choice: ReturnType<typeof chooseSubprotocol>;
}

export type Judgement =
  | Exclude<AdmissionAnswer, { readonly outcome: 'throttled' }>
  | { readonly outcome: 'rejected'; readonly rejection: Rejection };

export interface Judged {
  readonly answer: Judgement;
  readonly ocppVersion: string | null;
}

export type Judge = (request: IncomingMessage, from: UpgradeConnection, candidate: Candidate) => Promise<Judged>;

/**
 * After this time without a response of charger-state the upgrade gets 503. A replica that takes partitions over during a rollout may need
 * seconds, and a rejected charger costs another upgrade; the websocket clients of many chargers give up after 10 s.
 */
const ADMISSION_MS = 8_000;
const THROTTLED_LIMITS: AdmissionLimits = { concurrency: 20, maxQueue: 200, maxWaitMs: 2_000 };

interface Tools extends JudgeDeps {
  readonly limiter: ConcurrencyLimiter;
  /** For throttled attempts: an attacker's must not delay the others. */
  readonly throttledLimiter: ConcurrencyLimiter;
  readonly throttle: LoginThrottle;
}

export function createJudge(deps: JudgeDeps): Judge {
  const tools: Tools = {
    ...deps,
    limiter: limiterOf(deps.admissionLimits, deps.clock),
    throttledLimiter: limiterOf(THROTTLED_LIMITS, deps.clock),
    throttle: createLoginThrottle(deps.clock, deps.throttleLimits),
  };
  return (request, from, candidate) => judge(tools, request, from, candidate);
}

function limiterOf({ concurrency, maxQueue, maxWaitMs }: AdmissionLimits, clock: Clock): ConcurrencyLimiter {
  return createConcurrencyLimiter({ concurrency, maxQueue, wait: { ms: maxWaitMs, clock } });
}

async function judge(
  deps: Tools,
  request: IncomingMessage,
  from: UpgradeConnection,
  { chargerId, connectionId, choice }: Candidate,
): Promise<Judged> {
  const credentials = readCredentials(request.headers.authorization);
  const isOwn = credentials.kind === 'basic' && isSameIdentity(credentials.username, chargerId);
  const ocppVersion = choice.kind === 'chosen' ? choice.version : null;
  const hasPassword = credentials.kind !== 'none';
  const attempt = deps.throttle.attempt({ chargerId, address: from.address, hasPassword });
  if (attempt.verdict === 'wait') return { answer: tooManyAttempts(attempt.waitMs), ocppVersion };
  const question: AdmissionRequest = {
    chargerId,
    connectionId,
    gatewayId: deps.gatewayId(),
    secure: from.secure,
    ocppVersion,
    ...(choice.kind === 'chosen' ? { offeredVersions: choice.versions } : {}),
    ...(from.address === undefined ? {} : { network: networkOf(from.address) }),
    ...certificateOf(deps, chargerId, from),
    // The password of another identity is not checked (rule 12).
    ...(isOwn ? { passwordBase64: credentials.password.toString('base64') } : {}),
    ...(attempt.suspect ? { suspect: true } : {}),
  };
  const answer = rejectedAttempt(deps, await ask(deps, request, question, attempt));
  const isForeign = hasPassword && !isOwn && wasJudged(answer) && !ignoresPassword(answer, choice);
  const judged: Judgement = isForeign ? { outcome: 'unauthorized' } : answer;
  attempt.ended(endOf(judged, hasPassword));
  return { answer: judged, ocppVersion };
}

function certificateOf(
  { logger }: Tools,
  chargerId: string,
  { certificate, address }: UpgradeConnection,
): Pick<AdmissionRequest, 'certificateNames'> {
  if (certificate.kind === 'trusted') return { certificateNames: certificate.names };
  if (certificate.kind === 'untrusted') {
    const { reason } = certificate;
    logger.info({ chargerId, peer: address, reason }, 'a charger presented a certificate that is not trusted');
  }
  return {};
}

/** Returns whether charger-state checked this attempt of an existing charger. */
function wasJudged({ outcome }: Judgement): boolean {
  return outcome !== 'unknown' && outcome !== 'busy' && outcome !== 'unavailable' && outcome !== 'rejected';
}

/** In OCPP 2.x the certificate is enough, whatever else the charger sends (rule 107). */
function ignoresPassword(answer: Judgement, choice: Candidate['choice']): boolean {
  if (answer.outcome !== 'accept' || answer.securityProfile !== 3) return false;
  const spoken = narrowChoice(choice, answer.compatibility.ocppVersions);
  return spoken.kind === 'chosen' && requiresSecurity(spoken.version);
}

function endOf({ outcome }: Judgement, hasPassword: boolean): AttemptEnd {
  if (outcome === 'accept') return 'right';
  if (outcome === 'unauthorized') return hasPassword ? 'wrong_password' : 'rejected';
  return outcome === 'unknown' || outcome === 'insecure' || outcome === 'certificate_required'
    ? 'rejected'
    : 'not_judged';
}

function tooManyAttempts(waitMs: number): Judgement {
  return { outcome: 'rejected', rejection: { status: 429, reason: 'too_many_attempts', retryAfterMs: waitMs } };
}

/** Requests the admission from charger-state, within the concurrency limit. */
async function ask(
  deps: Tools,
  request: IncomingMessage,
  question: AdmissionRequest,
  { verdict, waitMs }: Attempt,
): Promise<Judgement> {
  const isThrottled = verdict === 'check_if_known';
  const asked: AdmissionRequest = isThrottled ? { ...question, knownNetworkOnly: true } : question;
  const result = await (isThrottled ? deps.throttledLimiter : deps.limiter).run(
    () => deps.broker.request(channels.admissions, '', asked, ADMISSION_MS),
    () => !request.socket.destroyed,
  );
  const isAnswered = result !== 'busy' && result.outcome === 'answered';
  if (isAnswered && result.answer.outcome !== 'throttled') return result.answer;
  if (isThrottled) return tooManyAttempts(waitMs);
  return { outcome: 'rejected', rejection: { status: 503, reason: reasonOf(result) } };
}

/** Returns why there is no answer of charger-state. */
function reasonOf(result: 'busy' | Pick<RequestOutcome<AdmissionAnswer>, 'outcome'>): string {
  if (result === 'busy') return 'too_many_upgrades';
  const isBrokerLost = result.outcome === 'lost' || result.outcome === 'unavailable';
  return isBrokerLost ? 'broker_unavailable' : 'charger_state_unavailable';
}

/** A strict gateway does not accept a key that is right only in a tolerated form (rule 9). */
function rejectedAttempt({ strict }: JudgeDeps, answer: Judgement): Judgement {
  return strict && answer.outcome === 'accept' && answer.deviations.length > 0 ? { outcome: 'unauthorized' } : answer;
}
