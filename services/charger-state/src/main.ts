import { createInternalListener } from '@busbar/http';
import { announced, createLifecycle, createPlatform, run } from '@busbar/runtime';
import { aloneSettings } from './config';
import { createChargerState } from './service';

void run({
  name: 'charger-state',
  settings: aloneSettings,
  create({ settings, logger, clock, metrics, build }) {
    const { brokerUrl, storeUrl, partitions } = settings;
    const platform = createPlatform({ brokerUrl, storeUrl, partitions, logger, clock, metrics, tlsFiles: settings });
    const { broker, store, records } = platform;
    const state = createChargerState({ broker, store, records, clock, logger, metrics, settings });
    const internal = createInternalListener({
      host: settings.internalHost,
      port: settings.internalPort,
      isReady: () => state.ready(),
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
