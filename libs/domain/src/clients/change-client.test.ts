import { changeClient, type ChangeClientInput } from './change-client';
import type { Client } from './client';

const STORED: Client = {
  clientId: 'acme',
  name: 'Acme',
  openCharging: false,
  createdAt: '2026-01-01T00:00:00.000Z',
};
const BAD_NAME = { code: 'invalid_request', message: 'A client name has 1 to 200 characters.' };

function open() {
  let stored = STORED;
  const clients = {
    find: (clientId: string) => Promise.resolve(clientId === stored.clientId ? stored : undefined),
    change: (clientId: string, parts: Partial<Client>) => {
      if (clientId === stored.clientId) stored = { ...stored, ...parts };
      return Promise.resolve();
    },
  };
  return { deps: { clients }, stored: () => stored };
}

describe('changing a client', () => {
  it.each<[string, ChangeClientInput, Partial<Client>]>([
    ['changes the name alone', { name: 'Other' }, { name: 'Other' }],
    ['trims the name', { name: '  Other ' }, { name: 'Other' }],
    ['accepts a name of 200 characters', { name: 'x'.repeat(200) }, { name: 'x'.repeat(200) }],
    ['permits open charging alone', { openCharging: true }, { openCharging: true }],
    ['changes both', { name: 'Other', openCharging: true }, { name: 'Other', openCharging: true }],
    ['changes nothing without a field', {}, {}],
  ])('%s', async (_title, input, expected) => {
    const { deps, stored } = open();
    expect(await changeClient(deps, 'acme', input)).toEqual({ ...STORED, ...expected });
    expect(stored()).toEqual({ ...STORED, ...expected });
  });

  it.each<[string, string, ChangeClientInput, object]>([
    ['refuses a blank name, with its other fields', 'acme', { name: ' ', openCharging: true }, BAD_NAME],
    ['refuses a name of 201 characters', 'acme', { name: 'x'.repeat(201) }, BAD_NAME],
    [
      'does not find another client',
      'other',
      { name: 'Other' },
      { code: 'not_found', message: 'There is no client other.' },
    ],
  ])('%s, and changes nothing', async (_title, clientId, input, refusal) => {
    const { deps, stored } = open();
    await expect(changeClient(deps, clientId, input)).rejects.toMatchObject(refusal);
    expect(stored()).toBe(STORED);
  });
});
