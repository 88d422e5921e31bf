import { readFileSync } from 'node:fs';
import type { egressSettings } from '../settings/shared-settings';
import type { SettingsOf } from '../settings/setting';
import type { Egress, EgressOptions } from './egress';
import { createEgressAddresses } from './egress-address';
import { checkEgressUrl, type EgressUrlResult } from './egress-url';

export type EgressSettings = SettingsOf<typeof egressSettings>;

/** Creates the HTTP client towards servers of others. It is loaded here: it costs 20 MB, and most processes send nothing. */
export async function openEgress(options: EgressOptions): Promise<Egress> {
  const { createEgress } = await import('./egress.js');
  return createEgress(options);
}

/** As the operator configured it. `loopback`: permits the loopback too. Rejects where PUSH_CA_FILE cannot be read. */
export async function openEgressOf(settings: EgressSettings, loopback: boolean): Promise<Egress> {
  return openEgress({ ...policyOf(settings, loopback), ...routeOf(settings) });
}

/**
 * For URLs that chargers name: public addresses and these networks only, by `https:` or `http:`, through the same proxy. Rejects where
 * PUSH_CA_FILE cannot be read.
 */
export async function openResponderEgress(
  settings: Pick<EgressSettings, 'pushCaFile' | 'pushProxyUrl'>,
  allowedCidrs: readonly string[],
): Promise<Egress> {
  return openEgress({ allowedCidrs, loopback: false, plainHttp: false, publicHttp: true, ...routeOf(settings) });
}

function routeOf({ pushProxyUrl: proxyUrl, pushCaFile }: Pick<EgressSettings, 'pushCaFile' | 'pushProxyUrl'>) {
  return {
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
    ...(pushCaFile === undefined ? {} : { authorities: readFileSync(pushCaFile, 'utf8') }),
  };
}

/** Judges URLs as `Egress.check` does, without the HTTP client, for processes that only store them. */
export function createUrlCheck(
  settings: Pick<EgressSettings, 'pushAllowedCidrs' | 'pushPlainHttp'>,
  loopback: boolean,
): (url: string) => EgressUrlResult {
  const policy = policyOf(settings, loopback);
  const addresses = createEgressAddresses(policy);
  return (url) => checkEgressUrl(url, { ...policy, addresses });
}

function policyOf(
  { pushAllowedCidrs, pushPlainHttp }: Pick<EgressSettings, 'pushAllowedCidrs' | 'pushPlainHttp'>,
  loopback: boolean,
): Pick<EgressOptions, 'allowedCidrs' | 'loopback' | 'plainHttp'> {
  return { allowedCidrs: pushAllowedCidrs, plainHttp: pushPlainHttp, loopback };
}
