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
  /** A socket on which nothing moves for so long is closed, one whose peer does not read its response among them. */
  readonly stalledMs: number;
  /** Sockets of all kinds at once, chargers' among them; one more is closed at once. Fewer where descriptors are scarce. */
  readonly connections: number;
  /**
   * Those of one address, or of one /64 of IPv6, until a charger is admitted on them; one more is closed at once. Never more
   * than half of all. 0: any number.
   */
  readonly socketsPerAddress: number;
  /** File descriptors that the process may have. Default: what the operating system says. */
  readonly descriptors?: number;
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
  // An answer of any length is broken off after as long.
  stalledMs: 300_000,
  connections: 60_000,
  socketsPerAddress: 2_000,
  stopMs: 5_000,
};
