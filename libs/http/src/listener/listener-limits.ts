export interface ListenerLimits {
  /** Time until the first byte, and for a TLS handshake. */
  readonly handshakeMs: number;
  /** Time until the end of the headers. */
  readonly headersMs: number;
  /** Time until the end of the request. */
  readonly requestMs: number;
  readonly idleKeepAliveMs: number;
  /** Bytes of the request line and all headers. */
  readonly headerBytes: number;
  /** A socket without traffic for so long is closed, also one whose peer does not read its response. */
  readonly stalledMs: number;
  /** Open sockets, with those of chargers; one more is closed at once. Fewer where the limit of descriptors is low. */
  readonly connections: number;
  /**
   * Open sockets of one address, or of one /64 of IPv6, without those of admitted chargers; one more is closed at once. At most
   * half of all. 0: no limit.
   */
  readonly socketsPerAddress: number;
  /** Limit of file descriptors. Default: that of the operating system. */
  readonly descriptors?: number;
  /** The time that `stop` waits for requests in flight. */
  readonly stopMs: number;
}

export const DEFAULT_LIMITS: ListenerLimits = {
  handshakeMs: 10_000,
  headersMs: 15_000,
  requestMs: 30_000,
  idleKeepAliveMs: 65_000,
  // The longest query that the documents allow (32 KiB with every character percent-encoded) and 8 KiB of headers.
  headerBytes: 49_152,
  // Long responses have the same limit.
  stalledMs: 300_000,
  connections: 60_000,
  socketsPerAddress: 2_000,
  stopMs: 5_000,
};
