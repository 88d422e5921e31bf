/** The address that a charger is configured with; without an id only its beginning. */
export function ocppUrl(chargerId = ''): string {
  return `wss://${location.host}/ocpp/${encodeURIComponent(chargerId)}`;
}
