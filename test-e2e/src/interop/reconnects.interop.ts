// Tests what chargers on foreign OCPP stacks do when a gateway that stops closes their sockets. Run by `npm run
// test:interop`.
import { connectCharger } from '@busbar/testing';
import { startTcpProxy, type TcpProxy } from '../faults/tcp-proxy';
import { registerCharger } from '../harness/world';
import { ANSWERS } from './answers';
import { ANSWERS_2 } from './answers-2';
import { BOOT, openParty, shows } from './day';
import { BOOT_2 } from './day-2';
import { openInteropWorld, type InteropWorld } from './interop-world';
import { installedStacks } from './stacks';

const TEST_MS = 240_000;
const stacks = installedStacks().filter(({ skipped, failed }) => skipped === undefined && failed === undefined);

describe.each([1001, 1012])('after a close with %d', (code) => {
  let world: InteropWorld;
  /** The address that chargers keep while the process gets another port. */
  let address: TcpProxy;

  beforeAll(async () => {
    world = await openInteropWorld({ DRAIN_CODE: String(code) });
    address = await startTcpProxy(portOf(world));
  }, TEST_MS);
  afterAll(async () => {
    await address.stop();
    await world.stop();
  }, TEST_MS);

  // In the latest version that it speaks.
  it.each(stacks.map((stack) => [stack.name, stack.versions2.at(-1) ?? 'ocpp1.6', stack] as const))(
    'connects again: %s in %s',
    async (_name, version, stack) => {
      const party = await openParty(world, stack);
      const { charger, chargerId, password } = party;
      const url = `wss://127.0.0.1:${String(address.port)}/ocpp/`;
      const reconnect = stack.reconnects;
      const [answers, boot] = version === 'ocpp1.6' ? [ANSWERS, BOOT] : [ANSWERS_2, BOOT_2];
      const connect = (): Promise<void> =>
        charger.connect({ url, chargerId, password, version, answers, ...(reconnect && { reconnect }) });
      try {
        await connect();
        await charger.call('BootNotification', boot);
        const scripted = await connectCharger({ url: `${url}${(await registerCharger(world)).chargerId}` });
        await world.restart('SIGTERM');
        expect(await scripted.waitForClose()).toMatchObject({ code });
        address.retarget(portOf(world));
        if (!reconnect) {
          await charger.waitForClose();
          await connect();
        }
        await shows(party, { activeConnection: true });
        expect(await charger.call('Heartbeat')).toMatchObject({ currentTime: expect.any(String) as string });
      } finally {
        await charger.stop();
      }
    },
    TEST_MS,
  );
});

function portOf(world: InteropWorld): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(world.addresses().ocpp);
  return { host: hostname, port: Number(port) };
}
