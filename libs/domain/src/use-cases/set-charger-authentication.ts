import { AppError, type Clock } from '@busbar/core';
import type { ChargerAuthentication, ChargerReader, ChargerWriter } from '../charger';
import { toInstant } from '../instant';
import { hashSecret } from '../secret';

export interface SetAuthenticationInput {
  /** 1.6: up to 40 bytes; text as UTF-8. */
  readonly password?: string;
  /** 32–40 hex digits: key bytes that JSON cannot carry. */
  readonly authorizationKey?: string;
  readonly securityProfile?: 0 | 1 | 2 | 3;
}

/**
 * Sets what a charger must present. Throws `not_found`, or `invalid_request` for a charger whose id has a `:`, which Basic
 * authentication cannot carry (RFC 7617 clause 2), and for a secret that is neither form or both.
 */
export async function setChargerAuthentication(
  deps: { readonly chargers: ChargerReader & ChargerWriter; readonly clock: Clock },
  owner: { readonly clientId: string; readonly chargerId: string },
  input: SetAuthenticationInput,
): Promise<ChargerAuthentication> {
  const { clientId, chargerId } = owner;
  if ((await deps.chargers.findOwned(clientId, chargerId)) === undefined) throw notFound(chargerId);
  if (chargerId.includes(':')) {
    throw new AppError('invalid_request', 'A chargerId with ":" cannot use Basic authentication.');
  }
  const authentication: ChargerAuthentication = {
    securityProfile: input.securityProfile ?? 1,
    passwordHash: hashSecret(secretBytes(input)),
  };
  const at = toInstant(deps.clock.now());
  if (!(await deps.chargers.setAuthentication(clientId, chargerId, authentication, at))) throw notFound(chargerId);
  return authentication;
}

/** A charger without a password again. Throws `not_found`. */
export async function removeChargerAuthentication(
  deps: { readonly chargers: ChargerWriter; readonly clock: Clock },
  owner: { readonly clientId: string; readonly chargerId: string },
): Promise<ChargerAuthentication> {
  const none: ChargerAuthentication = { securityProfile: 0, passwordHash: null };
  const at = toInstant(deps.clock.now());
  if (!(await deps.chargers.setAuthentication(owner.clientId, owner.chargerId, none, at))) {
    throw notFound(owner.chargerId);
  }
  return none;
}

function secretBytes(input: SetAuthenticationInput): Buffer {
  if ((input.password === undefined) === (input.authorizationKey === undefined)) {
    throw new AppError('invalid_request', 'Give either password or authorizationKey.');
  }
  if (input.password !== undefined) {
    if (input.password.length < 8 || Buffer.byteLength(input.password) > 40) {
      throw new AppError('invalid_request', 'A password has at least 8 characters and at most 40 bytes.');
    }
    return Buffer.from(input.password, 'utf8');
  }
  const key = input.authorizationKey ?? '';
  if (!/^(?:[0-9A-Fa-f]{2}){16,20}$/.test(key)) {
    throw new AppError('invalid_request', 'An authorizationKey has 32 to 40 hexadecimal digits, two for each byte.');
  }
  return Buffer.from(key, 'hex');
}

function notFound(chargerId: string): AppError {
  return new AppError('not_found', `There is no charger ${chargerId}.`);
}
