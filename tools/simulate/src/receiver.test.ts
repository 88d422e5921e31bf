import { eventually, serve } from '@busbar/testing';
import { Webhook } from 'standardwebhooks';
import { runReceiver } from './receiver';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const EVENT = {
  id: 'evt_01J9_830',
  type: 'socket.state_changed',
  sequence: 830,
  chargerId: 'ACME-17',
  data: { socketId: 1, state: 'Charging' },
};
const BODY = JSON.stringify(EVENT);

let stop: AbortController;
let running: Promise<void>;
let printed: string[];
beforeEach(() => {
  stop = new AbortController();
  printed = [];
});
afterEach(async () => {
  stop.abort();
  await running;
});

async function start(secret: string | undefined): Promise<string> {
  running = runReceiver({ port: 0, secret, print: (line) => printed.push(line), stop: stop.signal });
  const [, url] = await eventually(() => /(http:\S+)/.exec(printed[0] ?? '') ?? undefined);
  return url ?? '';
}

async function post(url: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  return (await fetch(url, { method: 'POST', body, headers })).status;
}

function signed(body: string, secret = SECRET): Record<string, string> {
  const at = new Date();
  return {
    'webhook-id': EVENT.id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(EVENT.id, at, body),
  };
}

it('prints an event and whether its signature is right', async () => {
  const url = await start(SECRET);
  expect(await post(url, BODY, signed(BODY))).toBe(204);
  expect(printed.slice(1)).toEqual([
    expect.stringMatching(`^[\\d:.]{12}  verified  ${EVENT.id}  socket.state_changed  ACME-17  830$`),
    `    ${JSON.stringify(EVENT.data)}`,
  ]);
});

it('responds to a wrong signature with 401, and prints why', async () => {
  const url = await start(SECRET);
  expect(await post(url, BODY, signed(`${BODY} `))).toBe(401);
  expect(await post(url, BODY)).toBe(401);
  const verdicts = printed.slice(1).filter((line) => !line.startsWith(' '));
  expect(verdicts.map((line) => line.split('  ')[1])).toEqual([
    'rejected: No matching signature found',
    'rejected: Missing required headers',
  ]);
});

it('takes anything without a secret, and prints a push message whole', async () => {
  const url = await start(undefined);
  const body = '{"chargerId":"ACME_1",\n"status":"\u001b[2JCharging"}';
  expect(await post(url, body, { 'webhook-id': 'evt_1-2' })).toBe(204);
  expect(printed[0]).toContain('not verified');
  expect(printed.slice(1)).toEqual([
    expect.stringMatching('  not verified  evt_1-2$'),
    '    {"chargerId":"ACME_1", "status":" [2JCharging"}',
  ]);
});

it('prints an event of no charger', async () => {
  const url = await start(undefined);
  await post(
    url,
    JSON.stringify({ id: 'evt_wh_1', type: 'webhook.test\u0007', sequence: null, chargerId: null, data: {} }),
  );
  expect(printed[1]).toMatch(/no webhook-id {2}webhook.test $/);
});

it('rejects a body of more than 64 kB', async () => {
  const url = await start(undefined);
  expect(await post(url, 'x'.repeat(70_000)).catch(() => 413)).toBe(413);
  expect(printed).toHaveLength(1);
});

it('refuses a secret that is none, and a port in use, with a sentence', async () => {
  const options = { print: () => undefined, stop: stop.signal };
  const other = await serve(() => undefined);
  const port = Number(new URL(other.origin).port);
  await expect(runReceiver({ ...options, port: 0, secret: 'whsec_ü' })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await expect(runReceiver({ ...options, port, secret: undefined })).rejects.toThrow(
    `--port ${String(port)} cannot be used`,
  );
  await other.close();
  running = Promise.resolve();
});
