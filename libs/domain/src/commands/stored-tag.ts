import type { Charger } from '../chargers/charger';
import { isOfOcpp16 } from '../chargers/charger-view';
import { tagKey, type TagReader } from '../tags/tag';
import type { StoredFacts } from './call-charger';

/** Finds the tag that a command names: a charger of OCPP 2.x is sent its type. Nothing for OCPP 1.6, which has the text alone. */
export function storedTagOf({ tags }: { readonly tags: Pick<TagReader, 'findByKeys'> }, rfidTag: string) {
  return async (charger: Pick<Charger, 'clientId' | 'connection'>): Promise<StoredFacts> => {
    if (isOfOcpp16(charger)) return {};
    const [tag] = await tags.findByKeys(charger.clientId, [tagKey(rfidTag)]);
    return { tag };
  };
}
