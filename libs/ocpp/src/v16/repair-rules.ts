import type { RepairRules } from '../repair';

/** Fields of OCPP 1.6 whose meaning limits what may be repaired. */
export const repairRules16: RepairRules = {
  uncuttable: new Set(['idTag', 'parentIdTag', 'csr', 'issuerNameHash', 'issuerKeyHash', 'serialNumber']),
  emptyLists: false,
  wattHours: new Set(['meterStart', 'meterStop']),
};
