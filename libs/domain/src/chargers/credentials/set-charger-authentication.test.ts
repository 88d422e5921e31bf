import { createFakeClock } from '@busbar/testing';
import { matchesSecret } from '../../secret';
import { newCharger } from '../../testing/charger';
import { storedChargers } from '../../testing/stored-chargers';
import type { Charger } from '../charger';
import {
  removeChargerAuthentication,
  setChargerAuthentication,
  type SetAuthenticationInput,
} from './set-charger-authentication';

const NOW = '2026-02-01T00:00:00.000Z';
const KEY = '0123456789abcdefABCD0123456789abcdefABCD';
const PASSWORD = 'correct horse';
const OWNED = { clientId: 'client', chargerId: 'ACME_1' };
const pending = [{ commandId: 'c', passwordHash: 'h', state: 'open', until: NOW }] as const;
const BEFORE = { securityProfile: 1, passwordHash: 'old', pending, version: 4 } as const;
const PROTECTED = newCharger({ registered: { version: 2, authentication: BEFORE } });
const COLON = newCharger({ chargerId: 'A:1', registered: { version: 2, authentication: BEFORE } });
const UNKNOWN = { code: 'not_found', message: 'There is no charger ACME_1.' };
const OTHER_VERSION = {
  code: 'precondition_failed',
  message: 'The charger was changed in the meantime. Read it again, then change it.',
};

function open(charger: Charger = PROTECTED) {
  const chargers = storedChargers(charger);
  const close = jest.fn(() => Promise.resolve());
  const stored = () => chargers.all.get(charger.chargerId);
  return { deps: { chargers, connections: { close }, clock: createFakeClock(new Date(NOW)) }, close, stored };
}

describe("setting a charger's authentication", () => {
  it.each<[string, SetAuthenticationInput, 0 | 1 | 2 | 3, Buffer | null]>([
    ['stores a password, with security profile 1', { password: PASSWORD }, 1, Buffer.from(PASSWORD)],
    ['stores a password of 8 characters', { password: '12345678' }, 1, Buffer.from('12345678')],
    ['stores a password of 40 bytes', { password: 'ö'.repeat(20) }, 1, Buffer.from('ö'.repeat(20))],
    ['stores the bytes of a key', { authorizationKey: KEY }, 1, Buffer.from(KEY, 'hex')],
    ['stores a key of 16 bytes', { authorizationKey: KEY.slice(8) }, 1, Buffer.from(KEY.slice(8), 'hex')],
    ['stores a password with profile 0', { password: PASSWORD, securityProfile: 0 }, 0, Buffer.from(PASSWORD)],
    ['stores a password with profile 2', { password: PASSWORD, securityProfile: 2 }, 2, Buffer.from(PASSWORD)],
    ['stores a password with profile 3', { password: PASSWORD, securityProfile: 3 }, 3, Buffer.from(PASSWORD)],
    ['needs no secret with profile 0', { securityProfile: 0 }, 0, null],
    ['needs no secret with profile 3', { securityProfile: 3 }, 3, null],
  ])('%s', async (_title, input, securityProfile, secret) => {
    const { deps, close, stored } = open();
    const after = await setChargerAuthentication(deps, OWNED, input);
    const { passwordHash, ...rest } = after.registered.authentication;
    // Pending keys became void.
    expect(rest).toEqual({ securityProfile, version: 5, setAt: NOW });
    expect(passwordHash === null).toBe(secret === null);
    if (secret !== null) expect(await matchesSecret(secret, passwordHash ?? '')).toBe(true);
    expect(after).toEqual(stored());
    expect(after.registered).toMatchObject({ version: 3, updatedAt: NOW });
    expect(close.mock.calls).toEqual([[PROTECTED, 'credentials_changed']]);
  });

  it('allows an id with ":" where no secret is given', async () => {
    const { deps } = open(COLON);
    const owned = { ...OWNED, chargerId: 'A:1' };
    const after = await setChargerAuthentication(deps, owned, { securityProfile: 3 });
    expect(after.registered.authentication.passwordHash).toBeNull();
  });
});

describe("a charger's authentication that is refused", () => {
  function invalid(message: string, ...issues: { field: string; message: string }[]) {
    return { code: 'invalid_request', message, details: { issues } };
  }
  const keyRule = 'must have 32 to 40 hexadecimal digits, two for each byte';
  const badKey = invalid(`An authorizationKey ${keyRule}.`, { field: 'authorizationKey', message: keyRule });
  const passwordRule = 'must have at least 8 characters and at most 40 bytes';
  const badPassword = invalid(`A password ${passwordRule}.`, { field: 'password', message: passwordRule });
  const missing = (profile: number) =>
    invalid(`Give a password or an authorizationKey: security profile ${String(profile)} needs one.`, {
      field: 'password',
      message: `or authorizationKey is required with security profile ${String(profile)}`,
    });
  const message = 'must not be given beside the other';
  const both = invalid(
    'Give either password or authorizationKey.',
    { field: 'password', message },
    { field: 'authorizationKey', message },
  );
  const colon = invalid(
    'A chargerId with ":" cannot use Basic authentication: register the charger under another id, or use security profile 3.',
    { field: 'chargerId', message: 'must have no ":" where Basic authentication is used' },
  );

  it.each<[string, Partial<Parameters<typeof setChargerAuthentication>[1]>, SetAuthenticationInput, object]>([
    ['has a password of 7 characters', {}, { password: '1234567' }, badPassword],
    ['has a password of 41 bytes', {}, { password: `${'ö'.repeat(20)}a` }, badPassword],
    ['has a key of 30 digits', {}, { authorizationKey: KEY.slice(10) }, badKey],
    ['has a key of 33 digits', {}, { authorizationKey: KEY.slice(7) }, badKey],
    ['has a key of 42 digits', {}, { authorizationKey: `${KEY}00` }, badKey],
    ['has a key with another character', {}, { authorizationKey: `${KEY.slice(1)}g` }, badKey],
    ['has a password beside a key', {}, { password: PASSWORD, authorizationKey: KEY }, both],
    ['has no secret', {}, {}, missing(1)],
    ['has no secret for profile 1', {}, { securityProfile: 1 }, missing(1)],
    ['has no secret for profile 2', {}, { securityProfile: 2 }, missing(2)],
    ["is of another client's charger, before bad input", { clientId: 'other' }, {}, UNKNOWN],
    ['is of another version', { ifMatch: () => false }, { password: PASSWORD }, OTHER_VERSION],
    ['is bad input of another version', { ifMatch: () => false }, {}, missing(1)],
    ['has a secret for an id with ":"', { chargerId: 'A:1' }, { password: PASSWORD, securityProfile: 3 }, colon],
  ])('%s', async (_title, owned, input, refusal) => {
    const charger = owned.chargerId === undefined ? PROTECTED : COLON;
    const { deps, close, stored } = open(charger);
    await expect(setChargerAuthentication(deps, { ...OWNED, ...owned }, input)).rejects.toMatchObject(refusal);
    expect(stored()).toBe(charger);
    expect(close).not.toHaveBeenCalled();
  });

  it.each([
    ['is written after an attempt that was lost to another change', 1, 'stored'],
    ['is a conflict where every attempt is lost', Infinity, 'conflict'],
  ])('%s', async (_title, lost, end) => {
    const { deps, close } = open();
    const { chargers } = deps;
    let left = lost;
    const replaceAuthentication: typeof chargers.replaceAuthentication = (...args) =>
      left-- > 0 ? Promise.resolve(false) : chargers.replaceAuthentication(...args);
    const setting = setChargerAuthentication({ ...deps, chargers: { ...chargers, replaceAuthentication } }, OWNED, {
      password: PASSWORD,
    });
    const outcome = await setting.then(
      () => 'stored',
      (error: unknown) => error,
    );
    if (end === 'stored') expect(outcome).toBe('stored');
    else {
      const contended = 'Others keep changing the authentication of ACME_1. Try again.';
      expect(outcome).toMatchObject({ code: 'conflict', message: contended });
    }
    expect(close).toHaveBeenCalledTimes(end === 'stored' ? 1 : 0);
  });
});

describe("removing a charger's authentication", () => {
  const none = { securityProfile: 0, passwordHash: null } as const;
  it.each<[string, Charger['registered']['authentication'], 'written' | 'unchanged']>([
    ['removes the password and the pending keys', BEFORE, 'written'],
    ['removes a pending key where there is no password', { ...none, pending, version: 1 }, 'written'],
    ['removes a security profile without a password', { ...none, securityProfile: 3 }, 'written'],
    ['changes nothing where there is none', { ...none, version: 1 }, 'unchanged'],
    ['changes nothing where there is none and no pending key is left', { ...none, pending: [] }, 'unchanged'],
  ])('%s, and closes the connection', async (_title, authentication, end) => {
    const charger = newCharger({ registered: { version: 2, authentication } });
    const { deps, close, stored } = open(charger);
    const after = await removeChargerAuthentication(deps, OWNED);
    const version = (authentication.version ?? 0) + 1;
    if (end === 'unchanged') expect(after).toBe(charger);
    else expect(after.registered.authentication).toEqual({ ...none, version, setAt: NOW });
    expect(stored()).toEqual(after);
    expect(close.mock.calls).toEqual([[charger, 'credentials_changed']]);
  });

  it.each([
    ["refuses another client's charger", { ...OWNED, clientId: 'other' }, UNKNOWN],
    ['refuses another version', { ...OWNED, ifMatch: () => false }, OTHER_VERSION],
  ])('%s', async (_title, owned, refusal) => {
    const { deps, close, stored } = open();
    await expect(removeChargerAuthentication(deps, owned)).rejects.toMatchObject(refusal);
    expect(stored()).toBe(PROTECTED);
    expect(close).not.toHaveBeenCalled();
  });
});
