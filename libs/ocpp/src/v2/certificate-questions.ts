// Which CALLs of a charger ask about certificates of ISO 15118 (OCPP 2.0.1, C07, M01, M02 and M06; 2.1, M07).
import type { CertificateQuestion, CertificateStatusRequest } from '@busbar/contracts';
import type { Protocol } from '../protocol';
import type { V2Requests } from './payloads';

type Request<A extends keyof V2Requests> = V2Requests[A];
type HashData = Request<'GetCertificateChainStatus'>['certificateStatusRequests'][number]['certificateHashData'];

export const certificateQuestionOf: NonNullable<Protocol['certificateQuestionOf']> = (action, payload) => {
  switch (action) {
    case 'Authorize':
      return trustQuestion(payload as Request<'Authorize'>);
    case 'Get15118EVCertificate':
      return contractQuestion(payload as Request<'Get15118EVCertificate'>);
    case 'GetCertificateStatus':
      return responseQuestion(payload as Request<'GetCertificateStatus'>);
    case 'GetCertificateChainStatus':
      return statusesQuestion(payload as Request<'GetCertificateChainStatus'>);
    default:
      return undefined;
  }
};

function trustQuestion({
  certificate: chain,
  iso15118CertificateHashData: hashData,
}: Request<'Authorize'>): CertificateQuestion | undefined {
  if (chain === undefined && hashData === undefined) return undefined;
  const certificates = (hashData ?? []).map((each) => statusRequest(each, [each.responderURL]));
  return { kind: 'trust', certificates, ...(chain !== undefined && { chain }) };
}

function contractQuestion(request: Request<'Get15118EVCertificate'>): CertificateQuestion {
  const { iso15118SchemaVersion: schemaVersion, action, exiRequest, maximumContractCertificateChains } = request;
  const { prioritizedEMAIDs } = request;
  return {
    kind: 'contract',
    schemaVersion,
    action,
    exiRequest,
    ...(maximumContractCertificateChains !== undefined && { maxContracts: maximumContractCertificateChains }),
    ...(prioritizedEMAIDs !== undefined && { contractIds: prioritizedEMAIDs }),
  };
}

function responseQuestion({ ocspRequestData }: Request<'GetCertificateStatus'>): CertificateQuestion {
  return { kind: 'response', certificate: statusRequest(ocspRequestData, [ocspRequestData.responderURL]) };
}

/** A status by a revocation list is not available. */
function statusesQuestion({ certificateStatusRequests }: Request<'GetCertificateChainStatus'>): CertificateQuestion {
  return {
    kind: 'statuses',
    certificates: certificateStatusRequests.map(({ certificateHashData, source, urls }) =>
      statusRequest(certificateHashData, source === 'CRL' ? [] : urls),
    ),
  };
}

function statusRequest(
  { hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber }: HashData,
  urls: readonly string[],
): CertificateStatusRequest {
  return { hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber, urls };
}
