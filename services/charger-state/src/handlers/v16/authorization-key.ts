// Rule 10: how a ChangeConfiguration of the AuthorizationKey ended says which key the charger has.
import type { CallOutcome } from '@busbar/contracts';
import { resolveKey, type KeyEnd } from '@busbar/domain/chargers';
import type { Handler } from '../handler';

/** The handler of ChangeConfiguration's end, and the key of that command settled before it. */
export function settlingKeys(inner: Handler<CallOutcome>): Handler<CallOutcome> {
  return {
    ...inner,
    apply(charger, report, context) {
      const { registered } = charger;
      const { commandId, payload } = report;
      if (commandId === undefined) return inner.apply(charger, report, context);
      const authentication = resolveKey(registered.authentication, commandId, endOf(payload), report.order);
      // A command that took no key there settles none.
      if (authentication === registered.authentication) return inner.apply(charger, report, context);
      return inner.apply({ ...charger, registered: { ...registered, authentication } }, report, context);
    },
  };
}

/** OCPP 1.6 5.4 and 7.20. An error answer says that the charger did not do it. */
function endOf(answer: CallOutcome): KeyEnd {
  if (answer.outcome === 'error') return 'refused';
  if (answer.outcome !== 'answered') return 'unknown';
  switch (answer.payload['status']) {
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
