import { type Records } from '@busbar/domain';
import { MAX_CERTIFICATES_PER_CHARGER_ID } from '@busbar/domain/chargers';
import { eq, type Store } from '../../port';
import { collections } from '../collections';

export function certificateRecords(store: Store): Records['certificates'] {
  const certificates = store.collection(collections.chargerCertificates);
  return {
    async insert(certificate) {
      await certificates.insert({ _id: certificate.serialNumber, ...certificate });
    },
    async list(chargerId) {
      const sort = [['issuedAt', -1] as const, ['_id', -1] as const];
      const rows = await certificates.find(eq('chargerId', chargerId), {
        sort,
        limit: MAX_CERTIFICATES_PER_CHARGER_ID,
      });
      return rows.map(({ _id: serialNumber, incarnationId, issuedAt, notAfter }) => {
        return { serialNumber, chargerId, incarnationId, issuedAt, notAfter };
      });
    },
  };
}
