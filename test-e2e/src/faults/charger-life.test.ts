import { protocolOf, STRICT, supportedVersions, validateRequest } from '@busbar/ocpp';
import { lifeOf } from './fleet-charger';
import { createLedger } from './ledger';
import { createRandom } from './random';

const LOADS = ['sessions', 'reports', 'steady'] as const;
const MESSAGES = 40;

it.each(supportedVersions().flatMap((version) => LOADS.map((load) => [version, load] as const)))(
  '175. gives the chargers of the fault suite that speak %s messages that fit their schemas: %s',
  (version, load) => {
    const protocol = protocolOf(version);
    if (protocol === undefined) throw new Error(`there is no ${version}`);
    const life = lifeOf(createLedger('CHARGER', version), createRandom(1), load);
    for (let n = 0; n < MESSAGES; n += 1) {
      const { action, payload } = life.next().value;
      expect([action, validateRequest(protocol, action, payload, STRICT)]).toMatchObject([action, { ok: true }]);
    }
  },
);
