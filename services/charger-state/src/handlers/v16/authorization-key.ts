// Rule 10: the result of a ChangeConfiguration of the AuthorizationKey decides which key the charger has.
import type { CallOutcome } from '@busbar/contracts';
import { resolveKey, type Charger, type KeyEnd } from '@busbar/domain/chargers';
import { responseOf } from './route';

/** The record after the result of a command. The same where the command changed no key. */
export function withResolvedKey(charger: Charger, commandId: string, result: CallOutcome, order: number): Charger {
  const { registered } = charger;
  const authentication = resolveKey(registered.authentication, commandId, endOf(result), order);
  if (authentication === registered.authentication) return charger;
  return { ...charger, registered: { ...registered, authentication } };
}

/** OCPP 1.6 5.4 and 7.20. A CALLERROR means that the charger did not take the key. */
function endOf(result: CallOutcome): KeyEnd {
  if (result.outcome === 'error') return 'refused';
  switch (responseOf('ChangeConfiguration', result)?.status) {
    case 'Accepted':
      return 'accepted';
    case 'RebootRequired':
      return 'after_reboot';
    case 'Rejected':
    case 'NotSupported':
      return 'refused';
    default:
      return 'unknown';
  }
}
