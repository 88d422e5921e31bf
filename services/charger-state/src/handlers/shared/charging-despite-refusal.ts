// A start whose tag was refused is a session, but not the tag's use (rule 61), until the charger shows that it charges all
// the same: some are set to, some do not care.
import type { Charger } from '@busbar/domain/chargers';
import type { OngoingTransaction, Session } from '@busbar/domain/sessions';
import { withReported, type HandlerContext } from '../../pipeline/contract';

/** The record once the charger has shown that it charges at that socket, refused or not. */
export function chargingAt(charger: Charger, socketId: number, context: HandlerContext): Charger {
  const ongoing = charger.reported.ongoing[String(socketId)];
  if (ongoing?.refused !== true) return charger;
  resumeRefused(ongoing, context);
  return withReported(charger, {
    ongoing: { ...charger.reported.ongoing, [String(socketId)]: { ...ongoing, refused: false } },
  });
}

/** To be written; later messages of the batch see it so. Returns the session as it then is, where it was looked up. */
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
