import type { CallOutcome } from '@busbar/contracts';
import type { ConfigurationItem } from '@busbar/domain/chargers';
import { maskPayload } from '@busbar/ocpp';
import { isAfter, withReported, type Handler, type Report } from '../handler';
import { exchangeOf } from './exchange';

/** More keys than any charger has; what a record holds must have a bound. */
export const MAX_ITEMS = 1000;

const MAX_KEYS = 'getconfigurationmaxkeys';

/**
 * How our GetConfiguration ended (OCPP 1.6 5.8): what the charger told replaces what was known of the same keys, and those
 * that it does not know are dropped, as are those that a full answer lacks. What a later command changed stays.
 */
export const getConfigurationOutcome: Handler<CallOutcome> = {
  apply(charger, report, { position }) {
    const { payload } = report;
    if (payload.outcome !== 'answered') return { charger };
    const before = charger.reported.configurationPosition;
    if (before !== null && !isAfter(position, before)) return { charger };
    const answer = maskPayload(payload.payload);
    const items = new Map(charger.reported.configuration.map((item) => [item.configName.toLowerCase(), item]));
    const isOpen = (name: string): boolean => isAfter(position, items.get(name)?.position ?? [0, 0]);
    const told = itemsOf(answer);
    if (isWhole(report, told, items)) for (const name of items.keys()) if (isOpen(name)) items.delete(name);
    for (const item of told) {
      const name = item.configName.toLowerCase();
      if (isOpen(name)) items.set(name, item);
    }
    for (const name of namesOf(answer['unknownKey'])) if (isOpen(name)) items.delete(name);
    return {
      charger: withReported(charger, {
        configuration: [...items.values()].slice(0, MAX_ITEMS),
        configurationPosition: position,
      }),
    };
  },
};

/**
 * Whether what the charger told is all it has: it was asked for no key in particular, and its answer is not as long as it
 * says that one can be (GetConfigurationMaxKeys, OCPP 1.6 9.1.10), so nothing was cut off.
 */
function isWhole(
  report: Report<CallOutcome>,
  told: readonly ConfigurationItem[],
  before: ReadonlyMap<string, ConfigurationItem>,
): boolean {
  const asked = exchangeOf('GetConfiguration', report)?.request;
  if (asked === undefined || (asked.key ?? []).length > 0 || told.length === 0) return false;
  const limit = told.find(({ configName }) => configName.toLowerCase() === MAX_KEYS) ?? before.get(MAX_KEYS);
  return !(Number(limit?.configValue) <= told.length);
}

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
