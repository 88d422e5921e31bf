// The way from an operator's own machine into a release, as the README has it: a client made in a pod, and forwarded ports.
import { connectCharger, eventually } from '@busbar/testing';
import { createApi } from '../faults/fleet';
import { deployment } from './planned-disruptions';
import { RELEASE } from './release';
import type { World } from './world';

const TEST_MS = 300_000;
const PORT = 8443;
const CREATE_CLIENT = ['node', 'tools/admin/dist/main.js', 'client', 'create', 'My company'];

export function wayIn(open: () => World): void {
  it(
    'makes a client in a pod, and reaches the API and the gateway through forwarded ports',
    async () => {
      const { release, cluster } = open();
      const printed = await release.kubectl('exec', deployment('v2-api'), '--', ...CREATE_CLIENT);
      const apiKey = /API key\s+(\S+)/.exec(printed)?.[1] ?? '';
      const api = await cluster.api.portForward(release.namespace, `service/${RELEASE}-v2-api`, PORT);
      const chargers = await cluster.api.portForward(release.namespace, `service/${RELEASE}-chargers`, PORT);
      const v2 = createApi(() => Promise.resolve(`https://localhost:${String(api.port)}/v2`), apiKey);
      try {
        await v2.register('FORWARDED_1', await v2.makeSite());
        const charger = await connectCharger({ url: `wss://localhost:${String(chargers.port)}/ocpp/FORWARDED_1` });
        expect(await charger.boot()).toMatchObject({ status: 'Accepted' });
        await eventually(async () => (await v2.read('FORWARDED_1'))?.activeConnection === true);
        await charger.close();
      } finally {
        v2.close();
        await Promise.all([api.stop(), chargers.stop()]);
      }
    },
    TEST_MS,
  );
}
