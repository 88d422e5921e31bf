import { createInternalListener } from '@busbar/http';
import {
  announced,
  brokerCheck,
  createBroker,
  createLifecycle,
  observeSockets,
  run,
  tlsCheck,
  tlsFrom,
} from '@busbar/runtime';
import { aloneSettings } from './config';
import { createListeners } from './admission/listeners';
import { createGateway } from './service';

void run({
  name: 'ocpp-gateway',
  settings: aloneSettings,
  checks: [tlsCheck({ isMade: false }), brokerCheck],
  async create({ settings, logger, clock, metrics, build }) {
    const tls = await tlsFrom(settings);
    const broker = createBroker(settings.brokerUrl, { logger, clock, metrics, tlsFiles: settings });
    const gateway = createGateway({ broker, clock, logger, metrics, settings });
    const { main, plain } = createListeners({ gateway, settings, tls, clock, logger });
    observeSockets(metrics, plain === undefined ? [main] : [main, plain]);
    const internal = createInternalListener({
      host: settings.internalHost,
      port: settings.internalPort,
      isReady: () => gateway.ready(),
      readMetrics: async () => ({ contentType: metrics.contentType, text: await metrics.text() }),
      about: { service: 'ocpp-gateway', ...build },
    });
    return createLifecycle({
      name: 'ocpp-gateway',
      logger,
      stopWithinMs: settings.shutdownTimeoutS * 1000,
      services: [
        announced(internal, 'internal', logger),
        broker,
        gateway,
        announced(main, 'public', logger),
        ...(plain === undefined ? [] : [announced(plain, 'plain', logger)]),
      ],
    });
  },
});
