// A refused start is a session, but no use of its tag (rule 61), until the charger shows that it charges all the same. Some
// chargers are configured to, some ignore the refusal.
import type { Charger } from '@busbar/domain/chargers';
import type { OngoingTransaction, Session } from '@busbar/domain/sessions';
import { withReported, type HandlerContext } from '../../pipeline/contract';

/** The record after the charger has shown that it charges at that socket. */
export function chargingAt(charger: Charger, socketId: number, context: HandlerContext): Charger {
  const ongoing = charger.reported.ongoing[String(socketId)];
  if (ongoing?.refused !== true) return charger;
  resumeRefused(ongoing, context);
  return withReported(charger, {
    ongoing: { ...charger.reported.ongoing, [String(socketId)]: { ...ongoing, refused: false } },
  });
}

/**
 * Writes the change and shows it to later messages of the batch. Returns the changed session, where it was looked up.
 */
export function resumeRefused(
  { sessionId }: Pick<OngoingTransaction, 'sessionId'>,
  { rows, lookups }: HandlerContext,
): Session | undefined {
  rows.chargingDespiteRefusal.push(sessionId);
  const known = lookups.session(sessionId);
  if (known === undefined) return undefined;
  const session: Session = known.state === 'refused' ? { ...known, state: 'ongoing' } : known;
  lookups.put(session);
  return session;
}
