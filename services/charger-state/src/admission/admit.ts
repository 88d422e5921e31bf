// May this charger connect? Asked by a gateway before it answers the upgrade.
import type { AdmissionAnswer, AdmissionRequest } from '@busbar/contracts';
import { isAppError, type Clock } from '@busbar/core';
import type { ReportStore } from '@busbar/domain/reports';
import {
  certifies,
  useKey,
  withGoodNetwork,
  type Charger,
  type ChargerReader,
  type ChargerWriter,
} from '@busbar/domain/chargers';
import type { ClientQuota } from './client-quota';
import { lastOrderOf } from '../pipeline/positions';
import { presentedKey, type PresentedKey } from './presented-key';
import type { PasswordChecks } from './password-checks';

export interface AdmissionDeps {
  readonly chargers: Pick<ChargerReader, 'find'> & Pick<ChargerWriter, 'replaceAuthentication' | 'saveGoodNetworks'>;
  readonly reports: Pick<ReportStore, 'nextOrder'>;
  readonly passwords: PasswordChecks;
  readonly quota: ClientQuota;
  readonly clock: Clock;
  readonly partitions: number;
}

/** Whoever changes what a charger must present at the same moment does so once or twice, not for ever. */
const MAX_ATTEMPTS = 5;

/**
 * Accepts with a new order, greater than all this charger had before (by the store's count, and by what its record shows of
 * messages that outlived a backup's return in the broker), or says why not; while the store is away, that, at
 * once: the gateway need not wait to tell the charger to come again.
 */
export async function admit(request: AdmissionRequest, deps: AdmissionDeps): Promise<AdmissionAnswer> {
  try {
    for (let round = 0; round < MAX_ATTEMPTS; round += 1) {
      const answer = await judge(request, deps);
      if (answer !== 'changed_meanwhile') return answer;
    }
    return { outcome: 'busy' };
  } catch (error) {
    if (isAppError(error, 'unavailable')) return { outcome: 'unavailable' };
    throw error;
  }
}

async function judge(request: AdmissionRequest, deps: AdmissionDeps): Promise<AdmissionAnswer | 'changed_meanwhile'> {
  const charger = await deps.chargers.find(request.chargerId);
  // First, and the same whether there is such a charger or not.
  const isKnown = isKnownNetwork(charger, request);
  if (request.knownNetworkOnly === true && !isKnown) return { outcome: 'throttled' };
  if (charger === undefined) return { outcome: 'unknown' };
  const refusal = refusalOf(charger, request);
  if (refusal !== undefined) return refusal;
  // Strangers' guesses must not hold it up where it is known, and few can be made from there.
  const suspect = request.suspect === true && !isKnown;
  const key = await presentedKey(charger, { ...request, suspect }, deps.passwords);
  if (key === 'wrong') return { outcome: 'unauthorized' };
  if (key === 'busy') return { outcome: 'busy' };
  if (!(await deps.quota.has(charger))) return { outcome: 'too_many_connections' };
  const order = await deps.reports.nextOrder(charger.chargerId, lastOrderOf(charger));
  if (!(await isCurrent(charger, key, order, deps))) return 'changed_meanwhile';
  await rememberNetwork(charger, request, deps);
  return {
    outcome: 'accept',
    incarnationId: charger.incarnationId,
    order,
    partitions: deps.partitions,
    compatibility: charger.registered.compatibility,
    deviations: key.asHex ? ['hex_key'] : [],
  };
}

function isKnownNetwork(charger: Charger | undefined, { network }: AdmissionRequest): boolean {
  return network !== undefined && (charger?.lastGoodNetworks ?? []).includes(network);
}

/** One write where it comes from elsewhere than the last time; else nothing. */
async function rememberNetwork(charger: Charger, { network }: AdmissionRequest, deps: AdmissionDeps): Promise<void> {
  if (network === undefined) return;
  const { lastGoodNetworks = [] } = charger;
  const networks = withGoodNetwork(lastGoodNetworks, network);
  if (networks !== lastGoodNetworks) await deps.chargers.saveGoodNetworks(charger, networks);
}

/** What the connection itself lacks, whatever the password (rule 13; security profile 3 of the 1.6 security whitepaper). */
function refusalOf(charger: Charger, request: AdmissionRequest): AdmissionAnswer | undefined {
  const { securityProfile } = charger.registered.authentication;
  if (securityProfile >= 2 && !request.secure) return { outcome: 'insecure' };
  const names = request.certificateNames ?? [];
  if (securityProfile === 3 && !certifies(names, charger)) return { outcome: 'certificate_required' };
  return undefined;
}

/**
 * Whether what the charger was judged by is still what is stored, now that its connection has its order: then whoever
 * changes it from here on sees that order, and closes the connection (rule 70). Settles which key is the charger's (rule 10).
 */
async function isCurrent(
  charger: Charger,
  { used }: PresentedKey,
  order: number,
  { chargers, clock }: AdmissionDeps,
): Promise<boolean> {
  const { authentication } = charger.registered;
  const settled = useKey(authentication, used, order, clock.now().toISOString());
  if (settled !== authentication) return chargers.replaceAuthentication(charger, settled);
  const stored = await chargers.find(charger.chargerId);
  const now = stored?.registered.authentication;
  return (
    stored?.incarnationId === charger.incarnationId &&
    now?.version === authentication.version &&
    now?.passwordHash === authentication.passwordHash
  );
}
