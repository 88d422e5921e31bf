// The ways in of the chart, as far as they can be run without a cluster: a charger's identity arrives as it was sent, and both APIs answer.
import { connectCharger, eventually, UpgradeRejected } from '@busbar/testing';
import {
  controllersMissing,
  startHaproxy,
  startIngressNginx,
  startPassthrough,
  type Controller,
} from './harness/controllers';
import { openEmbeddedWorld } from './harness/embedded';
import { http } from './harness/http';
import type { OwnWorld } from './harness/world';

/** As the pods of the chart run behind a proxy. */
const PROXIED = { TLS: 'off', OCPP_PLAIN_PORT: 'off', TRUSTED_PROXIES: '127.0.0.1/32' };
const START_MS = 60_000;

const ways = [
  { way: 'straight to the process, which ends TLS', env: {}, start: undefined },
  { way: 'through a proxy that passes TLS on', env: {}, start: startPassthrough },
  { way: 'through ingress-nginx', env: PROXIED, start: startIngressNginx },
  { way: 'through HAProxy', env: PROXIED, start: startHaproxy },
] as const;

const missing = controllersMissing.join(', ');
if (missing !== '' && process.env['REQUIRE_REAL_SERVERS'] !== '1') {
  it.skip(`is skipped: ${missing} is not on this machine`, () => undefined);
} else {
  describe.each(ways)('$way', ({ env, start }) => {
    let world: OwnWorld;
    let controller: Controller | undefined;
    let origin: string;

    beforeAll(async () => {
      world = await openEmbeddedWorld(env);
      const { host, port } = await world.program('gateway').bound('public');
      controller = await start?.(`${host}:${String(port)}`);
      origin = controller?.origin ?? `${host}:${String(port)}`;
    }, START_MS);

    afterAll(async () => {
      await controller?.stop();
      await world.stop();
    }, START_MS);

    it('connects the charger ACME:1 at /ocpp/ACME%3A1, and both APIs name it', async () => {
      const headers = { 'x-api-key': world.apiKey };
      const post = (path: string, body: unknown) => http(`https://${origin}${path}`, { method: 'POST', headers, body });
      expect((await post('/v2/sites', { name: 'a' })).status).toBe(200);
      expect((await post('/v2/chargers', { name: 'c', chargerId: 'ACME:1' })).status).toBe(200);
      const charger = await connectCharger({ url: `wss://${origin}/ocpp/ACME%3A1` });
      expect(await charger.boot()).toMatchObject({ status: 'Accepted' });
      await eventually(async () => {
        const { json } = await http(`https://${origin}/v2/chargers/ACME%3A1`, { headers });
        expect(json).toMatchObject({ chargerId: 'ACME:1', activeConnection: true });
        return true;
      });
      const query = `code=${world.apiKey}&clientId=${world.clientId}`;
      const { json } = await http(`https://${origin}/api/charger/ACME%3A1?${query}`);
      expect(json).toMatchObject({ chargerId: 'ACME:1' });
      await charger.close();
    });

    it('rejects /ocpp/ACME%20x as the unknown identity "ACME x"', async () => {
      const rejected = await connectCharger({ url: `wss://${origin}/ocpp/ACME%20x` }).catch((error: unknown) => error);
      expect(rejected).toBeInstanceOf(UpgradeRejected);
      expect(rejected).toMatchObject({ status: 404 });
      await eventually(() => world.program('gateway').output().includes('"chargerId":"ACME x"'));
    });
  });
}
