// A ChangeConfiguration that gives a charger a new key (rule 10): the record knows the key before the charger can, and what
// became of it is settled by whoever learns of it: charger-state by the command's end, an admission by the key that is used.
import { AppError, type Clock } from '@busbar/core';
import type { Charger, ChargerReader, ChargerWriter } from './charger';
import { MAX_PENDING_KEYS, pendingOf, withoutPendingKey, withPendingKey } from './charger-authentication';
import type { LinkOutcome, ChargerCall } from '../commands/charger-link';
import { toTimestamp } from '../timestamp';
import { conflictError } from '../retry-on-conflict';
import { hashSecret } from '../secret';
import { keyBytes, requireBasic } from './set-charger-authentication';

export interface KeyChangeDeps {
  readonly chargers: Pick<ChargerReader, 'find'> & Pick<ChargerWriter, 'replaceAuthentication'>;
  readonly clock: Clock;
}

/** The key that OCPP 1.6 sets the password by; other versions have their own. */
const KEY_NAME = 'authorizationkey';
/** Over what the call and its waits may take, so that clocks may differ: by then the command is not on its way any more. */
const SLACK_MS = 60 * 60_000;
const MAX_ATTEMPTS = 10;
const NEVER_SENT: ReadonlySet<LinkOutcome['outcome']> = new Set([
  ...(['busy', 'not_here', 'nobody', 'unavailable', 'unsupported_version'] as const),
]);

/** Whether a call gives the charger a new key, so that it must go through `callWithNewKey`. */
export function givesNewKey({ action, payload }: Pick<ChargerCall, 'action' | 'payload'>): boolean {
  const { key } = payload;
  return action === 'ChangeConfiguration' && typeof key === 'string' && key.toLowerCase() === KEY_NAME;
}

/**
 * Sends such a call by `send`, the new key being valid beside the old one from before it leaves until its end is known. Rejects
 * with `invalid_request` for a key that is not well-formed or that the charger could not use, with `conflict` while too many
 * earlier ones are undecided, and with `not_found` for a charger that is gone: nothing is sent then.
 */
export async function callWithNewKey(
  deps: KeyChangeDeps,
  charger: Pick<Charger, 'chargerId' | 'incarnationId'>,
  call: ChargerCall & { readonly commandId: string },
  send: () => Promise<LinkOutcome>,
): Promise<LinkOutcome> {
  const { value } = call.payload;
  requireBasic(charger.chargerId);
  const passwordHash = hashSecret(keyBytes(typeof value === 'string' ? value : ''));
  const { commandId, timeoutMs, waitMs } = call;
  const until = toTimestamp(new Date(deps.clock.now().getTime() + waitMs + timeoutMs + SLACK_MS));
  await change(deps, charger, (stored) => {
    if (pendingOf(stored).length >= MAX_PENDING_KEYS) throw undecided(charger.chargerId);
    return withPendingKey(stored, { commandId, passwordHash, state: 'open', until });
  });
  const outcome = await send();
  if (NEVER_SENT.has(outcome.outcome)) await change(deps, charger, (stored) => withoutPendingKey(stored, commandId));
  return outcome;
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
  throw conflictError(`What ${chargerId} must present is being changed by others.`);
}

function undecided(chargerId: string): AppError {
  return new AppError(
    'conflict',
    `${String(MAX_PENDING_KEYS)} keys that ${chargerId} was told to take are undecided: wait until it has connected again.`,
  );
}
