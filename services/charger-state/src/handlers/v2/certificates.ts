// Answers to requests for certificates (OCPP 2.0.1, M) while nothing is configured that could provide them.
import type { RequestOf } from './route';
import { answeredBy } from './stored-only';

type HashData = RequestOf<'GetCertificateChainStatus'>['certificateStatusRequests'][number]['certificateHashData'];

/** The time after which a charger may ask again for the status of a certificate. */
const NEXT_UPDATE_MS = 3_600_000;
const HASH_ALGORITHMS = ['SHA256', 'SHA384', 'SHA512'];
const MAX_SERIAL = 40;

/** A contract certificate needs a provider. */
export const get15118EVCertificate = answeredBy<'Get15118EVCertificate'>(() => ({ status: 'Failed', exiResponse: '' }));

export const getCertificateStatus = answeredBy<'GetCertificateStatus'>(() => ({ status: 'Failed' }));

export const getCertificateChainStatus = answeredBy<'GetCertificateChainStatus'>(
  ({ certificateStatusRequests }, receivedAt) => ({
    certificateStatus: certificateStatusRequests.map(({ certificateHashData, source }) => ({
      certificateHashData: standardHashData(certificateHashData),
      source: source === 'CRL' ? source : 'OCSP',
      status: 'Failed',
      nextUpdate: new Date(Date.parse(receivedAt) + NEXT_UPDATE_MS).toISOString(),
    })),
  }),
);

/** A tolerated value of the charger's must not return to it: its own schema may refuse it. */
function standardHashData({ hashAlgorithm, serialNumber, issuerNameHash, issuerKeyHash }: HashData): HashData {
  return {
    hashAlgorithm: HASH_ALGORITHMS.includes(hashAlgorithm) ? hashAlgorithm : 'SHA256',
    issuerNameHash,
    issuerKeyHash,
    serialNumber: serialNumber.slice(0, MAX_SERIAL),
  };
}

/** A certificate needs an authority, and the charger's CSR is not signed yet. */
export const signCertificate = answeredBy<'SignCertificate'>(() => ({ status: 'Rejected' }));
