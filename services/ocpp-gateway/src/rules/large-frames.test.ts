import { eventually } from '@busbar/testing';
import { MAX_KEPT_BYTES } from '@busbar/ocpp';
import { openWorld, type GatewayWorld } from '../testing/open-world';

let world: GatewayWorld;

beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const reportOf = (messageId: string) => world.waitFor((report) => report.messageId === messageId);

it('reports a frame without its insignificant white space, and with its true length', async () => {
  const charger = await world.connect();
  const frame = `[2,"spaces","Heartbeat",{${' '.repeat(240_000)}}]`;
  charger.send(frame);
  expect(await reportOf('spaces')).toMatchObject({
    raw: '[2,"spaces","Heartbeat",{}]',
    rawBytes: frame.length,
    payload: {},
  });
});

it('reports a large frame with its whole payload', async () => {
  const charger = await world.connect();
  const payload = { vendorId: 'X', data: 'a'.repeat(200_000) };
  await charger.call('DataTransfer', payload, 'large');
  expect(await reportOf('large')).toMatchObject({ payload, rawBytes: expect.any(Number) as number });
});

it('reports a large refused frame with its first 16 KiB', async () => {
  const charger = await world.connect();
  const frame = JSON.stringify([2, 'refused', 'NoSuchAction', { data: 'a'.repeat(200_000) }]);
  charger.send(frame);
  expect(await reportOf('refused')).toMatchObject({ raw: frame.slice(0, MAX_KEPT_BYTES), rawBytes: frame.length });
});

it('reports a large CALLRESULT with its whole payload and the first 16 KiB of its frame', async () => {
  const configurationKey = Array.from({ length: 1_000 }, (_, i) => ({ key: `K${String(i)}`, readonly: true }));
  const charger = await world.connect({
    url: `${world.origin}/ocpp/LARGE`,
    answers: { GetConfiguration: () => ({ configurationKey }) },
  });
  await world.waitFor(({ chargerId }) => chargerId === 'LARGE');
  const answer = await world.command('LARGE', 'GetConfiguration');
  expect(answer).toEqual({ outcome: 'answered', payload: { configurationKey } });
  const outcome = await eventually(() => world.reports.find(({ kind }) => kind === 'outcome'));
  const sent = charger.frames.filter(({ from }) => from === 'charger').at(-1)?.text ?? '';
  expect(outcome).toMatchObject({ payload: answer, raw: sent.slice(0, MAX_KEPT_BYTES), rawBytes: sent.length });
});

it('reports a frame of up to 16 KiB unchanged', async () => {
  const charger = await world.connect();
  const frame = `[2,"small","Heartbeat",{${' '.repeat(16_000)}}]`;
  charger.send(frame);
  const report = await reportOf('small');
  expect(report.raw).toBe(frame);
  expect(report).not.toHaveProperty('rawBytes');
});
