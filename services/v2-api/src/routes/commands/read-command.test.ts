import type { CommandRecord } from '@busbar/domain';
import { codeOf, openApp, type TestApp } from '../../testing/open-app';

let world: TestApp;
beforeAll(async () => {
  world = await openApp();
  await world.post('/sites', { name: 'Yard' });
  await world.post('/chargers', { name: 'C', chargerId: 'ACME_1' });
});
afterAll(() => world.close());

let last = 0;

async function keep(over: Partial<CommandRecord> = {}): Promise<string> {
  const commandId = `01ARZ3NDEKTSV4RRFFQ69G5F${String((last += 1) + 10)}`;
  const asked = { operation: 'reset', requestedAt: new Date().toISOString(), requestedBy: 'key', requestId: 'r' };
  const open = { outcome: 'in_progress', response: null, completedAt: null } as const;
  const { clientId } = world.own.client;
  const command = { commandId, clientId, chargerId: 'ACME_1', ...asked, ...open, ...over };
  await world.platform.records.commands.begin(command, 100);
  return commandId;
}

const secondsAgo = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();
const read = (commandId: string) => world.call('GET', `/commands/${commandId}`);

it('shows a command that failed, found by the id in the error response', async () => {
  const failed = await world.post('/chargers/ACME_1/reset', { type: 'Soft' }, { 'x-request-id': 'my-request' });
  expect(codeOf(failed)).toBe('409 charger_offline');
  const commandId = String(failed.json()['commandId']);
  const reply = await read(commandId);
  expect(reply.json()).toEqual({
    ...{ commandId, chargerId: 'ACME_1', operation: 'reset', requestId: 'my-request', outcome: 'charger_offline' },
    ...{ requestedBy: world.own.key.keyId, response: null },
    requestedAt: expect.stringMatching(/Z$/) as string,
    completedAt: expect.stringMatching(/Z$/) as string,
  });
});

it('has no commandId for what is no command to a charger of the client', async () => {
  expect((await world.post('/chargers/NOBODYS/reset', { type: 'Soft' })).json()).not.toHaveProperty('commandId');
  expect((await world.post('/chargers/ACME_1/reset', { type: 'Warm' })).json()).not.toHaveProperty('commandId');
});

it('shows a response with whatever fields the charger gave it', async () => {
  const commandId = await keep({ outcome: 'answered', response: '{"status":"Accepted","$a.b":"c"}' });
  expect((await read(commandId)).json()).toMatchObject({ response: { status: 'Accepted', '$a.b': 'c' } });
});

it('shows one in progress, and as unknown when nobody can be waiting for its end any more', async () => {
  expect((await read(await keep({ requestedAt: secondsAgo(60) }))).json()).toMatchObject({ outcome: 'in_progress' });
  expect((await read(await keep({ requestedAt: secondsAgo(300) }))).json()).toMatchObject({ outcome: 'unknown' });
});

it("answers 404 for another client's, an unknown and one of more than 24 hours ago", async () => {
  const others = await keep({ clientId: world.other.client.clientId });
  const old = await keep({ requestedAt: secondsAgo(90_000) });
  for (const commandId of [others, old, '01ARZ3NDEKTSV4RRFFQ69G5FAV']) {
    expect(codeOf(await read(commandId))).toBe('404 not_found');
  }
  expect(codeOf(await read('no-id'))).toBe('400 invalid_request');
});
