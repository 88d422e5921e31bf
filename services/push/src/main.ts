import {
  brokerCheck,
  brokerHealth,
  createLifecycle,
  createPlatform,
  createProcessListener,
  programVersion,
  run,
  secretsCheck,
  secretsFrom,
  storeCheck,
  storeHealth,
} from '@busbar/runtime';
import { aloneSettings } from './config';
import { createPush } from './service';

void run({
  name: 'push',
  settings: aloneSettings,
  checks: [brokerCheck, storeCheck, secretsCheck],
  create(context) {
    const { settings, logger, clock, metrics, tracing, build } = context;
    const program = { service: 'push', version: programVersion(build) };
    const { brokerUrl, storeUrl } = settings;
    const platform = createPlatform({
      brokerUrl,
      storeUrl,
      tlsFiles: settings,
      program,
      logger,
      clock,
      metrics,
      tracing,
    });
    const { broker, store, records } = platform;
    const secrets = secretsFrom(settings);
    const push = createPush({ broker, store, records, secrets, clock, logger, metrics, tracing, settings });
    const checks = [
      ...push.checks,
      storeHealth(store, { failing: 'events wait in the feed.' }),
      brokerHealth(broker, { required: false, failing: 'events are delivered up to 2 s later.' }),
    ];
    const internal = createProcessListener(context, { service: 'push', checks: () => checks });
    return createLifecycle({ name: 'push', logger, services: [internal, platform, push] });
  },
});
