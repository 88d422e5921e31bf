// May this charger connect? Asked by a gateway before it answers the upgrade.
import type { AdmissionAnswer, AdmissionRequest } from '@busbar/contracts';
import { isAppError } from '@busbar/core';
import { matchesSecret, type Charger, type ChargerReader, type ReportStore } from '@busbar/domain';

export interface AdmissionDeps {
  readonly chargers: Pick<ChargerReader, 'find'>;
  readonly reports: Pick<ReportStore, 'nextOrder'>;
  readonly partitions: number;
}

/**
 * Accepts with a new order, greater than all this charger had before, or says why not; while the store is away, that, at
 * once: the gateway need not wait to tell the charger to come again.
 */
export async function admit(request: AdmissionRequest, deps: AdmissionDeps): Promise<AdmissionAnswer> {
  try {
    return await judge(request, deps);
  } catch (error) {
    if (isAppError(error, 'unavailable')) return { outcome: 'unavailable' };
    throw error;
  }
}

async function judge(request: AdmissionRequest, deps: AdmissionDeps): Promise<AdmissionAnswer> {
  const charger = await deps.chargers.find(request.chargerId);
  if (charger === undefined) return { outcome: 'unknown' };
  const { authentication, compatibility } = charger.registered;
  if (authentication.securityProfile >= 2 && !request.secure) return { outcome: 'insecure' };
  const credentials = await checkPassword(charger, request);
  if (credentials === 'wrong') return { outcome: 'unauthorized' };
  return {
    outcome: 'accept',
    incarnationId: charger.incarnationId,
    order: await deps.reports.nextOrder(charger.chargerId),
    partitions: deps.partitions,
    compatibility,
    deviations: credentials === 'as_hex' ? ['hex_key'] : [],
  };
}

/** Bytes are compared, not text (rule 8); a key sent as its hex digits is a tolerated deviation (rule 9). */
async function checkPassword(charger: Charger, request: AdmissionRequest): Promise<'right' | 'as_hex' | 'wrong'> {
  const { authentication, compatibility } = charger.registered;
  if (authentication.passwordHash === null) return 'right';
  if (request.passwordBase64 === undefined) return 'wrong';
  const sent = Buffer.from(request.passwordBase64, 'base64');
  if (await matchesSecret(sent, authentication.passwordHash)) return 'right';
  const text = sent.toString('latin1');
  if (!compatibility.acceptHexKey || !/^(?:[0-9A-Fa-f]{2}){16,20}$/.test(text)) return 'wrong';
  return (await matchesSecret(Buffer.from(text, 'hex'), authentication.passwordHash)) ? 'as_hex' : 'wrong';
}
