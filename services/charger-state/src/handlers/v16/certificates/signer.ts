// Sends a charger its certificate after an accepted SignCertificate (OCPP 1.6 security whitepaper, 5.9 and 4.2).
import { createConcurrencyLimiter, delay, isAppError, type Clock, type Logger } from '@busbar/core';
import { type Records } from '@busbar/domain';
import { hasRoomForCertificate, type Charger } from '@busbar/domain/chargers';
import { type ChargerLink } from '@busbar/domain/commands';
import type { Applied } from '../../../pipeline/contract';
import { reportedRequest, responseOf, type Action, type RequestOf } from '../route';
import type { Authority } from './authority';

export interface SignerDeps {
  readonly authority: Authority;
  readonly records: Pick<Records, 'certificates'>;
  readonly link: Pick<ChargerLink, 'call'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly commandTimeoutMs: number;
}

/** The CALLRESULT takes another way than our CALL, and must reach the charger first. */
const CALL_DELAY_MS = 250;
/** Requests in progress; a charger asks again when it gets no certificate. */
const MAX_CONCURRENCY = 200;

export function createSigner(deps: SignerDeps) {
  const limiter = createConcurrencyLimiter({ concurrency: MAX_CONCURRENCY, maxQueue: 0 });
  let stopped = false;

  async function sign(charger: Charger, csr: string): Promise<void> {
    await delay(deps.clock, CALL_DELAY_MS);
    const { chargerId, incarnationId, connection } = charger;
    const timeoutMs = deps.commandTimeoutMs;
    if (stopped || connection.gatewayId === null) return;
    const kept = await deps.records.certificates.list(chargerId);
    if (!hasRoomForCertificate(kept, incarnationId)) {
      deps.logger.warn(
        { chargerId, certificates: kept.length },
        'did not sign a certificate: the charger has too many; delete some',
      );
      return;
    }
    const { chain: certificateChain, certificate } = await deps.authority.sign(csr, charger);
    // Stored before it is sent: an unknown certificate could not be revoked.
    await deps.records.certificates.insert(certificate);
    const { serialNumber } = certificate;
    const payload: RequestOf<'CertificateSigned'> = { certificateChain };
    const call = { action: 'CertificateSigned' satisfies Action, payload, timeoutMs, waitMs: timeoutMs };
    const outcome = await deps.link.call({ gatewayId: connection.gatewayId, chargerId, incarnationId }, call);
    const response = responseOf('CertificateSigned', outcome);
    const status = response === undefined ? outcome.outcome : response.status;
    deps.logger.info({ chargerId, serialNumber, status }, 'sent a certificate to its charger');
  }

  return {
    /** Finds accepted requests in a batch and sends the certificates. Never waits. */
    follow(applied: readonly Applied[]): void {
      for (const { report, charger, answer, isNew } of applied) {
        const request = isNew ? reportedRequest('SignCertificate', report) : undefined;
        if (request === undefined || charger === undefined || answer?.['status'] !== 'Accepted') continue;
        const { chargerId } = charger;
        void limiter
          .run(() => sign(charger, request.csr))
          .then((result) => {
            if (result !== 'busy') return;
            const message = 'did not sign a certificate: too many requests at the same time; the charger retries';
            deps.logger.warn({ chargerId }, message);
          })
          .catch((error: unknown) => {
            const level = isAppError(error, 'invalid_request') ? 'info' : 'error';
            deps.logger[level]({ err: error, chargerId }, 'could not sign a certificate');
          });
      }
    },
    stop(): void {
      stopped = true;
    },
  };
}
