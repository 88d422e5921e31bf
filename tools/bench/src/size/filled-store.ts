// A store with much data, and the one-process mode on it: for the benches of response times and of the console.
import { randomToken, systemClock, type Logger } from '@busbar/core';
import { selfSignedPair } from '@busbar/operations';
import { createStorePlatform } from '@busbar/runtime';
import { createReportStore } from '@busbar/store';
import type { Resources } from '../processes/resources';
import { boundAt, startService, untilReady, type ServiceProgram } from '../worlds/service-program';
import type { Caller } from './ask';
import type { Scale } from './scale';
import { seed } from './seed';

const silent: Logger = {
  error: (_fields, message) => process.stderr.write(`${message}\n`),
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
  child: () => silent,
};

/** Makes the network of that client in an empty store. */
export async function fill(
  storeUrl: string,
  clientId: string,
  scale: Scale,
  print: (line: string) => void,
): Promise<void> {
  const platform = createStorePlatform(storeUrl, { logger: silent, clock: systemClock });
  const reports = createReportStore(platform.store);
  await platform.start();
  try {
    await seed({ records: platform.records, reports, clientId, print }, scale);
  } finally {
    await platform.stop();
  }
}

export interface Environment extends Readonly<Record<string, string>> {
  readonly BOOTSTRAP_CLIENT_ID: string;
  readonly BOOTSTRAP_API_KEY: string;
}

/** Of a one-process mode on that store. */
export async function environmentOf(directory: string, storeUrl: string, clientId: string): Promise<Environment> {
  const pair = await selfSignedPair(directory, systemClock);
  return {
    STORE_URL: storeUrl,
    BROKER_URL: 'memory:',
    TLS_CERT_FILE: pair.certFile,
    TLS_KEY_FILE: pair.keyFile,
    BOOTSTRAP_CLIENT_ID: clientId,
    BOOTSTRAP_API_KEY: randomToken(24),
    RATE_LIMIT_PER_KEY: '100000',
    OCPP_MAX_STARTS_PER_DAY: '0',
    RATE_LIMIT_PER_ADDRESS: '100000',
  };
}

/** `work` may ask the one-process mode until it ends. */
export async function whileRunning(
  resources: Resources,
  directory: string,
  env: Environment,
  work: (caller: Caller, program: ServiceProgram) => Promise<void>,
): Promise<void> {
  const program = startService('all-in-one', directory, env);
  const held = resources.hold(program, (each) => each.end());
  try {
    await untilReady(program);
    const target = await boundAt(program, 'public');
    await work({ target, clientId: env.BOOTSTRAP_CLIENT_ID, apiKey: env.BOOTSTRAP_API_KEY }, program);
  } finally {
    await held.release();
  }
}
