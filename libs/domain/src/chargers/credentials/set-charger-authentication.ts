import type { Clock } from '@busbar/core';
import type { Charger, ChargerReader, ChargerWriter } from '../charger';
import { pendingOf, replacing, type ChargerAuthentication } from './charger-authentication';
import { toTimestamp } from '../../timestamp';
import { invalidInput } from '../../invalid-input';
import { retryOnConflict } from '../../retry-on-conflict';
import { hashSecret } from '../../secret';
import type { ConnectionCloser } from '../connections/connection-closer';
import { readOwnedCharger, refuseOtherVersion, type OwnedCharger } from '../owned-charger';

export interface SetAuthenticationDeps {
  readonly chargers: Pick<ChargerReader, 'findOwned'> & Pick<ChargerWriter, 'replaceAuthentication'>;
  readonly connections: ConnectionCloser;
  readonly clock: Clock;
}

export interface SetAuthenticationInput {
  /** OCPP 1.6: up to 40 bytes of UTF-8. */
  readonly password?: string;
  /** 32–40 hexadecimal digits: key bytes that JSON cannot carry. */
  readonly authorizationKey?: string;
  readonly securityProfile?: 0 | 1 | 2 | 3;
}

/**
 * Sets a charger's authentication and closes its connection. Security profiles 1 and 2 need a secret. Profile 3 needs a
 * client certificate, and the secret too where one is given. Profile 0 needs only a given secret. Pending keys (rule 10)
 * become void. Resolves with the charger in its next version. Throws `not_found`, `precondition_failed`, or
 * `invalid_request` for a missing or malformed secret. A charger id with `:` is `invalid_request` too: Basic
 * authentication cannot carry it (RFC 7617 clause 2).
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
 * Removes a charger's password and closes its connection. Without a password nothing changes. Resolves with the
 * charger. Throws `not_found` and `precondition_failed`.
 */
export function removeChargerAuthentication(deps: SetAuthenticationDeps, owner: OwnedCharger): Promise<Charger> {
  return store(deps, owner, () => ({ securityProfile: 0, passwordHash: null }));
}

/** Throws `invalid_request` for a charger id that Basic authentication cannot carry. */
export function requireBasic(chargerId: string): void {
  if (!chargerId.includes(':')) return;
  throw invalidInput(
    'A chargerId with ":" cannot use Basic authentication: register the charger under another id, or use security profile 3.',
    { field: 'chargerId', message: 'must have no ":" where Basic authentication is used' },
  );
}

/** Decodes a hexadecimal key. Throws `invalid_request` unless it has 32 to 40 digits; `field` is named in the error. */
export function keyBytes(digits: string, field: string): Buffer {
  if (!/^(?:[0-9A-Fa-f]{2}){16,20}$/.test(digits)) {
    const message = 'must have 32 to 40 hexadecimal digits, two for each byte';
    throw invalidInput(`An authorizationKey ${message}.`, { field, message });
  }
  return Buffer.from(digits, 'hex');
}

type Presented = Pick<ChargerAuthentication, 'securityProfile' | 'passwordHash'>;

async function store(deps: SetAuthenticationDeps, owner: OwnedCharger, next: () => Presented): Promise<Charger> {
  let presented: Presented | undefined;
  return retryOnConflict(`Others keep changing the authentication of ${owner.chargerId}.`, async () => {
    // An unknown charger is refused before invalid input.
    const charger = await readOwnedCharger(deps, owner);
    presented ??= next();
    refuseOtherVersion(charger, owner);
    const stored = await replaced(deps, charger, presented);
    // Also where nothing changed: the closing may have failed in an earlier call.
    if (stored !== undefined) await deps.connections.close(charger, 'credentials_changed');
    return stored;
  });
}

/** Undefined where another change came first. */
async function replaced(
  { chargers, clock }: SetAuthenticationDeps,
  charger: Charger,
  next: Presented,
): Promise<Charger | undefined> {
  const { registered } = charger;
  if (isNothing(registered.authentication) && isNothing(next)) return charger;
  const at = toTimestamp(clock.now());
  const authentication = replacing(registered.authentication, next, at);
  if (!(await chargers.replaceAuthentication(charger, authentication, at))) return undefined;
  const version = (registered.version ?? 0) + 1;
  return { ...charger, registered: { ...registered, authentication, updatedAt: at, version } };
}

/** No authentication. Salted hashes of one secret differ, so other values cannot be compared. */
function isNothing({
  securityProfile,
  passwordHash,
  ...rest
}: Presented & Pick<ChargerAuthentication, 'pending'>): boolean {
  return securityProfile === 0 && passwordHash === null && pendingOf(rest).length === 0;
}

/** Undefined where none is given and the profile needs none. */
function secretBytes({ password, authorizationKey, securityProfile = 1 }: SetAuthenticationInput): Buffer | undefined {
  if (password !== undefined && authorizationKey !== undefined) {
    const message = 'must not be given beside the other';
    throw invalidInput(
      'Give either password or authorizationKey.',
      { field: 'password', message },
      { field: 'authorizationKey', message },
    );
  }
  if (authorizationKey !== undefined) return keyBytes(authorizationKey, 'authorizationKey');
  if (password === undefined) {
    if (securityProfile === 0 || securityProfile === 3) return undefined;
    const profile = String(securityProfile);
    throw invalidInput(`Give a password or an authorizationKey: security profile ${profile} needs one.`, {
      field: 'password',
      message: `or authorizationKey is required with security profile ${profile}`,
    });
  }
  if (password.length < 8 || Buffer.byteLength(password) > 40) {
    const message = 'must have at least 8 characters and at most 40 bytes';
    throw invalidInput(`A password ${message}.`, { field: 'password', message });
  }
  return Buffer.from(password, 'utf8');
}
