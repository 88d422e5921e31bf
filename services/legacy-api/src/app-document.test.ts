import { describeDocument } from '@busbar/api/testing';
import { legacyApi } from './app';

describeDocument({
  definition: legacyApi,
  file: 'legacy.openapi.json',
  credentialsOf: ({ secret, client: { clientId } }) => ({ query: `code=${secret}&clientId=${clientId}` }),
  // The charger of the examples is not connected.
  outcomes: Object.fromEntries(
    ['startCharging', 'stopTransaction', 'resetCharger', 'unlockSocket', 'changeConfiguration'].map((id) => [
      id,
      '409 charger_offline',
    ]),
  ),
});
