import {
  announced,
  brokerCheck,
  brokerHealth,
  createBroker,
  createLifecycle,
  createProcessListener,
  observeSockets,
  run,
  tlsChecks,
  tlsFrom,
} from '@busbar/runtime';
import { aloneSettings, drainCheck } from './config';
import { createListeners } from './listeners';
import { createGateway } from './service';

void run({
  name: 'ocpp-gateway',
  settings: aloneSettings,
  checks: [...tlsChecks({ isMade: false }), brokerCheck, drainCheck],
  async create(context) {
    const { settings, logger, clock, metrics, tracing, stopping: stopRequested } = context;
    const tls = await tlsFrom(settings);
    const broker = createBroker(settings.brokerUrl, { logger, clock, metrics, tracing, tlsFiles: settings });
    const gateway = createGateway({ broker, clock, logger, metrics, tracing, settings, stopRequested });
    const { main, plain } = createListeners({ gateway, settings, tls, clock, logger, metrics });
    observeSockets(metrics, plain === undefined ? [main] : [main, plain]);
    const failing = 'open connections of chargers stay, new ones are rejected with 503.';
    // All gateways at once would be unready, and load balancers may end the connections of unready targets.
    const checks = [...gateway.checks, brokerHealth(broker, { required: false, failing })];
    const internal = createProcessListener(context, { service: 'ocpp-gateway', checks: () => checks });
    return createLifecycle({
      name: 'ocpp-gateway',
      logger,
      stopWithinMs: settings.shutdownTimeoutS * 1000,
      services: [
        internal,
        broker,
        gateway,
        announced(main, 'public', logger),
        ...(plain === undefined ? [] : [announced(plain, 'plain', logger)]),
        gateway.drain,
      ],
    });
  },
});
