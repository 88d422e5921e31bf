import { createInternalListener } from '@busbar/http';
import {
  announced,
  brokerCheck,
  brokerHealth,
  createLifecycle,
  createPlatform,
  run,
  storeCheck,
  storeHealth,
} from '@busbar/runtime';
import { aloneSettings } from './config';
import { authorityCheck } from './handlers/v16/certificates/authority';
import { createChargerState } from './service';

void run({
  name: 'charger-state',
  settings: aloneSettings,
  checks: [brokerCheck, storeCheck, authorityCheck],
  create({ settings, logger, clock, metrics, tracing, build }) {
    const { brokerUrl, storeUrl, partitions } = settings;
    const servers = { brokerUrl, storeUrl, tlsFiles: settings };
    const platform = createPlatform({ ...servers, partitions, logger, clock, metrics, tracing });
    const { broker, store, records } = platform;
    const state = createChargerState({ broker, store, records, clock, logger, metrics, tracing, settings });
    const checks = [
      ...state.checks,
      brokerHealth(broker, { failing: 'messages of chargers wait at their gateways.' }),
      storeHealth(store, { failing: 'messages of chargers wait in their queues.' }),
    ];
    const internal = createInternalListener({
      host: settings.internalHost,
      port: settings.internalPort,
      clock,
      checks: () => checks,
      readMetrics: async () => ({ contentType: metrics.contentType, text: await metrics.text() }),
      about: { service: 'charger-state', ...build },
    });
    return createLifecycle({
      name: 'charger-state',
      logger,
      services: [announced(internal, 'internal', logger), platform, state],
    });
  },
});
