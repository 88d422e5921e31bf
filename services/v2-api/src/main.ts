import { apiChecks, createApiProcess, operatorExtension, webhookChecks, webhookDeps } from '@busbar/api';
import { run } from '@busbar/runtime';
import { v2Api } from './app';
import { aloneSettings } from './config';
import { consoleExtension } from './console/console';

void run({
  name: v2Api.name,
  settings: aloneSettings,
  checks: [...apiChecks, ...webhookChecks],
  create(context) {
    const { settings } = context;
    const withConsole = consoleExtension(settings);
    return createApiProcess(v2Api, context, (deps, platform) => ({
      ...webhookDeps(settings),
      ...withConsole(deps),
      ...operatorExtension(deps, platform),
    }));
  },
});
