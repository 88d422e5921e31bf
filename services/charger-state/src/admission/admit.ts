// Decides whether a charger may connect. A gateway asks before it answers the upgrade.
import type { AdmissionAnswer, AdmissionRequest, BootStatus, SecurityProfile } from '@busbar/contracts';
import { isAppError, type Clock } from '@busbar/core';
import type { ReportStore } from '@busbar/domain/reports';
import {
  awaitedReports,
  certifies,
  dated,
  useKey,
  useProfile,
  withGoodNetwork,
  type Charger,
  type ChargerReader,
  type ChargerWriter,
} from '@busbar/domain/chargers';
import type { ClientQuota } from './client-quota';
import type { ClientTerms } from './client-terms';
import { lastOrderOf } from '../pipeline/positions';
import { presentedKey, type PresentedKey } from './presented-key';
import type { PasswordChecks } from './password-checks';

export interface AdmissionDeps {
  readonly chargers: Pick<ChargerReader, 'find'> & Pick<ChargerWriter, 'replaceAuthentication' | 'saveGoodNetworks'>;
  readonly terms: Pick<ClientTerms, 'of'>;
  readonly reports: Pick<ReportStore, 'nextOrder'>;
  readonly passwords: PasswordChecks;
  readonly quota: ClientQuota;
  readonly clock: Clock;
  readonly partitions: number;
}

/** A concurrent change of the credentials is retried once or twice, not endlessly. */
const MAX_ATTEMPTS = 5;

/**
 * Accepts with a new order, or gives the reason of the rejection. The order is greater than the store's counter and than every
 * order in the record: after a restore of the store, messages that waited in RabbitMQ bring orders that the counter does not
 * know. While the store is unavailable the answer is immediate, so that the gateway can reject with 503.
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
  // First, so that it does not reveal whether the charger exists.
  const isKnown = isKnownNetwork(charger, request);
  if (request.knownNetworkOnly === true && !isKnown) return { outcome: 'throttled' };
  if (charger === undefined) return { outcome: 'unknown' };
  const rejection = rejectionOf(charger, request);
  if (rejection !== undefined) return rejection;
  // Brute force from elsewhere must not delay a charger on its usual network, where few attempts are possible.
  const suspect = request.suspect === true && !isKnown;
  const key = await presentedKey(charger, { ...request, suspect }, deps.passwords);
  if (key === 'wrong') return { outcome: 'unauthorized' };
  if (key === 'busy') return { outcome: 'busy' };
  if (!(await deps.quota.has(charger))) return { outcome: 'too_many_connections' };
  const [order, authorization] = await Promise.all([
    deps.reports.nextOrder(charger.chargerId, lastOrderOf(charger)),
    deps.terms.of(charger.clientId),
  ]);
  const proven = verifiedProfile(charger, request, key);
  if (!(await isCurrent(charger, { ...key, proven }, order, deps))) return 'changed_meanwhile';
  await rememberNetwork(charger, request, deps);
  return {
    outcome: 'accept',
    incarnationId: charger.incarnationId,
    order,
    partitions: deps.partitions,
    compatibility: charger.registered.compatibility,
    deviations: key.asHex ? ['hex_key'] : [],
    securityProfile: proven,
    transactions: Object.values(charger.reported.ongoing).map(
      ({ transactionId, device }) => device?.id ?? String(transactionId),
    ),
    bootStatus: bootStatusOf(charger),
    solicited: [...awaitedReports(charger.reported, deps.clock.now())],
    clientId: charger.clientId,
    siteId: charger.registered.siteId,
    ...(authorization === undefined ? {} : { authorization }),
  };
}

/** As the last BootNotification of OCPP 2.x was answered. A boot by 1.6 says nothing of a connection by 2.x (rule 122). */
function bootStatusOf({ reported: { boot } }: Charger): BootStatus {
  return boot?.majorVersion === 2 ? (boot.status ?? 'accepted') : 'none';
}

/** A charger without a stored password may send any: that proves nothing. */
function verifiedProfile(
  charger: Charger,
  { secure, certificateNames = [] }: AdmissionRequest,
  { isVerified }: PresentedKey,
): SecurityProfile {
  if (secure && certifies(certificateNames, charger)) return 3;
  if (!isVerified) return 0;
  return secure ? 2 : 1;
}

function isKnownNetwork(charger: Charger | undefined, { network }: AdmissionRequest): boolean {
  return network !== undefined && (charger?.lastGoodNetworks ?? []).includes(network);
}

/** Writes only when the network differs from the last one. */
async function rememberNetwork(charger: Charger, { network }: AdmissionRequest, deps: AdmissionDeps): Promise<void> {
  if (network === undefined) return;
  const { lastGoodNetworks = [] } = charger;
  const networks = withGoodNetwork(lastGoodNetworks, network);
  if (networks !== lastGoodNetworks) await deps.chargers.saveGoodNetworks(charger, networks);
}

/**
 * Requirements on the connection, independent of the password (rule 13; security profile 3 of the 1.6 security
 * whitepaper).
 */
function rejectionOf(charger: Charger, request: AdmissionRequest): AdmissionAnswer | undefined {
  const { securityProfile } = charger.registered.authentication;
  if (securityProfile >= 2 && !request.secure) return { outcome: 'insecure' };
  const names = request.certificateNames ?? [];
  if (securityProfile === 3 && !certifies(names, charger)) return { outcome: 'certificate_required' };
  return undefined;
}

/**
 * Returns whether the credentials of the decision are still stored, now that the connection has its order. A later
 * change sees that order and closes the connection (rule 70). Resolves which key the charger has (rule 10), and which security
 * profile (rule 108).
 */
async function isCurrent(
  charger: Charger,
  { used, proven }: PresentedKey & { readonly proven: SecurityProfile },
  order: number,
  { chargers, clock }: AdmissionDeps,
): Promise<boolean> {
  const { authentication } = charger.registered;
  const at = clock.now().toISOString();
  const current = dated(authentication, useProfile(useKey(authentication, used, order, at), proven), at);
  if (current !== authentication) return chargers.replaceAuthentication(charger, current);
  const stored = await chargers.find(charger.chargerId);
  const now = stored?.registered.authentication;
  return (
    stored?.incarnationId === charger.incarnationId &&
    now?.version === authentication.version &&
    now?.passwordHash === authentication.passwordHash
  );
}
