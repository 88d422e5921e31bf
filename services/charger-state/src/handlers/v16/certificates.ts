import { listedCertificates16 } from '@busbar/ocpp';
import { dropCertificate, storeCertificates } from '../shared/installed-certificates';
import type { OutcomeHandler } from './route';

/** The result of a GetInstalledCertificateIds (OCPP 1.6, security extension, M04). NotFound: there is none of the type. */
export const getInstalledCertificateIdsOutcome: OutcomeHandler<'GetInstalledCertificateIds'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, report, context) {
    const { request, response } = report.payload;
    if (request === undefined || response === undefined) return { charger };
    const { certificateType } = request;
    const certificates = listedCertificates16(certificateType, response);
    storeCertificates(charger, report, context, { types: [certificateType], certificates });
    return { charger };
  },
};

/** The result of a DeleteCertificate (OCPP 1.6, security extension, M03). */
export const deleteCertificateOutcome: OutcomeHandler<'DeleteCertificate'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, { payload: { request, status } }, context) {
    if (request !== undefined) dropCertificate(charger, context, { hashData: request.certificateHashData, status });
    return { charger };
  },
};
