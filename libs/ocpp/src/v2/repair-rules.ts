import type { RepairRules } from '../repair';

/** Fields of OCPP 2.x whose meaning limits what may be repaired. No register of 2.x counts whole watt-hours. */
export const repairRules2: RepairRules = {
  uncuttable: new Set([
    'idToken',
    'additionalIdToken',
    'transactionId',
    'csr',
    'certificate',
    'exiRequest',
    'issuerNameHash',
    'issuerKeyHash',
  ]),
  emptyLists: true,
  wattHours: new Set(),
};
