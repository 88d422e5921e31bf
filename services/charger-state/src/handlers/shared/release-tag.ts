// A stop that is never sent must not block its tag: when the socket is free again, the tag is released. The session does not
// end, since a late stop still counts.
import type { Charger } from '@busbar/domain/chargers';
import type { OngoingTransaction } from '@busbar/domain/sessions';
import { withReported, type HandlerContext } from '../../pipeline/contract';

/** The record after the socket of that session is free. A refused session that did not charge is removed. */
export function releaseTagAt(charger: Charger, ongoing: OngoingTransaction, context: HandlerContext): Charger {
  if (ongoing.tagReleased === true) return charger;
  if (ongoing.refused === true) {
    const others = Object.entries(charger.reported.ongoing).filter(([, each]) => each !== ongoing);
    return withReported(charger, { ongoing: Object.fromEntries(others) });
  }
  context.rows.tagReleased.push(ongoing.sessionId);
  const known = context.lookups.session(ongoing.sessionId);
  if (known !== undefined) context.lookups.put({ ...known, tagReleased: true });
  const released = { ...charger.reported.ongoing, [String(ongoing.socketId)]: { ...ongoing, tagReleased: true } };
  return withReported(charger, { ongoing: released });
}
