import { createFakeClock } from '@busbar/testing';
import type { LinkOutcome } from '../../commands/charger-link';
import { matchesSecret } from '../../secret';
import { newCharger } from '../../testing/charger';
import { storedChargers } from '../../testing/stored-chargers';
import { storedDeviceModels } from '../../testing/stored-device-models';
import { callWithNewKey, type NewKey } from './change-authorization-key';
import type { PendingKey } from './charger-authentication';

const KEY = '0123456789abcdefABCD0123456789abcdefABCD';
const CALL = {
  commandId: 'mine',
  newKey: { value: KEY, path: '/configValue', maxCharacters: undefined },
  timeoutMs: 1_000,
  waitMs: 2_000,
};
const KEY_RULE = 'must have 32 to 40 hexadecimal digits, two for each byte';

function pendingKeys(count: number): PendingKey[] {
  const until = '2026-01-01T02:00:00.000Z';
  return Array.from({ length: count }, (_each, i) => ({
    commandId: `c${String(i)}`,
    passwordHash: 'h',
    state: 'open',
    until,
  }));
}

function open({ chargerId = 'ACME_1', pending = 0, maxLimit = 0 } = {}) {
  const authentication = { securityProfile: 1, passwordHash: 'old', pending: pendingKeys(pending) } as const;
  const charger = newCharger({ chargerId, registered: { authentication } });
  const chargers = storedChargers(charger);
  const deviceModels = storedDeviceModels({ [PASSWORD]: { characteristics: { dataType: 'string', maxLimit } } });
  const stored = () => chargers.all.get(chargerId)?.registered.authentication;
  return { charger, deps: { chargers, deviceModels, clock: createFakeClock() }, stored, authentication };
}

const PASSWORD = 'SecurityCtrlr.BasicAuthPassword';
const text = (value: string) => ({ newKey: { value, path: '/variables/0/value', maxCharacters: 40 } });

describe('a command with a new key', () => {
  it.each<[string, LinkOutcome, 'pending' | 'void']>([
    ['keeps the key pending after an answer', { outcome: 'answered', payload: {} }, 'pending'],
    ['keeps the key pending without an answer', { outcome: 'timeout' }, 'pending'],
    ['keeps the key pending where the broker was lost', { outcome: 'lost' }, 'pending'],
    ['voids the key where the charger was busy', { outcome: 'busy' }, 'void'],
    ['voids the key where the charger is not there', { outcome: 'not_here' }, 'void'],
    ['voids the key where nobody listens', { outcome: 'nobody' }, 'void'],
    ['voids the key where the broker is unreachable', { outcome: 'unavailable' }, 'void'],
    ['voids the key where the gateway is too old', { outcome: 'unsupported_version' }, 'void'],
  ])('10. %s', async (_title, outcome, end) => {
    const { charger, deps, stored, authentication } = open({ pending: 1 });
    expect(await callWithNewKey(deps, charger, CALL, () => Promise.resolve(outcome))).toBe(outcome);
    const ids = end === 'pending' ? ['c0', 'mine'] : ['c0'];
    expect(stored()?.pending?.map(({ commandId }) => commandId)).toEqual(ids);
    expect(stored()).toMatchObject({
      passwordHash: 'old',
      pending: [authentication.pending[0], ...ids.slice(1).map(() => ({}))],
    });
  });

  it('10. stores the key before it is sent, for an hour longer than the call may wait', async () => {
    const { charger, deps, stored } = open();
    const send = jest.fn(() => {
      expect(stored()?.pending).toMatchObject([
        { commandId: 'mine', state: 'open', until: '2026-01-01T01:00:03.000Z' },
      ]);
      return Promise.resolve<LinkOutcome>({ outcome: 'timeout' });
    });
    await callWithNewKey(deps, charger, CALL, send);
    expect(send).toHaveBeenCalledTimes(1);
    expect(await matchesSecret(Buffer.from(KEY, 'hex'), stored()?.pending?.[0]?.passwordHash ?? '')).toBe(true);
  });

  it.each<[string, Parameters<typeof open>[0], { newKey?: NewKey }, object]>([
    [
      'refuses a malformed key',
      {},
      { newKey: { value: 'xyz', path: '/configValue', maxCharacters: undefined } },
      {
        code: 'invalid_request',
        message: `An authorizationKey ${KEY_RULE}.`,
        details: { issues: [{ field: 'configValue', message: KEY_RULE }] },
      },
    ],
    [
      'refuses an id with ":"',
      { chargerId: 'A:1' },
      {},
      { code: 'invalid_request', message: expect.stringContaining('A chargerId with ":"') as unknown },
    ],
    [
      'refuses a fifth pending key',
      { pending: 4 },
      {},
      { code: 'conflict', message: '4 keys for ACME_1 are pending: wait until it has connected again.' },
    ],
  ])('10. %s, and sends nothing', async (_title, parts, call, refusal) => {
    const { charger, deps, stored, authentication } = open(parts);
    const send = jest.fn();
    await expect(callWithNewKey(deps, charger, { ...CALL, ...call }, send)).rejects.toMatchObject(refusal);
    expect(send).not.toHaveBeenCalled();
    expect(stored()).toBe(authentication);
  });

  it.each(['p'.repeat(15), 'p'.repeat(41)])('11. refuses the password %s; 152. and sends nothing', async (password) => {
    const { charger, deps } = open();
    const send = jest.fn();
    const refused = callWithNewKey(deps, charger, { ...CALL, ...text(password) }, send);
    const issues = [{ field: 'variables/0/value', message: 'must have 16 to 40 characters' }];
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request', details: { issues } });
    expect(send).not.toHaveBeenCalled();
  });

  it.each([
    [80, 80, 'takes'],
    [80, 81, 'refuses'],
    [20, 21, 'refuses'],
    [0, 64, 'takes'],
    [0, 65, 'refuses'],
    [15, 64, 'takes'],
  ])('152. with a maximum of %i that the charger reported, a password of %i characters: %s', async (...row) => {
    const [maxLimit, length, end] = row;
    const { charger, deps, stored } = open({ maxLimit });
    const newKey = { value: 'p'.repeat(length), path: '/configValue', maxCharacters: 64, variable: PASSWORD };
    const asked = callWithNewKey(deps, charger, { ...CALL, newKey }, () => Promise.resolve({ outcome: 'timeout' }));
    await asked.catch((error: unknown) => expect(error).toMatchObject({ code: 'invalid_request' }));
    expect(stored()?.pending).toHaveLength(end === 'takes' ? 1 : 0);
  });

  it('152. stores a password as the bytes of its text, also where those are hexadecimal digits', async () => {
    const { charger, deps, stored } = open();
    const password = '0123456789abcdef0123456789abcdef';
    await callWithNewKey(deps, charger, { ...CALL, ...text(password) }, () => Promise.resolve({ outcome: 'timeout' }));
    expect(await matchesSecret(Buffer.from(password), stored()?.pending?.[0]?.passwordHash ?? '')).toBe(true);
  });

  it.each([
    ['was deleted', 'ACME_2', 'ACME_2-1'],
    ['was registered anew', 'ACME_1', 'ACME_1-0'],
  ])('10. is not found for a charger that %s, and sends nothing', async (_title, chargerId, incarnationId) => {
    const send = jest.fn();
    const call = callWithNewKey(open().deps, { chargerId, incarnationId, clientId: 'client' }, CALL, send);
    await expect(call).rejects.toMatchObject({ code: 'not_found', message: `There is no charger ${chargerId}.` });
    expect(send).not.toHaveBeenCalled();
  });

  it.each([
    ['stores the key after nine attempts that were lost to others', 9, 'sent'],
    ['is a conflict, and sends nothing, after ten', 10, 'refused'],
  ])('10. %s', async (_title, lost, end) => {
    const { charger, deps } = open();
    let left = lost;
    const { replaceAuthentication: replace } = deps.chargers;
    const replaceAuthentication: typeof replace = (...args) => (left-- > 0 ? Promise.resolve(false) : replace(...args));
    const send = jest.fn(() => Promise.resolve<LinkOutcome>({ outcome: 'timeout' }));
    const chargers = { ...deps.chargers, replaceAuthentication };
    const call = callWithNewKey({ ...deps, chargers }, charger, CALL, send);
    const message = 'Others keep changing the authentication of ACME_1. Try again.';
    if (end === 'sent') expect(await call).toEqual({ outcome: 'timeout' });
    else await expect(call).rejects.toMatchObject({ code: 'conflict', message });
    expect(send).toHaveBeenCalledTimes(end === 'sent' ? 1 : 0);
  });
});
