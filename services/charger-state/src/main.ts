import {
  brokerCheck,
  brokerHealth,
  createLifecycle,
  createPlatform,
  createProcessListener,
  programVersion,
  run,
  storeCheck,
  storeHealth,
} from '@busbar/runtime';
import { aloneSettings } from './config';
import { authorityChecks } from './handlers/shared/certificates/authorities';
import { createChargerState } from './service';

void run({
  name: 'charger-state',
  settings: aloneSettings,
  checks: [brokerCheck, storeCheck, ...authorityChecks],
  create(context) {
    const { settings, logger, clock, metrics, tracing, build } = context;
    const program = { service: 'charger-state', version: programVersion(build) };
    const { brokerUrl, storeUrl, partitions } = settings;
    const servers = { brokerUrl, storeUrl, tlsFiles: settings };
    const platform = createPlatform({ ...servers, program, partitions, logger, clock, metrics, tracing });
    const { broker, store, records } = platform;
    const state = createChargerState({ broker, store, records, clock, logger, metrics, tracing, settings });
    const checks = [
      ...state.checks,
      brokerHealth(broker, { failing: 'messages of chargers wait at their gateways.' }),
      storeHealth(store, { failing: 'messages of chargers wait in their queues.' }),
    ];
    const internal = createProcessListener(context, { service: 'charger-state', checks: () => checks });
    return createLifecycle({
      name: 'charger-state',
      logger,
      services: [internal, platform, state],
    });
  },
});
