// Whether a charger did what a command asked. Pure.

/** Statuses by which a charger agrees, in all versions of OCPP; `answered`: a response without a status, in events. */
const AGREES = ['Accepted', 'AcceptedCanceled', 'Unlocked', 'Scheduled', 'RebootRequired', 'answered'];

/** Of a status of OCPP, or of the `outcome` of the event `command.completed`: codes of docs/errors.md never agree. */
export function agrees(status: string): boolean {
  return AGREES.includes(status);
}
