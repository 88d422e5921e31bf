// The verdict on the token with which a transaction of OCPP 2.x is charged (rules 155 and 156).
import type { Charger } from '@busbar/domain/chargers';
import { tagKey, type TagVerdict } from '@busbar/domain/tags';
import type { HandlerContext } from '../../../pipeline/contract';
import { judgeStart } from '../../shared/judge-start';
import { standingAt, type IdToken } from '../id-token-info';
import type { TransactionReport } from './read-event';
import { factsOf, type TransactionSession } from './transaction-session';

export interface PresentedToken {
  readonly report: TransactionReport;
  /** An event with a lower number has brought another token than the one that was judged. */
  readonly isOtherToken: boolean;
}

/** The verdict on the token of a session stays (rule 155). */
export function withVerdict(
  charger: Charger,
  session: TransactionSession,
  { report, isOtherToken }: PresentedToken,
  { lookups }: HandlerContext,
): TransactionSession {
  const { idToken } = report.payload;
  if (idToken === undefined || (session.verdict !== undefined && !isOtherToken)) return session;
  if (!isTag(idToken)) {
    // A token for which the charger vouches is no tag, and in use nowhere.
    const verdict = standingAt(charger, idToken, report, { lookups });
    const isOpenlyAccepted = idToken.type === 'NoAuthorization' && verdict === 'accepted';
    return { ...session, verdict, authorizedBy: isOpenlyAccepted ? 'open' : 'own' };
  }
  const remoteStartId = factsOf(session).remoteStartId?.value;
  return { ...session, ...judgeStart(charger, session, { ...report, remoteStartId }, lookups) };
}

/** Tokens beside that of a session: the driver's other cards and those of the group. */
const MAX_OTHER_TOKENS = 8;

/**
 * The verdict that an event with this token is answered with: that of the session on its own token. Another one, such as a stop by the
 * group of the driver, has its own standing when it first came.
 */
export function verdictOn(token: IdToken, session: TransactionSession, standing: () => TagVerdict): TagVerdict {
  if (session.verdict !== undefined && session.idTagKey === tagKey(token.idToken)) return session.verdict;
  const [, known] = (session.device.otherVerdicts ?? []).find(([key]) => key === keyOf(token)) ?? [];
  return known ?? standing();
}

/** What an event may have changed of the verdicts on other tokens. */
interface FoldedEvent {
  /** Undefined: the event begins the session. */
  readonly before: TransactionSession | undefined;
  readonly report: TransactionReport;
}

/**
 * The session with the verdicts on other tokens than its own: on that of this event, and on the one that it had before, where an earlier
 * event has replaced that.
 */
export function withOtherVerdicts(
  charger: Charger,
  session: TransactionSession,
  event: FoldedEvent,
  context: HandlerContext,
): TransactionSession {
  const { otherVerdicts = [] } = session.device;
  const others = new Map(otherVerdicts);
  for (const [token, verdict] of verdictsGiven(charger, session, event, context)) {
    const isOther = tagKey(token.idToken) !== session.idTagKey && !others.has(keyOf(token));
    if (isOther && others.size < MAX_OTHER_TOKENS) others.set(keyOf(token), verdict);
  }
  if (others.size === otherVerdicts.length) return session;
  const sorted = [...others].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { ...session, device: { ...session.device, otherVerdicts: sorted } };
}

function verdictsGiven(
  charger: Charger,
  session: TransactionSession,
  { before, report }: FoldedEvent,
  { lookups }: HandlerContext,
): (readonly [token: IdToken, verdict: TagVerdict])[] {
  const { idToken } = report.payload;
  const earlier = before === undefined ? undefined : factsOf(before).token?.value;
  return [
    ...(earlier === undefined || before?.verdict === undefined ? [] : [[earlier, before.verdict] as const]),
    ...(idToken === undefined
      ? []
      : [[idToken, verdictOn(idToken, session, () => standingAt(charger, idToken, report, { lookups }))] as const]),
  ];
}

/** Tokens of one text are one tag, but for those that name none. */
function keyOf({ idToken, type }: IdToken): string {
  return `${type} ${tagKey(idToken)}`;
}

/** Others name no tag: many sessions have the same one, and none of them is its use. */
export function isTag({ type }: { readonly type: string }): boolean {
  return type !== 'Local' && type !== 'NoAuthorization';
}

export function hasTag(session: TransactionSession): boolean {
  const { token } = factsOf(session);
  return token !== undefined && isTag(token.value);
}
