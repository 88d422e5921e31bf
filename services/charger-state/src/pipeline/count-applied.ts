import type { Logger } from '@busbar/core';
import type { ChargerStateMetrics } from '../charger-state-metrics';
import type { Applied } from './contract';

const UNTIL_TOMORROW = 'further starts are answered InternalError until tomorrow (UTC)';
const OVER_LIMIT = {
  too_many_starts: `a charger began its OCPP_MAX_STARTS_PER_DAY transactions: ${UNTIL_TOMORROW}`,
  too_many_client_starts: `a client's chargers began its OCPP_MAX_CLIENT_STARTS_PER_DAY transactions: ${UNTIL_TOMORROW}`,
} as const;

/** Counts the applied messages, and warns of a charger's first refused start of a day. */
export function countApplied(
  applied: readonly Applied[],
  metrics: Pick<ChargerStateMetrics, 'applied' | 'deviations' | 'refusedStarts'>,
  logger: Logger,
): void {
  metrics.applied.inc({}, applied.length);
  for (const { deviations = [], startRefused: reason, charger } of applied) {
    for (const kind of deviations) metrics.deviations.inc({ kind });
    if (reason === undefined || charger === undefined) continue;
    metrics.refusedStarts.inc({ reason });
    const { chargerId, clientId, reported } = charger;
    if (reported.starts?.refused !== 1) continue;
    const fields = { chargerId, clientId, reason, starts: reported.starts.count };
    if (reason === 'out_of_ids') logger.error(fields, 'no transaction id is left: a start is answered InternalError');
    else logger.warn(fields, OVER_LIMIT[reason]);
  }
}
