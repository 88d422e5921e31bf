import type { Logger } from '@busbar/core';
import type { SessionWriter } from '@busbar/domain/sessions';
import type { Applied } from './outcome';

/**
 * A session row goes into the store before its charger's record. When the charger is deleted between the two, nobody will
 * tell of that session's stop, and whoever deleted the charger has not seen it: it is ended here at once, or, where that
 * fails or this process dies before it is done, by `stranded-sessions.ts` within minutes. So the message does not wait.
 */
export function abandonSessions(
  applied: readonly Applied[],
  { sessions, logger }: { readonly sessions: SessionWriter; readonly logger: Logger },
): void {
  const starts = applied.filter(({ report, charger }) => {
    return charger === undefined && report.kind === 'decision' && report.action === 'StartTransaction';
  });
  for (const { report } of starts) {
    const { chargerId, incarnationId } = report;
    sessions.abandon(chargerId, incarnationId).catch((err: unknown) => {
      logger.warn({ err, chargerId }, 'sessions of a deleted charger could not be ended');
    });
  }
}
