// The reasons why connection attempts are rejected, and what to do about each: for the log, the API's document and the
// admin tool.

/** The `reason` of rejected attempts, in the order of their frequency in the field. */
export const REJECTION_REASONS = {
  unauthorized:
    'wrong or missing password: the charger must send its id as user name and exactly the password that is stored for it; set the same one in both',
  unknown_charger:
    'no charger with this id is registered: register it, or correct the id at the end of the URL in the charger',
  insecure: 'the charger connected without TLS, and its security profile needs it: use a wss:// URL in the charger',
  certificate_required:
    'security profile 3 needs a client certificate with the id of the charger from an authority of TLS_CLIENT_CA_FILE',
  no_subprotocol:
    'the charger offered no OCPP version that is served here: choose OCPP 2.1, 2.0.1 or 1.6 by JSON in the charger',
  no_websocket_upgrade:
    'the request was no websocket upgrade: a proxy in between does not forward websockets, or no charger sent it',
  no_identity: 'the URL has no charger id, or an invalid one: it must end in /ocpp/ and the id',
  invalid_handshake: 'the websocket handshake is invalid: the charger or a proxy in between is at fault',
  https_required: 'plain HTTP on the TLS port: use a wss:// URL in the charger, or the port for plain websockets',
  too_many_attempts:
    'too many failed attempts lately: it is checked again after Retry-After; correct the cause of those before',
  too_many_connections: 'the client has its maximum of connected chargers (OCPP_MAX_CONNECTIONS_PER_CLIENT)',
  too_many_sockets: 'too many open sockets of this address (MAX_SOCKETS_PER_ADDRESS)',
  too_many_upgrades: 'too many chargers connected at the same moment: the charger retries',
  full: 'this gateway has its maximum of connections (OCPP_MAX_CONNECTIONS): start another one',
  charger_state_unavailable: 'charger-state did not respond: see its log; the charger retries',
  store_unavailable: 'the store was unavailable: see the log of charger-state; the charger retries',
  broker_unavailable: 'the broker was unavailable: see the log of the gateway; the charger retries',
  wrong_partitions: 'PARTITIONS of the gateway is not that of the store: correct it',
  stopping: 'the gateway was stopping: the charger retries',
} as const;

/** Returns the meaning of a reason and what to do; undefined for a reason that is not listed. */
export function explainRejection(reason: string): string | undefined {
  return Object.hasOwn(REJECTION_REASONS, reason)
    ? REJECTION_REASONS[reason as keyof typeof REJECTION_REASONS]
    : undefined;
}
