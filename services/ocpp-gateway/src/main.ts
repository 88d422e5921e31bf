import { createInternalListener, createListener, type Listener } from '@busbar/http';
import { announced, createBroker, createLifecycle, run, tlsFrom } from '@busbar/runtime';
import { aloneSettings } from './config';
import { createGateway } from './service';

void run({
  name: 'ocpp-gateway',
  settings: aloneSettings,
  async create({ settings, logger, clock, metrics }) {
    const tls = await tlsFrom(settings);
    const broker = createBroker(settings.brokerUrl, { logger, clock, metrics });
    const gateway = createGateway({ broker, clock, logger, metrics, settings });
    // Beside the chargers there are those who are refused, and whoever looks.
    const limits = { connections: settings.maxConnections + 1_000 };
    const { takesUpgrade } = gateway;
    const { host, trustedProxies } = settings;
    const common = { host, trustedProxies, logger, clock, limits, takesUpgrade };
    const listener = createListener({
      ...common,
      port: settings.port,
      tls,
      onRequest: gateway.handleRequest,
      onUpgrade: gateway.handleUpgrade,
    });
    const plain: Listener[] =
      settings.plainPort === 'off'
        ? []
        : [
            createListener({
              ...common,
              name: 'plain listener',
              port: settings.plainPort,
              portVariable: 'OCPP_PLAIN_PORT',
              plainWebsocketsOnly: true,
              onRequest: gateway.handleRequest,
              onUpgrade: gateway.handlePlainUpgrade,
            }),
          ];
    const internal = createInternalListener({
      host: settings.host,
      port: settings.internalPort,
      isReady: () => gateway.ready(),
      readMetrics: async () => ({ contentType: metrics.contentType, text: await metrics.text() }),
    });
    return createLifecycle({
      name: 'ocpp-gateway',
      logger,
      stopWithinMs: settings.shutdownTimeoutS * 1000,
      services: [
        announced(internal, 'internal', logger),
        broker,
        gateway,
        announced(listener, 'public', logger),
        ...plain.map((each) => announced(each, 'plain', logger)),
      ],
    });
  },
});
