import type { Service } from '@busbar/core';
import { createInternalListener } from '@busbar/http';
import { announced, bootstrap, createLifecycle, createStorePlatform, run, tlsFrom } from '@busbar/runtime';
import { aloneSettings } from './config';
import { createV2Api } from './service';

void run({
  name: 'v2-api',
  settings: aloneSettings,
  async create({ settings, logger, clock, metrics }) {
    const { host, port, internalPort, trustedProxies, rateLimitPerKey } = settings;
    const tls = await tlsFrom(settings);
    const platform = createStorePlatform(settings.storeUrl, { logger, clock });
    const { records } = platform;
    const api = createV2Api({ host, port, tls, records, clock, logger, trustedProxies, rateLimitPerKey });
    const internal = createInternalListener({
      host,
      port: internalPort,
      isReady: () => platform.ready() && api.ready(),
      readMetrics: async () => ({ contentType: metrics.contentType, text: await metrics.text() }),
    });
    // Before the first request: a script may use its key as soon as the port answers.
    const firstKey: Service = {
      name: 'first key',
      async start() {
        await bootstrap({ records, clock }, settings);
      },
      stop: () => Promise.resolve(),
      ready: () => true,
    };
    const services = [announced(internal, 'internal', logger), platform, firstKey, announced(api, 'public', logger)];
    return createLifecycle({ name: 'v2-api', services, logger });
  },
});
