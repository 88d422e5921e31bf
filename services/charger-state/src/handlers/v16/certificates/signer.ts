// After a SignCertificate that was Accepted the charger gets its certificate (OCPP 1.6 security whitepaper, 5.9 and 4.2).
import { isAppError, type Clock, type Logger } from '@busbar/core';
import { type Records } from '@busbar/domain';
import { hasRoomForCertificate, type Charger } from '@busbar/domain/chargers';
import { type ChargerLink } from '@busbar/domain/commands';
import type { Applied } from '../../../pipeline/contract';
import type { Authority } from './authority';

export interface SignerDeps {
  readonly authority: Authority;
  readonly records: Pick<Records, 'certificates'>;
  readonly link: Pick<ChargerLink, 'call'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly commandTimeoutMs: number;
}

export interface Signer {
  /** Looks for accepted requests in a batch and sends the certificates. Never waits. */
  follow(applied: readonly Applied[]): void;
  stop(): void;
}

/** The answer to the request goes another way than our CALL, and must be there first. */
const SETTLE_MS = 250;
/** Requests that are worked on; a charger asks again when nothing comes of one. */
const MAX_CONCURRENCY = 200;

export function createSigner(deps: SignerDeps): Signer {
  let inProgress = 0;
  let stopped = false;

  async function sign(charger: Charger, csr: string): Promise<void> {
    await new Promise<void>((resolve) => deps.clock.after(SETTLE_MS, resolve));
    const { chargerId, incarnationId, connection } = charger;
    const timeoutMs = deps.commandTimeoutMs;
    if (stopped || connection.gatewayId === null) return;
    const kept = await deps.records.certificates.list(chargerId);
    if (!hasRoomForCertificate(kept, incarnationId)) {
      deps.logger.warn(
        { chargerId, certificates: kept.length },
        'a charger has too many certificates to get another one',
      );
      return;
    }
    const { chain: certificateChain, certificate } = await deps.authority.sign(csr, charger);
    // Kept before it leaves: one that nobody knows of could not be revoked.
    await deps.records.certificates.keep(certificate);
    const { serialNumber } = certificate;
    const call = { action: 'CertificateSigned', payload: { certificateChain }, timeoutMs, waitMs: timeoutMs };
    const outcome = await deps.link.call({ gatewayId: connection.gatewayId, chargerId, incarnationId }, call);
    const status = outcome.outcome === 'answered' ? outcome.payload['status'] : outcome.outcome;
    deps.logger.info({ chargerId, serialNumber, status }, 'a charger was sent its certificate');
  }

  return {
    follow(applied) {
      for (const { report, charger, answer, isNew } of applied) {
        const csr = isNew && report.action === 'SignCertificate' ? csrOf(report.payload) : undefined;
        if (csr === undefined || charger === undefined || answer?.['status'] !== 'Accepted') continue;
        if (inProgress >= MAX_CONCURRENCY) {
          deps.logger.warn({ chargerId: charger.chargerId }, 'too many certificates are asked for at once');
          continue;
        }
        inProgress += 1;
        void sign(charger, csr)
          .catch((error: unknown) => {
            const { chargerId } = charger;
            const level = isAppError(error, 'invalid_request') ? 'info' : 'error';
            deps.logger[level]({ err: error, chargerId }, 'a certificate could not be signed');
          })
          .finally(() => (inProgress -= 1));
      }
    },
    stop() {
      stopped = true;
    },
  };
}

/** The text of a SignCertificate.req, which its schema has let pass. */
export function csrOf(payload: unknown): string | undefined {
  const { csr } = (payload ?? {}) as { readonly csr?: unknown };
  return typeof csr === 'string' ? csr : undefined;
}
