import type { CommandAnswer } from '@busbar/contracts';
import { maskPayload } from '@busbar/ocpp';
import type { Handler } from '../handler';
import { exchangeOf } from './exchange';

/** Commands that a charger goes on with after its answer, and tells of by notifications. */
type Transfer = 'UpdateFirmware' | 'SignedUpdateFirmware' | 'GetDiagnostics' | 'GetLog';

/**
 * How a command ended that makes the charger load something up or down: kept beside the notifications of how far it got,
 * as what was asked, what was answered and by which command.
 */
export function transferOutcome(action: Transfer): Handler<CommandAnswer> {
  return {
    apply(charger, report, context) {
      const exchange = exchangeOf(action, report);
      if (exchange === undefined) return { charger };
      const { request, answer } = exchange;
      context.rows.events.push({
        rowId: report.id,
        chargerId: charger.chargerId,
        incarnationId: charger.incarnationId,
        clientId: charger.clientId,
        action,
        receivedAt: report.receivedAt,
        payload: maskPayload({ request, answer, commandId: report.commandId ?? null }),
      });
      return { charger };
    },
  };
}
