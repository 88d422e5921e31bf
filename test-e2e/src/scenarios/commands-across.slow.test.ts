// Commands where the way to the charger breaks or moves: two gateways, and an API whose connection to RabbitMQ can be cut.
import {
  connectCharger,
  describeWithServers,
  eventually,
  type ScriptedCharger,
  type ScriptedChargerOptions,
} from '@busbar/testing';
import { API_KEY, CLIENT_ID, openNetwork, type Network } from '../faults/network';
import { http, type HttpReply } from '../harness/http';
import { uniqueId } from '../harness/world';

const START_MS = 120_000;
/** Longer than RabbitMQ takes to notice a killed gateway on a busy machine, with a command that it still took. */
const LEASE_S = 10;

describeWithServers('commands between processes', () => {
  let opened: Network | undefined;
  const network = (): Network => {
    if (opened === undefined) throw new Error('the network is there only inside tests');
    return opened;
  };
  beforeAll(async () => {
    opened = await openNetwork({ gateways: 2, replicas: 1, env: { GATEWAY_LEASE_S: String(LEASE_S) } });
  }, START_MS);
  afterAll(() => opened?.stop(), START_MS);

  const v2 = async (method: string, path: string, body?: object): Promise<HttpReply> =>
    http(`${await network().v2()}${path}`, {
      method,
      headers: { 'x-api-key': API_KEY },
      ...(body === undefined ? {} : { body }),
    });
  const reset = (chargerId: string, query = '') => v2('POST', `/chargers/${chargerId}/reset${query}`, { type: 'Soft' });
  const older = async (path: string, method = 'POST'): Promise<HttpReply> => {
    const { host, port } = await network().apis[1].program().bound('public');
    return http(`https://${host}:${String(port)}/api${path}?code=${API_KEY}&clientId=${CLIENT_ID}`, { method });
  };
  const connect = (chargerId: string, gateway: number, options: Partial<ScriptedChargerOptions> = {}) =>
    connectCharger({ url: `${network().chargerAddresses()[gateway] ?? ''}${chargerId}`, ...options });
  /** A message is answered once the broker has it. The API reads the connection from the store, to which it comes a little later. */
  async function bootUntilStored(charger: ScriptedCharger, chargerId: string): Promise<void> {
    const firmware = uniqueId('fw');
    await charger.ask('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M', firmwareVersion: firmware });
    await eventually(async () => {
      const { json } = await v2('GET', `/chargers/${chargerId}`);
      return (json as { firmware?: string }).firmware === firmware;
    });
  }
  const codeOf = ({ status, json }: HttpReply) => `${String(status)} ${(json as { code?: string }).code ?? ''}`;

  async function register(): Promise<string> {
    const chargerId = uniqueId('ACROSS');
    await v2('POST', '/sites', { name: 'A site' });
    expect((await v2('POST', '/chargers', { name: 'A charger', chargerId })).status).toBe(200);
    return chargerId;
  }

  it('15. sends them to the newest connection at once, on any gateway, while the previous one hangs', async () => {
    const chargerId = await register();
    const hanging = await connect(chargerId, 0);
    await bootUntilStored(hanging, chargerId);
    expect((await reset(chargerId)).status).toBe(200);
    hanging.pause();
    const newer = await connect(chargerId, 1);
    await bootUntilStored(newer, chargerId);
    expect((await reset(chargerId)).status).toBe(200);
    expect(newer.received.map(({ action }) => action)).toContain('Reset');
    expect(await older(`/charger/unlock/${chargerId}/1`)).toMatchObject({ status: 200, json: { status: 'Unlocked' } });
    hanging.terminate();
    await newer.close();
  });

  it('responds 503 at once while RabbitMQ is unreachable from the API, which serves reads, and works when it is restored', async () => {
    const chargerId = await register();
    const charger = await connect(chargerId, 0, { answers: { Reset: () => ({ kind: 'silence' }) } });
    await bootUntilStored(charger, chargerId);
    const waiting = v2('POST', `/chargers/${chargerId}/reset?timeoutS=10`, { type: 'Soft' });
    await charger.waitForCall('Reset');
    const { broker } = network().apis[0].proxies;
    broker.cut();
    // It was sent: whether the charger did it is not known.
    const lost = await waiting;
    expect(codeOf(lost)).toBe('504 charger_timeout');
    expect(lost.text).toContain('The connection to the message broker broke');
    const refused = await reset(chargerId);
    expect([codeOf(refused), refused.headers['retry-after']]).toEqual(['503 unavailable', '5']);
    expect((await v2('GET', `/chargers/${chargerId}`)).status).toBe(200);
    broker.heal();
    charger.answer('Reset', () => ({ status: 'Accepted' }));
    await eventually(async () => (await reset(chargerId)).status === 200, 60_000);
    await charger.close();
  }, 120_000);

  it('responds to commands for a charger of a killed gateway as retryable until the lease expires, then as offline', async () => {
    const chargerId = await register();
    const charger = await connect(chargerId, 1);
    await bootUntilStored(charger, chargerId);
    const [, killed] = network().gateways;
    await killed?.end('SIGKILL');
    // RabbitMQ takes commands until it notices that the connection is gone: those were sent, and time out.
    const unsent: string[] = [];
    await eventually(async () => {
      const code = codeOf(await reset(chargerId, '?timeoutS=1'));
      if (code !== '504 charger_timeout') unsent.push(code);
      return unsent.length > 0;
    });
    expect(unsent).toEqual(['503 unavailable']);
    await eventually(async () => codeOf(await reset(chargerId)) === '409 charger_offline', 60_000);
    await killed?.start();
    const again = await connect(chargerId, 1);
    await bootUntilStored(again, chargerId);
    expect((await reset(chargerId)).status).toBe(200);
    await again.close();
  }, 120_000);
});
