// Which CALLs of a charger are accepted before its BootNotification is (rules 121 and 122).
import type { DeviationKind } from '@busbar/ocpp';
import type { Connection } from '../connection/connection';

/** `accepted`; `refused` with SecurityError; or the deviation under which the CALL is accepted. */
export function judgeBoot(
  { boot, solicited, protocol }: Pick<Connection, 'boot' | 'solicited' | 'protocol'>,
  action: string,
  isStrict: boolean,
): 'accepted' | 'refused' | DeviationKind {
  if (boot === 'accepted' || protocol.bootStatusOf(action, { status: 'Accepted' }) !== undefined) return 'accepted';
  if (boot !== 'none') return solicited.has(action) ? 'accepted' : 'refused';
  return isStrict ? 'refused' : 'not_booted';
}
