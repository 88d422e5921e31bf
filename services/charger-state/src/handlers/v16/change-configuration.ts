import type { CallOutcome } from '@busbar/contracts';
import type { Charger, ConfigurationItem } from '@busbar/domain/chargers';
import { maskPayload } from '@busbar/ocpp';
import { isAfter, withReported, type Handler } from '../handler';
import { exchangeOf } from './exchange';
import { MAX_ITEMS } from './get-configuration';

/** Answers after which the charger holds the new value, be it from its next start on. */
const TAKEN: ReadonlySet<string> = new Set(['Accepted', 'RebootRequired']);

/** How our ChangeConfiguration ended (OCPP 1.6 5.3). Of a secret only that there is one is kept. */
export const changeConfigurationOutcome: Handler<CallOutcome> = {
  apply(charger, report, { position }) {
    const exchange = exchangeOf('ChangeConfiguration', report);
    if (exchange === undefined || !TAKEN.has(exchange.status)) return { charger };
    const { key, value } = maskPayload(exchange.request);
    const { configuration } = charger.reported;
    // Keys are compared without case (OCPP 1.6 7.10, CiString50Type); the charger's own spelling stays.
    const at = configuration.findIndex(({ configName }) => configName.toLowerCase() === key.toLowerCase());
    const before = configuration[at];
    if (before === undefined && configuration.length >= MAX_ITEMS) return { charger };
    if (!isAfter(position, writtenAt(charger, before))) return { charger };
    const item: ConfigurationItem = {
      ...{ configName: before?.configName ?? key, configValue: value },
      ...{ canBeChanged: before?.canBeChanged ?? true, position },
    };
    const changed = before === undefined ? [...configuration, item] : configuration.with(at, item);
    return { charger: withReported(charger, { configuration: changed }) };
  },
};

function writtenAt({ reported }: Charger, item: ConfigurationItem | undefined): readonly [number, number] {
  return item?.position ?? reported.configurationPosition ?? [0, 0];
}
