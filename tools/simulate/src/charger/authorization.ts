// Decides whether a charger accepts a tag: by its local list, its cache, or the service (OCPP 1.6, 3.5).
import type { CallResult } from '@busbar/ocpp';
import type { ChargerState } from './charger-state';
import { isOn } from './configuration';
import { cacheTag, standingOf, type TagInfo } from './local-list';

export interface AuthorizationDeps {
  readonly state: ChargerState;
  readonly now: () => Date;
  readonly isOnline: () => boolean;
  readonly ask: (idTag: string) => Promise<CallResult>;
}

/** Unknown to the charger and not answered by the service. */
const NO_ANSWER: TagInfo = { status: 'Invalid' };

/** The standing of a tag. Without a connection an unknown tag is Invalid, unless AllowOfflineTxForUnknownId. */
export async function authorize({ state, now, isOnline, ask }: AuthorizationDeps, idTag: string): Promise<TagInfo> {
  const { configuration, cache } = state;
  const local = localStanding(state, idTag, now());
  if (!isOnline()) {
    if (isOn(configuration, 'LocalAuthorizeOffline') && local !== undefined) return local;
    return isOn(configuration, 'AllowOfflineTxForUnknownId') ? { status: 'Accepted' } : NO_ANSWER;
  }
  if (isOn(configuration, 'LocalPreAuthorize') && local?.status === 'Accepted') return local;
  const result = await ask(idTag);
  if (result.outcome !== 'answered') return NO_ANSWER;
  const info = result.payload['idTagInfo'] as TagInfo;
  if (isOn(configuration, 'AuthorizationCacheEnabled')) cacheTag(cache, idTag, info);
  return info;
}

/** The list before the cache, each where it is enabled. */
export function localStanding(
  { configuration, localList, cache }: ChargerState,
  idTag: string,
  at: Date,
): TagInfo | undefined {
  const listed = isOn(configuration, 'LocalAuthListEnabled') ? standingOf(localList.tags, idTag, at) : undefined;
  return listed ?? (isOn(configuration, 'AuthorizationCacheEnabled') ? standingOf(cache, idTag, at) : undefined);
}
