// Rules 10 and 152: the result of a command that changes a charger's key decides which key the charger has.
import type { CallOutcome } from '@busbar/contracts';
import type { Timestamp } from '@busbar/domain';
import { dated, resolveKey, type Charger, type KeyEnd } from '@busbar/domain/chargers';

/** `status`: the charger's word for the key; undefined where it sent none. The record is the same where the command changed no key. */
export function withResolvedKey(
  charger: Charger,
  commandId: string,
  {
    result,
    status,
    order,
    at,
  }: {
    readonly result: CallOutcome;
    readonly status: string | undefined;
    readonly order: number;
    readonly at: Timestamp;
  },
): Charger {
  const { registered } = charger;
  const before = registered.authentication;
  const authentication = dated(before, resolveKey(before, commandId, endOf(result, status), order), at);
  if (authentication === before) return charger;
  return { ...charger, registered: { ...registered, authentication } };
}

/** OCPP 1.6 5.4 and 7.20; OCPP 2.0.1, SetVariableStatusEnumType. A CALLERROR means that the charger did not take the key. */
function endOf({ outcome }: CallOutcome, status: string | undefined): KeyEnd {
  if (outcome === 'error') return 'refused';
  return ENDS.get(status) ?? 'unknown';
}

const ENDS: ReadonlyMap<string | undefined, KeyEnd> = new Map([
  ['Accepted', 'accepted'],
  ['RebootRequired', 'after_reboot'],
  ['Rejected', 'refused'],
  ['NotSupported', 'refused'],
  ['UnknownComponent', 'refused'],
  ['UnknownVariable', 'refused'],
  ['NotSupportedAttributeType', 'refused'],
]);
