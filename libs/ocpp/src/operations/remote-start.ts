const REMOTE_STARTS: ReadonlySet<string> = new Set(['RemoteStartTransaction', 'RequestStartTransaction']);

/** Whether a CALL of ours asks a charger to start a session, in whatever version of OCPP. */
export function isRemoteStart(action: string): boolean {
  return REMOTE_STARTS.has(action);
}
