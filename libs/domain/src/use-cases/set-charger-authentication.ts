import { AppError, type Clock } from '@busbar/core';
import type { Charger, ChargerAuthentication, ChargerReader, ChargerWriter } from '../charger';
import { toInstant } from '../instant';
import { hashSecret } from '../secret';
import type { ConnectionCloser } from './connection-closer';

export interface SetAuthenticationDeps {
  readonly chargers: Pick<ChargerReader, 'findOwned'> & Pick<ChargerWriter, 'setAuthentication'>;
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
 * Sets what a charger must present, and closes the connection that it was admitted to before. Throws `not_found`, or `invalid_request` for a charger whose id has a `:`, which Basic
 * authentication cannot carry (RFC 7617 clause 2), and for a secret that is neither form or both.
 */
export async function setChargerAuthentication(
  deps: SetAuthenticationDeps,
  owner: Owner,
  input: SetAuthenticationInput,
): Promise<ChargerAuthentication> {
  const { chargerId } = owner;
  const charger = await findOwned(deps, owner);
  if (chargerId.includes(':')) {
    throw new AppError('invalid_request', 'A chargerId with ":" cannot use Basic authentication.');
  }
  const authentication: ChargerAuthentication = {
    securityProfile: input.securityProfile ?? 1,
    passwordHash: hashSecret(secretBytes(input)),
  };
  await store(deps, charger, authentication);
  return authentication;
}

/** A charger without a password again, its connection closed. Throws `not_found`. */
export async function removeChargerAuthentication(
  deps: SetAuthenticationDeps,
  owner: Owner,
): Promise<ChargerAuthentication> {
  const none: ChargerAuthentication = { securityProfile: 0, passwordHash: null };
  await store(deps, await findOwned(deps, owner), none);
  return none;
}

interface Owner {
  readonly clientId: string;
  readonly chargerId: string;
}

async function findOwned({ chargers }: SetAuthenticationDeps, { clientId, chargerId }: Owner): Promise<Charger> {
  const charger = await chargers.findOwned(clientId, chargerId);
  if (charger === undefined) throw notFound(chargerId);
  return charger;
}

async function store(
  { chargers, clock, connections }: SetAuthenticationDeps,
  charger: Charger,
  authentication: ChargerAuthentication,
): Promise<void> {
  const { clientId, chargerId } = charger;
  const at = toInstant(clock.now());
  if (!(await chargers.setAuthentication(clientId, chargerId, authentication, at))) throw notFound(chargerId);
  await connections.close(charger, 'credentials_changed');
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
