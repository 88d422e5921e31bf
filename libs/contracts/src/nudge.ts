import type { ReportEnvelope } from './report';
import { REPORT_KINDS } from './version';

export interface NudgedCharger {
  readonly chargerId: string;
  readonly incarnationId: string;
}

/** A nudge for the partition of that charger. It may be repeated: it only makes charger-state read the record. */
export function nudgeOf({ chargerId, incarnationId }: NudgedCharger, id: string, at: Date): ReportEnvelope {
  return {
    v: REPORT_KINDS.nudge,
    id,
    kind: 'nudge',
    chargerId,
    incarnationId,
    connectionId: '',
    gatewayId: '',
    order: 0,
    seq: 0,
    ocppVersion: '',
    action: '',
    messageId: '',
    payload: null,
    raw: '',
    receivedAt: at.toISOString(),
  };
}
