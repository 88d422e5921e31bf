// Asks services/push about certificates of ISO 15118 (docs/iso-15118.md).
import type { Broker } from '@busbar/broker';
import { channels, type CertificateFinding, type CertificateQuestion } from '@busbar/contracts';
import type { Connection } from '../connection/connection';
import { createPushRequests } from './push-requests';

/** Push has five seconds for each question; the rest is for both ways through the broker. */
const ANSWER_MS = 5_500;
const MAX_IN_FLIGHT = 500;
const NONE: CertificateFinding = { kind: 'none' };

export type CertificateChecker = ReturnType<typeof createCertificateChecker>;

/** Returns a function that never rejects. `withinMs`: the charger needs its answer then. */
export function createCertificateChecker(broker: Pick<Broker, 'request'>) {
  const request = createPushRequests(broker, channels.certificateChecks, { maxInFlight: MAX_IN_FLIGHT });
  return async (
    { chargerId, version: ocppVersion }: Connection,
    question: CertificateQuestion,
    withinMs: number,
  ): Promise<CertificateFinding> => {
    const asked = await request({ chargerId, ocppVersion, question }, Math.min(ANSWER_MS, withinMs));
    return typeof asked === 'object' ? asked.answer : NONE;
  };
}
