export type ListenerLimits = typeof DEFAULT_LIMITS & {
  /** Limit of file descriptors. Default: that of the operating system. */
  readonly descriptors?: number;
};

export const DEFAULT_LIMITS = {
  /** Time until the first byte, and for a TLS handshake. */
  handshakeMs: 10_000,
  /** Time until the end of the headers. */
  headersMs: 15_000,
  /** Time until the end of the request. */
  requestMs: 30_000,
  idleKeepAliveMs: 65_000,
  /**
   * Bytes of the request line and all headers: the longest query that the documents allow (102 KiB, sessions by 25 tags of 255
   * characters, with every character percent-encoded) and 8 KiB of headers.
   */
  headerBytes: 114_688,
  /**
   * A socket without traffic for so long is closed, also one whose peer does not read its response. Long responses have the
   * same limit.
   */
  stalledMs: 300_000,
  /** Open sockets, with those of chargers; one more is closed at once. Fewer where the limit of descriptors is low. */
  connections: 60_000,
  /**
   * Open sockets of one address, or of one /64 of IPv6, without those of admitted chargers; one more is closed at once. At most
   * half of all. 0: no limit.
   */
  socketsPerAddress: 2_000,
  /** The time that `stop` waits for requests in flight. */
  stopMs: 5_000,
};
