// The status of certificates, by OCSP: as the responder gave it, and verified against the authorities of the operator.
import type {
  CertificateFinding,
  CertificateQuestion,
  CertificateStatusFinding,
  CertificateStatusRequest,
} from '@busbar/contracts';
import { AppError } from '@busbar/core';
import { parseCertificates, type Certificate } from './certificate';
import { certificateIdOf } from './certificate-id';
import { chainFaultOf, readChain, statusRequestsFor } from './contract-trust';
import { isAuthentic } from './ocsp-message';
import { createResponders, type RespondersDeps } from './responders';

export interface StatusChecksDeps extends RespondersDeps {
  /** PEM of the authorities that are trusted. Undefined: no status can be verified. */
  readonly roots: string | undefined;
}

export type StatusChecks = ReturnType<typeof createStatusChecks>;

type TrustQuestion = Extract<CertificateQuestion, { kind: 'trust' }>;
type TrustVerdict = Extract<CertificateFinding, { kind: 'trust' }>['verdict'];

const FAILED: CertificateStatusFinding = { status: 'failed' };

/** Throws `invalid_configuration` where the roots cannot be read. None of the functions rejects. */
export function createStatusChecks({ roots, ...deps }: StatusChecksDeps) {
  const anchors = anchorsIn(roots);
  const responders = createResponders(deps);

  async function statusOf(
    request: CertificateStatusRequest,
    chain: readonly Certificate[] = [],
  ): Promise<CertificateStatusFinding> {
    const id = certificateIdOf(request);
    const response = id && (await responders.ask(id, request.urls));
    if (id === undefined || response === undefined) return FAILED;
    if (!isAuthentic(response, id, chain, { anchors, now: deps.clock.now() })) {
      responders.forget(id, request.urls);
      deps.logger.info({ serialNumber: request.serialNumber }, 'a response of an OCSP responder does not verify');
      return FAILED;
    }
    const { status, nextUpdate } = response;
    return { status, ...(nextUpdate === undefined ? {} : { nextUpdate: nextUpdate.toISOString() }) };
  }

  async function verdictOn({ certificates, chain: pem }: TrustQuestion): Promise<TrustVerdict> {
    if (anchors.length === 0) return 'unavailable';
    const chain = pem === undefined ? [] : readChain(pem);
    if (chain === undefined) return 'chain_error';
    const fault = pem === undefined ? undefined : chainFaultOf(chain, { anchors, now: deps.clock.now() });
    if (fault !== undefined) return fault;
    const requests = statusRequestsFor(certificates, chain, anchors);
    const statuses = await Promise.all(requests.map((request) => statusOf(request, chain)));
    if (statuses.some(({ status }) => status === 'revoked')) return 'revoked';
    return statuses.length > 0 && statuses.every(({ status }) => status === 'good') ? 'accepted' : 'unavailable';
  }

  return {
    /** Whether a contract may be used. */
    async trust(question: TrustQuestion): Promise<CertificateFinding> {
      return { kind: 'trust', verdict: await verdictOn(question) };
    },
    /** The response of the responder as it is. */
    async response(request: CertificateStatusRequest): Promise<CertificateFinding> {
      const id = certificateIdOf(request);
      const response = id && (await responders.ask(id, request.urls));
      return response === undefined
        ? { kind: 'none' }
        : { kind: 'response', response: response.der.toString('base64') };
    },
    /** Each verified; `failed` where it does not verify. */
    async statuses(requests: readonly CertificateStatusRequest[]): Promise<CertificateFinding> {
      return { kind: 'statuses', statuses: await Promise.all(requests.map((request) => statusOf(request))) };
    },
  };
}

function anchorsIn(roots: string | undefined): readonly Certificate[] {
  if (roots === undefined) return [];
  try {
    const anchors = parseCertificates(roots);
    if (anchors.length > 0) return anchors;
  } catch (cause) {
    throw unusable(cause);
  }
  throw unusable();
}

function unusable(cause?: unknown): AppError {
  return new AppError('invalid_configuration', 'CONTRACT_ROOTS_FILE has no certificates in PEM form: correct it.', {
    cause,
  });
}
