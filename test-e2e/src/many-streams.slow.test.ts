// A thousand streams of events over the whole way, one of which does not read: chargers, the service in both ways of running, TLS. Memory is
// measured in services/v2-api (many-event-streams.slow.test.ts): that of a whole process varies by more than a stream leaves unread.
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { countStream, eventually, type CountedStream, type ScriptedCharger } from '@busbar/testing';
import { inBothOwnWorlds } from './harness/in-both-worlds';
import { connect, registerCharger, terminateChargers, v2, type OwnWorld } from './harness/world';

const STREAMS = 1_000;
const STREAMS_OF_A_KEY = 20;
const OPENING_CONCURRENCY = 50;
const BOOTS = 60;
/** Together more than sockets hold on both sides, beside the mebibyte that the service keeps. */
const LARGE_AFTER_A_BOOT = 30;
const SAMPLES = 100;
const TEST_MS = 300_000;
const ENVIRONMENT = {
  RATE_LIMIT_PER_KEY: '100000',
  OCPP_MAX_MESSAGES_PER_S: '100000',
  OCPP_MAX_BYTES_PER_S: '1000000000',
};

inBothOwnWorlds((world) => {
  const opened: CountedStream[] = [];
  afterAll(() => {
    for (const { socket } of opened) socket.destroy();
    terminateChargers();
  });

  it(
    '9: serves a thousand streams with every event, and cuts off the one that does not read',
    async () => {
      const secrets = await createKeys(world(), STREAMS / STREAMS_OF_A_KEY);
      for (let n = 0; n < STREAMS; n += OPENING_CONCURRENCY) {
        for (let each = n; each < n + OPENING_CONCURRENCY; each += 1) {
          const secret = secrets[Math.floor(each / STREAMS_OF_A_KEY)] ?? '';
          const types = each === 0 ? '*,meter.values' : 'charger.booted';
          opened.push(openStream(world(), secret, types));
        }
        await eventually(() => opened.every(({ hasBegun }) => hasBegun()), TEST_MS);
      }
      const [slow, ...streams] = opened;
      slow?.socket.pause();
      const { chargerId } = await registerCharger(world());
      const charger = await connect(world(), chargerId);
      for (let n = 0; n < BOOTS; n += 1) await bootAndMeasure(charger);
      await eventually(() => streams.every(({ received }) => received() === BOOTS), TEST_MS);
      expect(streams.some(({ isClosed }) => isClosed())).toBe(false);
      slow?.socket.resume();
      await eventually(() => slow?.isClosed() === true, TEST_MS);
      expect(slow?.received()).toBeLessThan(BOOTS * LARGE_AFTER_A_BOOT);
    },
    TEST_MS * 2,
  );
}, ENVIRONMENT);

async function createKeys(world: OwnWorld, count: number): Promise<readonly string[]> {
  const body = { name: 'many', permissions: ['events:read', 'chargers:read', 'sessions:read'] };
  const made = Array.from({ length: count }, () => v2(world, '/api-keys', { method: 'POST', body }));
  return (await Promise.all(made)).map(({ json }) => (json as { key: string }).key);
}

async function bootAndMeasure(charger: ScriptedCharger): Promise<void> {
  await charger.ask('BootNotification', { chargePointVendor: 'Example', chargePointModel: 'One socket' });
  const sampledValue = Array.from({ length: SAMPLES }, (_, n) => ({
    value: String(n),
    measurand: 'Energy.Active.Import.Register',
    unit: 'Wh',
  }));
  const values = { connectorId: 1, meterValue: [{ timestamp: new Date().toISOString(), sampledValue }] };
  await Promise.all(Array.from({ length: LARGE_AFTER_A_BOOT }, () => charger.ask('MeterValues', values)));
}

function openStream(world: OwnWorld, secret: string, types: string): CountedStream<TLSSocket> {
  const { hostname, port, pathname } = new URL(`${world.addresses().v2}/events/stream`);
  const socket = connectTls({ host: hostname, port: Number(port), rejectUnauthorized: false });
  return countStream(socket, [`GET ${pathname}?types=${types} HTTP/1.1`, `host: ${hostname}`, `x-api-key: ${secret}`]);
}
