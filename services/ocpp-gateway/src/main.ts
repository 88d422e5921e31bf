import { createInternalListener } from '@busbar/http';
import {
  announced,
  brokerCheck,
  brokerHealth,
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
  async create({ settings, logger, clock, metrics, tracing, build }) {
    const tls = await tlsFrom(settings);
    const broker = createBroker(settings.brokerUrl, { logger, clock, metrics, tracing, tlsFiles: settings });
    const gateway = createGateway({ broker, clock, logger, metrics, tracing, settings });
    const { main, plain } = createListeners({ gateway, settings, tls, clock, logger, metrics });
    observeSockets(metrics, plain === undefined ? [main] : [main, plain]);
    const failing = 'open connections of chargers stay, new ones are rejected with 503.';
    const checks = [...gateway.checks, brokerHealth(broker, { failing })];
    const internal = createInternalListener({
      host: settings.internalHost,
      port: settings.internalPort,
      clock,
      checks: () => checks,
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
