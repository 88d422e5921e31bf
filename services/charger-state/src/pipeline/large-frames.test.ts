// The log and the record store at most 16 KiB of a larger frame; the values in it are stored completely.
import type { Charger } from '@busbar/domain/chargers';
import { MAX_KEPT_BYTES } from '@busbar/ocpp';
import { eachWithCharger } from '../testing/one-charger';
import type { ChargerStateWorld, FakeConnection } from '../testing/open-world';

let world: ChargerStateWorld;
let charger: Charger;
let connection: FakeConnection;

eachWithCharger((its) => ({ world, charger, connection } = its));

const valuesOf = (count: number) => ({
  connectorId: 1,
  meterValue: [
    {
      timestamp: '2026-01-01T00:00:00Z',
      sampledValue: Array.from({ length: count }, (_, i) => ({ value: `${String(i)}.50 €`, context: 'Sample.Clock' })),
    },
  ],
});

it('stores at most 16 KiB of a large frame in the log and in lastMessage, with its true length', async () => {
  const { raw } = await connection.report('MeterValues', valuesOf(5_000));
  const bytes = Buffer.byteLength(raw);
  const { reported } = await world.read(charger);
  const [row] = await world.log(charger);
  expect(row?.requestBytes).toBe(bytes);
  expect(reported.lastMessageBytes).toBe(bytes);
  expect(row?.request).toBe(reported.lastMessage);
  expect(Buffer.byteLength(row?.request ?? '')).toBeGreaterThan(MAX_KEPT_BYTES - 4);
  expect(Buffer.byteLength(row?.request ?? '')).toBeLessThanOrEqual(MAX_KEPT_BYTES);
  expect(raw.startsWith(row?.request ?? '-')).toBe(true);
});

it('stores a frame of up to 16 KiB as it was sent, without the length of the one before', async () => {
  await connection.report('MeterValues', valuesOf(5_000));
  const raw = `[2, "spaced",  "Heartbeat", {${' '.repeat(16_000)}}]`;
  await connection.report('Heartbeat', {}, { raw });
  const { reported } = await world.read(charger);
  const [row] = await world.log(charger);
  expect(reported.lastMessage).toBe(raw);
  expect(reported.lastMessageBytes).toBeNull();
  expect(row?.request).toBe(raw);
  expect(row).not.toHaveProperty('requestBytes');
});

it('stores the response to a CALL of the service the same way, and reads the request from the whole CALL', async () => {
  const items = Array.from({ length: 900 }, (_, i) => ({
    key: `Key${String(i)}`,
    readonly: false,
    value: 'x'.repeat(40),
  }));
  const asked = { key: Array.from({ length: 900 }, (_, i) => `Key${String(i).padStart(30, '0')}`) };
  await connection.outcome('GetConfiguration', asked, { configurationKey: items });
  const [row] = await world.log(charger);
  expect(row?.requestBytes).toBeGreaterThan(MAX_KEPT_BYTES);
  expect(row?.responseBytes).toBeGreaterThan(MAX_KEPT_BYTES);
  expect(row?.request).toHaveLength(MAX_KEPT_BYTES);
  expect(row?.response).toHaveLength(MAX_KEPT_BYTES);
  expect((await world.read(charger)).reported.configuration).toHaveLength(900);
});
