export interface ListenerLimits {
  /** Until the first byte, and for a TLS handshake. */
  readonly handshakeMs: number;
  /** Until all headers are there. */
  readonly headersMs: number;
  /** Until the whole request is there. */
  readonly requestMs: number;
  readonly idleKeepAliveMs: number;
  /** Of the request line and all headers. */
  readonly headerBytes: number;
  /** Sockets of all kinds at once, chargers' among them; one more is closed at once. */
  readonly connections: number;
  /** How long `stop` waits for requests in flight. */
  readonly stopMs: number;
}

export const DEFAULT_LIMITS: ListenerLimits = {
  handshakeMs: 10_000,
  headersMs: 15_000,
  requestMs: 30_000,
  idleKeepAliveMs: 65_000,
  // The longest query that the documents allow (some 32 KiB, each character percent-encoded) and 8 KiB of headers.
  headerBytes: 49_152,
  connections: 60_000,
  stopMs: 5_000,
};
