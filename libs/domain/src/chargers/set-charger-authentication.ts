import type { Clock } from '@busbar/core';
import type { Charger, ChargerReader, ChargerWriter } from './charger';
import { pendingOf, replacing, type ChargerAuthentication } from './charger-authentication';
import { toTimestamp } from '../timestamp';
import { invalidInput } from '../invalid-input';
import { retryOnConflict } from '../retry-on-conflict';
import { hashSecret } from '../secret';
import type { ConnectionCloser } from './connection-closer';
import { readOwnedCharger, refuseOtherVersion, type OwnedCharger } from './owned-charger';

export interface SetAuthenticationDeps {
  readonly chargers: Pick<ChargerReader, 'findOwned'> & Pick<ChargerWriter, 'replaceAuthentication'>;
  readonly connections: ConnectionCloser;
  readonly clock: Clock;
}

export interface SetAuthenticationInput {
  /** 1.6: up to 40 bytes; text as UTF-8. */
  readonly password?: string;
  /** 32–40 hex digits: key bytes that JSON cannot carry. */
  readonly authorizationKey?: string;
  readonly securityProfile?: 0 | 1 | 2 | 3;
}

/**
 * Sets what a charger must present, and closes the connection that it was admitted to before. Security profiles 1 and 2 rest
 * on a secret; with 3 a certificate that names the charger is asked for, and the secret too where one is given; 0 asks for
 * nothing but a secret that is given. Keys under way to the charger (rule 10) are void. Resolves with the charger, its
 * registration in its next version. Throws `not_found`, `precondition_failed` when it is another version than the caller means, or
 * `invalid_request` for a secret that is missing or not well-formed, and for one of a charger whose id has a `:`, which
 * Basic authentication cannot carry (RFC 7617 clause 2).
 */
export function setChargerAuthentication(
  deps: SetAuthenticationDeps,
  owner: OwnedCharger,
  input: SetAuthenticationInput,
): Promise<Charger> {
  return store(deps, owner, () => {
    const secret = secretBytes(input);
    if (secret !== undefined) requireBasic(owner.chargerId);
    const passwordHash = secret === undefined ? null : hashSecret(secret);
    return { securityProfile: input.securityProfile ?? 1, passwordHash };
  });
}

/**
 * A charger without a password again, its connection closed; one that has none stays in its version. Resolves with the
 * charger. Throws `not_found` and `precondition_failed`.
 */
export function removeChargerAuthentication(deps: SetAuthenticationDeps, owner: OwnedCharger): Promise<Charger> {
  return store(deps, owner, () => ({ securityProfile: 0, passwordHash: null }));
}

/** Throws `invalid_request` for a charger that cannot use Basic authentication. */
export function requireBasic(chargerId: string): void {
  if (!chargerId.includes(':')) return;
  throw invalidInput(
    'A chargerId with ":" cannot use Basic authentication: register the charger under another id, or use security profile 3.',
    { path: ':chargerId', message: 'must have no ":" where Basic authentication is used' },
  );
}

/**
 * The bytes of a key that JSON cannot carry. Throws `invalid_request` unless it has 32 to 40 hexadecimal digits, at `path`
 * where the caller knows it.
 */
export function keyBytes(digits: string, path?: string): Buffer {
  if (!/^(?:[0-9A-Fa-f]{2}){16,20}$/.test(digits)) {
    const message = 'must have 32 to 40 hexadecimal digits, two for each byte';
    throw invalidInput(`An authorizationKey ${message}.`, ...(path === undefined ? [] : [{ path, message }]));
  }
  return Buffer.from(digits, 'hex');
}

type Presented = Pick<ChargerAuthentication, 'securityProfile' | 'passwordHash'>;

async function store(deps: SetAuthenticationDeps, owner: OwnedCharger, next: () => Presented): Promise<Charger> {
  let presented: Presented | undefined;
  return retryOnConflict(`What ${owner.chargerId} must present is being changed by others.`, async () => {
    // Before what is asked for is looked at: an unknown charger is 404 before that 400.
    const charger = await readOwnedCharger(deps, owner);
    presented ??= next();
    refuseOtherVersion(charger, owner);
    const stored = await replaced(deps, charger, presented);
    // Also where nothing was to be changed: whoever asks again may do so because the closing failed.
    if (stored !== undefined) await deps.connections.close(charger, 'credentials_changed');
    return stored;
  });
}

/** Undefined where another change was sooner. */
async function replaced(
  { chargers, clock }: SetAuthenticationDeps,
  charger: Charger,
  next: Presented,
): Promise<Charger | undefined> {
  const { registered } = charger;
  if (isNothing(registered.authentication) && isNothing(next)) return charger;
  const authentication = replacing(registered.authentication, next);
  const at = toTimestamp(clock.now());
  if (!(await chargers.replaceAuthentication(charger, authentication, at))) return undefined;
  const version = (registered.version ?? 0) + 1;
  return { ...charger, registered: { ...registered, authentication, updatedAt: at, version } };
}

/** Nothing to be presented. A secret is never the same: its hash is salted. */
function isNothing({
  securityProfile,
  passwordHash,
  ...rest
}: Presented & Pick<ChargerAuthentication, 'pending'>): boolean {
  return securityProfile === 0 && passwordHash === null && pendingOf(rest).length === 0;
}

/** Undefined where the profile needs none and none is given. */
function secretBytes({ password, authorizationKey, securityProfile = 1 }: SetAuthenticationInput): Buffer | undefined {
  if (password !== undefined && authorizationKey !== undefined) {
    const message = 'must not be given beside the other';
    throw invalidInput(
      'Give either password or authorizationKey.',
      { path: '/password', message },
      { path: '/authorizationKey', message },
    );
  }
  if (authorizationKey !== undefined) return keyBytes(authorizationKey, '/authorizationKey');
  if (password === undefined) {
    if (securityProfile === 0 || securityProfile === 3) return undefined;
    const profile = String(securityProfile);
    throw invalidInput(`Give a password or an authorizationKey: security profile ${profile} rests on it.`, {
      path: '/password',
      message: `or authorizationKey is required with security profile ${profile}`,
    });
  }
  if (password.length < 8 || Buffer.byteLength(password) > 40) {
    const message = 'must have at least 8 characters and at most 40 bytes';
    throw invalidInput(`A password ${message}.`, { path: '/password', message });
  }
  return Buffer.from(password, 'utf8');
}
