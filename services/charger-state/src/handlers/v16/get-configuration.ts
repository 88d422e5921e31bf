import { withChangedAt, type ConfigurationItem } from '@busbar/domain/chargers';
import { maskPayload } from '@busbar/ocpp';
import { isAfter, withReported } from '../../pipeline/contract';
import { MAX_ITEMS } from '../shared/configuration';
import type { OutcomeHandler, RequestOf, ResponseOf } from './route';

const MAX_KEYS = 'getconfigurationmaxkeys';

/**
 * The result of a GetConfiguration (OCPP 1.6 5.8). The reported keys replace those stored. Keys that the charger does not know
 * are deleted, and so are those that a complete response lacks. The change of a later command is retained.
 */
export const getConfigurationOutcome: OutcomeHandler<'GetConfiguration'> = {
  apply(charger, { payload: { request, response }, receivedAt: at }, { position }) {
    const before = charger.reported.configurationPosition;
    if (response === undefined || (before !== null && !isAfter(position, before))) return { charger };
    const known = new Map(charger.reported.configuration.map((item) => [item.configName.toLowerCase(), item]));
    const items = new Map(known);
    const isOlder = (name: string): boolean => isAfter(position, known.get(name)?.position ?? [0, 0]);
    const reported = itemsOf(maskPayload(response));
    if (isComplete(request, reported, items)) for (const name of items.keys()) if (isOlder(name)) items.delete(name);
    for (const item of reported) {
      const name = item.configName.toLowerCase();
      if (isOlder(name)) items.set(name, withChangedAt(item, known.get(name), at));
    }
    for (const key of response.unknownKey ?? []) if (isOlder(key.toLowerCase())) items.delete(key.toLowerCase());
    return {
      charger: withReported(charger, {
        configuration: [...items.values()].slice(0, MAX_ITEMS),
        configurationPosition: position,
      }),
    };
  },
};

/**
 * Returns whether these are all keys of the charger: the request named none, and nothing was cut off. Nothing was cut
 * off where the response is shorter than the charger's limit (GetConfigurationMaxKeys, OCPP 1.6 9.1.10).
 */
function isComplete(
  request: RequestOf<'GetConfiguration'> | undefined,
  reported: readonly ConfigurationItem[],
  before: ReadonlyMap<string, ConfigurationItem>,
): boolean {
  if (request === undefined || (request.key ?? []).length > 0 || reported.length === 0) return false;
  const limit = reported.find(({ configName }) => configName.toLowerCase() === MAX_KEYS) ?? before.get(MAX_KEYS);
  return !(Number(limit?.configValue) <= reported.length);
}

function itemsOf({ configurationKey = [] }: ResponseOf<'GetConfiguration'>): ConfigurationItem[] {
  return configurationKey.map(({ key, value = '', readonly }) => ({
    configName: key,
    configValue: value,
    canBeChanged: !readonly,
  }));
}
