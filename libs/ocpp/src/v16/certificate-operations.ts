// Certificates of a charger in OCPP 1.6 (security extension, M03 to M05).
import { CERTIFICATE_TYPES_16, hashDataOf, type ListedCertificate } from '../operations/certificate';
import type { OperationTable } from '../operations/operation';
import { call, status } from './operation-parts';
import type { V16Responses } from './payloads';

export const certificateOperations: OperationTable = {
  installCertificate: ({ type, certificate }) => status('InstallCertificate', { certificateType: type, certificate }),
  deleteCertificate: (_input, { certificateHashData }) =>
    certificateHashData && status('DeleteCertificate', { certificateHashData }),
  listCertificates({ type: [certificateType = CERTIFICATE_TYPES_16[0], ...others] = [] }) {
    return {
      ...call('GetInstalledCertificateIds', { certificateType }, (answer) => ({
        status: answer.status,
        certificates: listedCertificates16(certificateType, answer),
      })),
      issues: others.length === 0 ? [] : [{ path: '/type', message: 'must be one type in OCPP 1.6' }],
    };
  },
};

/** The certificates of this type in the response to a GetInstalledCertificateIds. */
export function listedCertificates16(
  type: string,
  { certificateHashData = [] }: V16Responses['GetInstalledCertificateIds'],
): readonly ListedCertificate[] {
  return certificateHashData.map((hashData) => ({ type, hashData: hashDataOf(hashData), children: [] }));
}
