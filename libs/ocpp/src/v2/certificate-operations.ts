// Certificates of a charger in OCPP 2.x (M03 to M05).
import { given } from '../operations/calls';
import { hashDataOf, type ListedCertificate } from '../operations/certificate';
import type { OperationTable } from '../operations/operation';
import { call, status } from './operation-parts';
import type { V2Responses } from './payloads';

export const certificateOperations: OperationTable = {
  installCertificate: ({ type, certificate }) => status('InstallCertificate', { certificateType: type, certificate }),
  deleteCertificate: (_input, { certificateHashData }) =>
    certificateHashData && status('DeleteCertificate', { certificateHashData }),
  listCertificates: ({ type }) =>
    call('GetInstalledCertificateIds', given('certificateType', type), (answer) => ({
      status: answer.status,
      certificates: listedCertificates2(answer),
    })),
};

/** The certificates in the response to a GetInstalledCertificateIds. */
export function listedCertificates2({
  certificateHashDataChain = [],
}: V2Responses['GetInstalledCertificateIds']): readonly ListedCertificate[] {
  return certificateHashDataChain.map(({ certificateType, certificateHashData, childCertificateHashData = [] }) => ({
    type: certificateType,
    hashData: hashDataOf(certificateHashData),
    children: childCertificateHashData.map(hashDataOf),
  }));
}

/** The path of a field in the input, by its path in the payload. */
export function certificatePath([field = '', ...rest]: readonly string[]): string {
  if (field === 'certificateHashData') return '/certificateId';
  return `/${[field === 'certificateType' ? 'type' : field, ...rest].join('/')}`;
}
