// A rolling restart of gateways under load, in short: two of them, with the environment that the chart renders and times made
// shorter, beside a network that runs. Everything that operators plan: npm run test:faults -- --rollout.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithServers } from '@busbar/testing';
import { brokenPromises } from './faults/disruption';
import { explained } from './faults/episode';
import { createApi } from './faults/fleet';
import { createRandom, seedOfRun } from './faults/random';
import { disruptUnderLoad, readStore, type LoadedSystem } from './faults/under-load';
import { assertSharedWorld, openSharedWorld } from './harness/shared-world';
import { startDeployment } from './rollout/deployment';
import { localEnvironment, startBalancers, throughBalancer, writeSecrets } from './rollout/release';
import { RENDERED } from './rollout/rendered';

const KIND = 'four processes';
const TEST_MS = 180_000;
const CHARGERS = 30;
const PACE_MS = 600;
const [DELAY_S, DRAIN_S] = [2, 2];
const SHORT = { SHUTDOWN_DELAY_S: String(DELAY_S), DRAIN_S: String(DRAIN_S), SHUTDOWN_TIMEOUT_S: '30' };
/** Found unready and out of the load balancer well before the delay has passed. */
const PROBE = { periodSeconds: 0.25, timeoutSeconds: 2, failureThreshold: 2 };
const LAG_SECONDS = 0.125;
const GRACE_SECONDS = 40;

describeWithServers('gateways behind a load balancer that follows readiness', () => {
  // A program that ended after the last assertion fails this file.
  afterAll(() => assertSharedWorld(KIND));

  it(
    'closes them evenly with 1001 as gateways restart one after the other; rejects, loses and answers with an error nothing',
    async () => {
      const { storeUrl, brokerUrl = '', addresses, apiKey } = await openSharedWorld(KIND);
      const directory = mkdtempSync(join(tmpdir(), 'busbar-rollout-'));
      const random = createRandom(seedOfRun());
      await writeSecrets(directory, { brokerUrl, storeUrl });
      const balancers = await startBalancers(random);
      const { env, replicas } = RENDERED.gateway;
      const gateways = await startDeployment({
        component: 'gateway',
        replicas,
        template: { env: { ...localEnvironment(env, directory), ...SHORT } },
        probe: PROBE,
        lagSeconds: LAG_SECONDS,
        minReadySeconds: DELAY_S + DRAIN_S,
        graceSeconds: GRACE_SECONDS,
        balancers,
      });
      const api = createApi(() => Promise.resolve(addresses().v2), apiKey);
      try {
        const withStore: LoadedSystem['withStore'] = (read) => readStore(storeUrl, read);
        const system = { api, withStore, ...throughBalancer(gateways, balancers.endpoints) };
        const disrupt = (): Promise<void> => gateways.rollOut();
        const options = { chargers: CHARGERS, paceMs: PACE_MS, random, disrupt };
        const loaded = disruptUnderLoad(system, options).then((effect) => {
          const { sockets, closes } = effect;
          expect(brokenPromises(effect, { code: 1001, drainS: DRAIN_S, sockets })).toEqual([]);
          // Both were replaced: nobody kept its socket.
          expect(closes.size).toBe(CHARGERS);
        });
        await explained(gateways.everyPod, loaded);
      } finally {
        api.close();
        await gateways.stop();
        await Promise.all([balancers.endpoints.stop(), balancers.processes.stop()]);
        rmSync(directory, { recursive: true, force: true });
      }
    },
    TEST_MS,
  );
});
