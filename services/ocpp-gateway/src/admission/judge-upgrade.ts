// Whether the charger of an upgrade may connect: charger-state's word, after what slows guessing had its own.
import type { IncomingMessage } from 'node:http';
import type { Broker } from '@busbar/broker';
import { channels, type AdmissionAnswer, type AdmissionRequest } from '@busbar/contracts';
import type { Clock, Logger } from '@busbar/core';
import { networkOf, type UpgradeConnection } from '@busbar/http';
import { isSameIdentity, readCredentials, type chooseSubprotocol } from './handshake';
import {
  createLoginThrottle,
  type Attempt,
  type AttemptEnd,
  type LoginThrottle,
  type ThrottleLimits,
} from './login-throttle';
import type { Refusal } from './refusal';
import { createAdmissionLimiter, type TurnLimits, type AdmissionLimiter } from './admission-limiter';

export interface JudgeDeps {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly strict: boolean;
  readonly gatewayId: () => string;
  readonly admissionLimits: TurnLimits;
  readonly throttleLimits?: ThrottleLimits;
}

export interface Candidate {
  readonly chargerId: string;
  readonly connectionId: string;
  readonly choice: ReturnType<typeof chooseSubprotocol>;
}

export type Judgement =
  | Exclude<AdmissionAnswer, { readonly outcome: 'throttled' }>
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

export interface Judged {
  readonly answer: Judgement;
  readonly ocppVersion: string | null;
}

export type Judge = (request: IncomingMessage, from: UpgradeConnection, candidate: Candidate) => Promise<Judged>;

/** How long charger-state may take over an admission before the charger is told to come again. */
const ADMISSION_MS = 5_000;
const THROTTLED_LIMITS: TurnLimits = { atOnce: 20, maxQueue: 200, maxWaitMs: 2_000 };

interface Tools extends JudgeDeps {
  readonly turn: AdmissionLimiter;
  /** For those of whom only the charger's own networks are let in: what strangers send must not hold up the others. */
  readonly throttledTurn: AdmissionLimiter;
  readonly throttle: LoginThrottle;
}

export function createJudge(deps: JudgeDeps): Judge {
  const tools: Tools = {
    ...deps,
    turn: createAdmissionLimiter(deps.clock, deps.admissionLimits),
    throttledTurn: createAdmissionLimiter(deps.clock, THROTTLED_LIMITS),
    throttle: createLoginThrottle(deps.clock, deps.throttleLimits),
  };
  return (request, from, candidate) => judge(tools, request, from, candidate);
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
    ...{ chargerId, connectionId, gatewayId: deps.gatewayId(), secure: from.secure, ocppVersion },
    ...(from.address === undefined ? {} : { network: networkOf(from.address) }),
    ...certificateOf(deps, chargerId, from),
    // Another's password is nothing to be looked at (rule 12).
    ...(isOwn ? { passwordBase64: credentials.password.toString('base64') } : {}),
    ...(attempt.suspect ? { suspect: true } : {}),
  };
  const answer = rejectedAttempt(deps, await ask(deps, request, question, attempt));
  const judged: Judgement = hasPassword && !isOwn && wasJudged(answer) ? { outcome: 'unauthorized' } : answer;
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
    logger.info({ chargerId, peer: address, reason }, 'a charger showed a certificate that is not trusted');
  }
  return {};
}

/** Whether the answer is about this charger and this attempt, and not about one that does not exist or was not looked at. */
function wasJudged({ outcome }: Judgement): boolean {
  return outcome !== 'unknown' && outcome !== 'busy' && outcome !== 'unavailable' && outcome !== 'refused';
}

function endOf({ outcome }: Judgement, hasPassword: boolean): AttemptEnd {
  if (outcome === 'accept') return 'right';
  if (outcome === 'unauthorized') return hasPassword ? 'wrong_password' : 'rejected';
  return outcome === 'unknown' || outcome === 'insecure' || outcome === 'certificate_required'
    ? 'rejected'
    : 'not_judged';
}

function tooManyAttempts(waitMs: number): Judgement {
  return { outcome: 'refused', refusal: { status: 429, reason: 'too_many_attempts', retryAfterMs: waitMs } };
}

/** charger-state's word, asked for when the upgrade's turn comes. */
async function ask(
  deps: Tools,
  request: IncomingMessage,
  question: AdmissionRequest,
  { verdict, waitMs }: Attempt,
): Promise<Judgement> {
  const isThrottled = verdict === 'check_if_known';
  const asked: AdmissionRequest = isThrottled ? { ...question, knownNetworkOnly: true } : question;
  const result = await (isThrottled ? deps.throttledTurn : deps.turn).take(
    () => deps.broker.request(channels.admissions, '', asked, ADMISSION_MS),
    () => !request.socket.destroyed,
  );
  if (result?.outcome === 'answered' && result.answer.outcome !== 'throttled') return result.answer;
  if (isThrottled) return tooManyAttempts(waitMs);
  const reason = result === undefined ? 'too_many_at_once' : 'charger_state_away';
  return { outcome: 'refused', refusal: { status: 503, reason } };
}

/** A strict listener does not accept a key that is right only in a form that is put up with (rule 9). */
function rejectedAttempt({ strict }: JudgeDeps, answer: Judgement): Judgement {
  return strict && answer.outcome === 'accept' && answer.deviations.length > 0 ? { outcome: 'unauthorized' } : answer;
}
