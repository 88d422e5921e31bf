// The verdict on the token with which a transaction of OCPP 2.x is charged (rules 155 and 156).
import type { Charger } from '@busbar/domain/chargers';
import type { HandlerContext } from '../../../pipeline/contract';
import { judgeStart } from '../../shared/judge-start';
import { standingAt } from '../id-token-info';
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

/** Others name no tag: many sessions have the same one, and none of them is its use. */
export function isTag({ type }: { readonly type: string }): boolean {
  return type !== 'Local' && type !== 'NoAuthorization';
}

export function hasTag(session: TransactionSession): boolean {
  const { token } = factsOf(session);
  return token !== undefined && isTag(token.value);
}
