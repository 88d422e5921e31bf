// Whether a charger did what a command asked. Pure.

/** Statuses by which a charger agrees, in all versions of OCPP; `answered`: a response without a status, in events. */
const AGREES = ['Accepted', 'AcceptedCanceled', 'Unlocked', 'Scheduled', 'RebootRequired', 'answered'];
/** Statuses of OCPP 2.x by which a charger has nothing of what it was asked for. */
const HAS_NOTHING = ['NoProfiles', 'EmptyResultSet'];
/** The one message whose `NotFound` is no failure: what a deletion names is not there, and that is one. */
const LISTS_CERTIFICATES = 'GetInstalledCertificateIds';

/**
 * Of a status of OCPP, or of the `outcome` of the event `command.completed`: codes of docs/errors.md never agree. That the charger has
 * nothing of what it was asked for is no failure. `action` is the message's, where it is known.
 */
export function agrees(status: string, action?: string): boolean {
  return [...AGREES, ...HAS_NOTHING].includes(status) || (status === 'NotFound' && action === LISTS_CERTIFICATES);
}
