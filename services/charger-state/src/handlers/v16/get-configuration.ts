import type { CommandAnswer } from '@busbar/contracts';
import type { ConfigurationItem } from '@busbar/domain';
import { maskPayload } from '@busbar/ocpp';
import { isAfter, withReported, type Handler } from '../handler';

/** More keys than any charger has; what a record holds must have a bound. */
const MOST_ITEMS = 1000;

/** How our GetConfiguration ended (OCPP 1.6 5.8): what the charger told replaces what was known of the same keys. */
export const getConfigurationOutcome: Handler<CommandAnswer> = {
  apply(charger, { payload }, context) {
    if (payload.outcome !== 'answered') return { charger };
    const before = charger.reported.configurationPosition;
    if (before !== null && !isAfter(context.position, before)) return { charger };
    const items = new Map(charger.reported.configuration.map((item) => [item.configName, item]));
    for (const item of itemsOf(maskPayload(payload.payload))) items.set(item.configName, item);
    return {
      charger: withReported(charger, {
        configuration: [...items.values()].slice(0, MOST_ITEMS),
        configurationPosition: context.position,
      }),
    };
  },
};

function itemsOf(answer: Readonly<Record<string, unknown>>): ConfigurationItem[] {
  const keys = answer['configurationKey'];
  if (!Array.isArray(keys)) return [];
  return keys.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const { key, value, readonly } = entry as { key?: unknown; value?: unknown; readonly?: unknown };
    if (typeof key !== 'string') return [];
    const text = typeof value === 'string' ? value : '';
    return [{ configName: key, configValue: text, canBeChanged: readonly !== true }];
  });
}
