import { listedCertificates2 } from '@busbar/ocpp';
import { dropCertificate, storeCertificates } from '../shared/installed-certificates';
import type { OutcomeHandler } from './route';

/** The result of a GetInstalledCertificateIds (OCPP 2.0.1, M03). NotFound: there is none of the types. */
export const getInstalledCertificateIdsOutcome: OutcomeHandler<'GetInstalledCertificateIds'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, report, context) {
    const { request, response } = report.payload;
    if (request === undefined || response === undefined) return { charger };
    const certificates = listedCertificates2(response);
    storeCertificates(charger, report, context, { types: request.certificateType, certificates });
    return { charger };
  },
};

/** The result of a DeleteCertificate (OCPP 2.0.1, M04). */
export const deleteCertificateOutcome: OutcomeHandler<'DeleteCertificate'> = {
  prepare: (needs, { chargerId }) => needs.deviceStates(chargerId),
  apply(charger, { payload: { request, status } }, context) {
    if (request !== undefined) dropCertificate(charger, context, { hashData: request.certificateHashData, status });
    return { charger };
  },
};
