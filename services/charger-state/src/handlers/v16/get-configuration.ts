import type { CommandAnswer } from '@busbar/contracts';
import type { ConfigurationItem } from '@busbar/domain';
import { maskPayload } from '@busbar/ocpp';
import { isAfter, withReported, type Handler } from '../handler';

/** More keys than any charger has; what a record holds must have a bound. */
export const MOST_ITEMS = 1000;

/**
 * How our GetConfiguration ended (OCPP 1.6 5.8): what the charger told replaces what was known of the same keys, and those
 * that it does not know are dropped. What a later command changed stays.
 */
export const getConfigurationOutcome: Handler<CommandAnswer> = {
  apply(charger, { payload }, { position }) {
    if (payload.outcome !== 'answered') return { charger };
    const before = charger.reported.configurationPosition;
    if (before !== null && !isAfter(position, before)) return { charger };
    const answer = maskPayload(payload.payload);
    const items = new Map(charger.reported.configuration.map((item) => [item.configName.toLowerCase(), item]));
    const isOpen = (name: string): boolean => isAfter(position, items.get(name)?.position ?? [0, 0]);
    for (const item of itemsOf(answer)) {
      const name = item.configName.toLowerCase();
      if (isOpen(name)) items.set(name, item);
    }
    for (const name of namesOf(answer['unknownKey'])) if (isOpen(name)) items.delete(name);
    return {
      charger: withReported(charger, {
        configuration: [...items.values()].slice(0, MOST_ITEMS),
        configurationPosition: position,
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

function namesOf(keys: unknown): string[] {
  if (!Array.isArray(keys)) return [];
  return keys.flatMap((key: unknown) => (typeof key === 'string' ? [key.toLowerCase()] : []));
}
