import type { Logger } from '@busbar/core';
import type { SessionWriter } from '@busbar/domain/sessions';
import type { Applied, Router } from './contract';

/**
 * Ends the sessions that began while their charger was being deleted. Their rows are stored before the charger's
 * record, so the deletion has not seen them. Does not delay the message: where this fails, `stranded-sessions.ts` ends
 * them.
 */
export function abandonSessions(
  applied: readonly Applied[],
  { sessions, route, logger }: { readonly sessions: SessionWriter; readonly route: Router; readonly logger: Logger },
): void {
  for (const { report, charger } of applied) {
    if (charger !== undefined || route(report)?.beginsSession !== true) continue;
    const { chargerId, incarnationId } = report;
    sessions.abandon(chargerId, incarnationId).catch((err: unknown) => {
      logger.warn({ err, chargerId }, 'could not end sessions of a deleted charger; retried within a minute');
    });
  }
}
