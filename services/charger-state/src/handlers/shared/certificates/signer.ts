// Sends a charger its certificate after an accepted SignCertificate, in any version (OCPP 1.6 security whitepaper, 5.9 and 4.2; OCPP 2.0.1, A02).
import { createConcurrencyLimiter, delay, isAppError, type Clock, type Logger, type Timer } from '@busbar/core';
import { type Records } from '@busbar/domain';
import type { ReportStore } from '@busbar/domain/reports';
import { hasRoomForCertificate, type Charger } from '@busbar/domain/chargers';
import type { ChargerLink, LinkOutcome } from '@busbar/domain/commands';
import { LRUCache } from 'lru-cache';
import type { Applied } from '../../../pipeline/contract';
import type { Authorities } from './authorities';
import type { CertificateType } from './profiles';

export interface SignerDeps {
  readonly authorities: Authorities;
  readonly records: Pick<Records, 'certificates'>;
  readonly reports: Pick<ReportStore, 'loadChargers'>;
  readonly link: Pick<ChargerLink, 'call'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How a version of OCPP requests and sends a certificate. */
export interface CertificateMessages {
  /** The request in a report; undefined where it is none. */
  requestIn(report: Applied['report']): CertificateRequest | undefined;
  /** The status in the charger's response to CertificateSigned; undefined where it sent none. */
  statusIn(outcome: LinkOutcome): string | undefined;
  /** How often the certificate is sent where the charger rejects it or sends no response. One without a connection counts no attempt. */
  readonly attempts: number;
}

export interface CertificateRequest {
  readonly type: CertificateType;
  readonly csr: string;
  /** The payload of CertificateSigned. */
  readonly signed: (certificateChain: string) => Readonly<Record<string, unknown>>;
}

/** The CALLRESULT takes another way than our CALL, and must reach the charger first. */
const CALL_DELAY_MS = 250;
/** Requests in progress; a charger asks again when it gets no certificate. */
const MAX_CONCURRENCY = 200;
/** A charger may need long to check and store a chain: without a response by then it is sent again (rule 161). */
const ANSWER_MS = 60_000;
const RETRY_MS = 60_000;
/** A charger that restarts, or a store that is down, is back by then. Until then neither uses up an attempt. */
const DISCONNECTED_MS = 15 * 60_000;
/** Certificates that are sent again; beyond, the charger of the oldest asks again by itself. */
const MAX_RETRIES = 1_000;

interface Sending {
  readonly charger: Charger;
  readonly type: CertificateType;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly serialNumber: string;
  readonly attempt: number;
  /** By the monotonic clock: from then on it is not sent again to a charger without a known connection. */
  readonly disconnectedUntil: number;
}

export function createSigner(deps: SignerDeps, messages: CertificateMessages) {
  const { clock, logger } = deps;
  const limiter = createConcurrencyLimiter({ concurrency: MAX_CONCURRENCY, maxQueue: 0 });
  const retries = new LRUCache<string, Timer>({ max: MAX_RETRIES, dispose: (timer) => timer.cancel() });
  let stopped = false;

  async function sign(charger: Charger, { type, csr, signed }: CertificateRequest): Promise<void> {
    await delay(clock, CALL_DELAY_MS);
    const { chargerId, incarnationId } = charger;
    const authority = deps.authorities[type];
    if (stopped || authority === undefined || charger.connection.gatewayId === null) return;
    const kept = await deps.records.certificates.list(chargerId);
    if (!hasRoomForCertificate(kept, { incarnationId, type })) {
      logger.warn(
        { chargerId, type, certificates: kept.length },
        'did not sign a certificate: the charger has too many; delete some',
      );
      return;
    }
    const { chain, certificate } = await authority.sign(csr, charger);
    // Stored before it is sent: an unknown certificate could not be revoked.
    await deps.records.certificates.insert(certificate);
    const { serialNumber } = certificate;
    const disconnectedUntil = clock.monotonicMs() + DISCONNECTED_MS;
    await send({ charger, type, payload: signed(chain), serialNumber, attempt: 1, disconnectedUntil });
  }

  async function send(sending: Sending): Promise<void> {
    const { charger, type, payload, serialNumber, attempt } = sending;
    const { chargerId, incarnationId } = charger;
    if (stopped) return;
    const gatewayId = await gatewayOf(charger).catch((error: unknown) => {
      logger.warn({ err: error, chargerId, type }, 'could not read where a charger is connected');
    });
    const call = { action: 'CertificateSigned', payload, timeoutMs: ANSWER_MS, waitMs: ANSWER_MS };
    const outcome = gatewayId && (await deps.link.call({ gatewayId, chargerId, incarnationId }, call));
    const status = outcome ? (messages.statusIn(outcome) ?? outcome.outcome) : 'not_connected';
    const message = outcome
      ? 'sent a certificate to its charger'
      : 'sent no certificate: its charger has no connection';
    logger.info({ chargerId, type, serialNumber, status, attempt }, message);
    const isLast = outcome ? attempt >= messages.attempts : clock.monotonicMs() >= sending.disconnectedUntil;
    if (status === 'Accepted' || isLast) return;
    const again = (): void => {
      retries.delete(keyOf(sending));
      begin(chargerId, () => send({ ...sending, attempt: outcome ? attempt + 1 : attempt }));
    };
    // A newer certificate of the charger and type replaces one that it did not take.
    retries.set(keyOf(sending), clock.after(RETRY_MS, again));
  }

  /** Read for each attempt: the charger may have connected elsewhere. Undefined where it is not connected in that version. */
  async function gatewayOf({ chargerId, incarnationId, connection }: Charger): Promise<string | undefined> {
    const [now] = await deps.reports.loadChargers([chargerId]);
    if (now?.incarnationId !== incarnationId || !now.connection.active) return undefined;
    return now.connection.ocppVersion === connection.ocppVersion ? (now.connection.gatewayId ?? undefined) : undefined;
  }

  function begin(chargerId: string, work: () => Promise<void>): void {
    limiter
      .run(work)
      .then((result) => {
        if (result !== 'busy') return;
        const message = 'did not sign a certificate: too many requests at the same time; the charger retries';
        logger.warn({ chargerId }, message);
      })
      .catch((error: unknown) => {
        const level = isAppError(error, 'invalid_request') ? 'info' : 'error';
        logger[level]({ err: error, chargerId }, 'could not sign a certificate');
      });
  }

  return {
    /** Finds accepted requests in a batch and sends the certificates. Never waits. */
    follow(applied: readonly Applied[]): void {
      for (const { report, charger, answer, isNew, isRepeat = false } of applied) {
        const request = isNew && !isRepeat ? messages.requestIn(report) : undefined;
        if (request === undefined || charger === undefined || answer?.['status'] !== 'Accepted') continue;
        retries.delete(keyOf({ charger, ...request }));
        begin(charger.chargerId, () => sign(charger, request));
      }
    },
    stop(): void {
      stopped = true;
      retries.clear();
    },
  };
}

function keyOf({ charger, type }: Pick<Sending, 'charger' | 'type'>): string {
  return `${type} ${charger.chargerId}`;
}
