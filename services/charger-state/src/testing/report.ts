import type { ReportEnvelope } from '@busbar/contracts';
import { createId } from '@busbar/core';

/** The first message of charger A, with these parts. Its incarnation and its frame follow from them. */
export function newReport(part: Partial<ReportEnvelope> = {}): ReportEnvelope {
  const { chargerId = 'A', messageId = 'm', action = '', payload = {} } = part;
  return {
    v: 1,
    id: createId(),
    kind: 'decision',
    chargerId,
    incarnationId: `${chargerId}-1`,
    connectionId: 'c',
    gatewayId: 'g',
    order: 1,
    seq: 1,
    ocppVersion: 'ocpp1.6',
    action,
    messageId,
    payload,
    raw: JSON.stringify([2, messageId, action, payload]),
    receivedAt: '2026-01-01T00:00:00.000Z',
    ...part,
  };
}
