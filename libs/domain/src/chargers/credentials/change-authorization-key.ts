// A command with a new authorization key (rule 10). The record contains the new key before the charger does.
// The command's end or the key of the next connection resolves which of the two keys counts.
import { AppError, type Clock } from '@busbar/core';
import type { Charger, ChargerReader, ChargerWriter } from '../charger';
import { MAX_PENDING_KEYS, pendingOf, withoutPendingKey, withPendingKey } from './charger-authentication';
import type { LinkOutcome, ChargerCall } from '../../commands/charger-link';
import { variableKey, type DeviceModelReader } from '../../device-model/device-model';
import { toTimestamp } from '../../timestamp';
import { conflictError } from '../../retry-on-conflict';
import { invalidInput } from '../../invalid-input';
import { hashSecret } from '../../secret';
import { keyBytes, requireBasic } from './set-charger-authentication';

export interface KeyChangeDeps {
  readonly chargers: Pick<ChargerReader, 'find'> & Pick<ChargerWriter, 'replaceAuthentication'>;
  readonly deviceModels: DeviceModelReader;
  readonly clock: Clock;
}

export interface NewKey {
  readonly value: string;
  /** Its path in the request. */
  readonly path: string;
  /** Text of at most so many characters; undefined: hexadecimal digits. */
  readonly maxCharacters: number | undefined;
  /** The variable whose maximum takes the place of `maxCharacters`, where the charger has reported one. */
  readonly variable?: string | undefined;
}

/** Of a charger of OCPP 2.x (rule 152). */
const MIN_PASSWORD_CHARACTERS = 16;

/** Added to the longest wait of the call, so that clocks may differ. After it the command is no longer in flight. */
const SLACK_MS = 60 * 60_000;
const MAX_ATTEMPTS = 10;
const NEVER_SENT: ReadonlySet<LinkOutcome['outcome']> = new Set([
  ...(['busy', 'not_here', 'nobody', 'unavailable', 'unsupported_version'] as const),
]);

/**
 * Sends a call that gives the charger `newKey` by `send`. The new key is valid beside the old one from before the call until its end is known.
 * Rejects, with nothing sent: `invalid_request` for a malformed or unusable key, `conflict` with too many pending keys,
 * `not_found` for a deleted charger.
 */
export async function callWithNewKey(
  deps: KeyChangeDeps,
  charger: Pick<Charger, 'chargerId' | 'incarnationId' | 'clientId'>,
  call: Pick<ChargerCall, 'timeoutMs' | 'waitMs'> & { readonly commandId: string; readonly newKey: NewKey },
  send: () => Promise<LinkOutcome>,
): Promise<LinkOutcome> {
  requireBasic(charger.chargerId);
  const { commandId, newKey, timeoutMs, waitMs } = call;
  const passwordHash = hashSecret(bytesOf(await limited(deps, charger, newKey)));
  const until = toTimestamp(new Date(deps.clock.now().getTime() + waitMs + timeoutMs + SLACK_MS));
  await change(deps, charger, (stored) => {
    if (pendingOf(stored).length >= MAX_PENDING_KEYS) throw undecided(charger.chargerId);
    return withPendingKey(stored, { commandId, passwordHash, state: 'open', until });
  });
  const outcome = await send();
  if (NEVER_SENT.has(outcome.outcome)) await change(deps, charger, (stored) => withoutPendingKey(stored, commandId));
  return outcome;
}

/** The key with the longest length that the charger has reported (OCPP 2.1, `maxLimit`). Less than the shortest password is no such length. */
async function limited(
  { deviceModels }: KeyChangeDeps,
  charger: Pick<Charger, 'chargerId' | 'incarnationId' | 'clientId'>,
  newKey: NewKey,
): Promise<NewKey> {
  const { variable } = newKey;
  if (variable === undefined) return newKey;
  const { variables } = await deviceModels.read(charger);
  const key = variableKey({ name: variable });
  const { maxLimit = 0 } = variables.find((each) => variableKey(each) === key)?.characteristics ?? {};
  return maxLimit < MIN_PASSWORD_CHARACTERS ? newKey : { ...newKey, maxCharacters: maxLimit };
}

/** Throws `invalid_request` for a key that its charger could not use. */
function bytesOf({ value, path, maxCharacters }: NewKey): Buffer {
  const field = path.slice(1);
  if (maxCharacters === undefined) return keyBytes(value, field);
  const { length } = value;
  if (length < MIN_PASSWORD_CHARACTERS || length > maxCharacters) {
    const message = `must have ${String(MIN_PASSWORD_CHARACTERS)} to ${String(maxCharacters)} characters`;
    throw invalidInput(`A password of a charger ${message}.`, { field, message });
  }
  return Buffer.from(value, 'utf8');
}

type Authentication = Charger['registered']['authentication'];

async function change(
  { chargers }: KeyChangeDeps,
  { chargerId, incarnationId }: Pick<Charger, 'chargerId' | 'incarnationId'>,
  next: (stored: Authentication) => Authentication,
): Promise<void> {
  for (let round = 0; round < MAX_ATTEMPTS; round += 1) {
    const stored = await chargers.find(chargerId);
    if (stored?.incarnationId !== incarnationId) throw new AppError('not_found', `There is no charger ${chargerId}.`);
    const { authentication } = stored.registered;
    const changed = next(authentication);
    if (changed === authentication || (await chargers.replaceAuthentication(stored, changed))) return;
  }
  throw conflictError(`Others keep changing the authentication of ${chargerId}.`);
}

function undecided(chargerId: string): AppError {
  return new AppError(
    'conflict',
    `${String(MAX_PENDING_KEYS)} keys for ${chargerId} are pending: wait until it has connected again.`,
  );
}
