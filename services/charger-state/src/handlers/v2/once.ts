// Messages that a charger of OCPP 2.x sends again, on another connection or under another id (rules 69 and 119). The gateway knows
// repeats on one connection, and of its own connections in 2.1; here the content decides, whichever gateway had the first one.
import { isSamePosition } from '@busbar/contracts';
import type { Charger, RecentMessage } from '@busbar/domain/chargers';
import { noRows } from '@busbar/domain/reports';
import { hasOwnTime } from '@busbar/ocpp';
import { NO_EVENTS } from '../../feed/batch-events';
import { withReported, type Handler, type HandlerContext, type Report } from '../../pipeline/contract';
import { hasBootedSince } from '../shared/boots';
import { hashOf } from '../shared/row-id';

/** As many as a gateway remembers: a charger repeats its last message, or one shortly before. */
const REMEMBERED = 8;
/** Later, a message without a time of its own is another one with the same id. */
const REPEATED_WITHIN_MS = 600_000;

/**
 * Applies a message once. One that is sent again has the same answer, and no second row, event or change. Equal messages are the same
 * message where they have a time of their own. Others must have the same id on another connection, within ten minutes and without a
 * boot in between: ids may restart with a boot.
 */
export function once(handler: Handler): Handler {
  return {
    ...handler,
    apply(charger, report, context) {
      // A SEND has no answer that could be lost, so it is never sent again.
      if (report.unanswered === true) return handler.apply(charger, report, context);
      const isTimed = hasOwnTime(report.payload);
      const message: RecentMessage = { key: keyOf(report, isTimed), position: context.position, at: report.receivedAt };
      const { recentMessages = [] } = charger.reported;
      const known = recentMessages.find(({ key }) => key === message.key);
      if (known !== undefined && isRepeat(charger, { known, message, isTimed })) {
        return { charger, ...answerOf(handler, charger, report, context), isRepeat: true };
      }
      const handled = handler.apply(charger, report, context);
      const others = recentMessages.filter((each) => each !== known).slice(1 - REMEMBERED);
      return { ...handled, charger: withReported(handled.charger, { recentMessages: [...others, message] }) };
    },
  };
}

function keyOf({ action, messageId, payload }: Report<unknown>, isTimed: boolean): string {
  return hashOf(action, isTimed ? '' : messageId, JSON.stringify(payload));
}

interface Pair {
  readonly known: RecentMessage;
  readonly message: RecentMessage;
  readonly isTimed: boolean;
}

/** A message that is delivered again is no repeat: it has the position of the known one. */
function isRepeat(charger: Charger, { known, message, isTimed }: Pair): boolean {
  if (isSamePosition(known.position, message.position)) return false;
  if (isTimed) return true;
  const isLate = Math.abs(Date.parse(message.at) - Date.parse(known.at)) > REPEATED_WITHIN_MS;
  return known.position[0] !== message.position[0] && !isLate && !hasBootedSince(charger, known.position);
}

/** The answer alone, where the message needs one. */
function answerOf(handler: Handler, charger: Charger, report: Report<unknown>, context: HandlerContext) {
  if (report.kind !== 'decision') return {};
  const ignore = (): void => undefined;
  const puts = { put: ignore, putDeviceState: ignore, putDeviceModel: ignore, putEventStreams: ignore };
  const lookups = { ...context.lookups, ...puts };
  const { answer } = handler.apply(charger, report, {
    ...context,
    lookups,
    rows: noRows(),
    contested: [],
    events: NO_EVENTS,
  });
  return answer === undefined ? {} : { answer };
}
