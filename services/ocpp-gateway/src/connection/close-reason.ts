// Describes why a connection ended, for the log and for the history of connections.

/** Closes that the gateway starts: the reason in its close frame, and what an operator reads. */
const OURS = {
  replaced: { cause: 'replaced', reason: 'replaced by a newer connection of this charger' },
  deleted: { cause: 'deleted', reason: 'closed by the service: the charger was deleted' },
  credentials_changed: {
    cause: 'credentials_changed',
    reason: 'closed by the service: the credentials of the charger were changed; it must connect with the new ones',
  },
  'certificate revoked': {
    cause: 'certificate_revoked',
    reason: 'closed by the service: the client certificate of the charger was revoked',
  },
  'the gateway stops': {
    cause: 'stopping',
    reason: 'closed by the service: the gateway stops; the charger reconnects',
  },
  'another gateway has room': {
    cause: 'rebalanced',
    reason: 'closed by the service: this gateway has more chargers than others; the charger reconnects',
  },
  'text frames only': {
    cause: 'binary_frame',
    reason: 'closed by the service: the charger sent a binary frame, and OCPP uses text frames',
  },
  'too many unreadable frames': {
    cause: 'unreadable_frames',
    reason: 'closed by the service: the charger sent too many frames in a row that are not OCPP',
  },
  'try again later': {
    cause: 'outage',
    reason:
      'closed by the service: the broker was unavailable for long, and the charger must send its transaction messages again',
  },
} as const;

/** The reason in a close frame of the gateway. */
export type CloseFrameReason = keyof typeof OURS;

/** The cause that ended a connection before its close event: the gateway, or a failure of the socket. */
export interface ConnectionEnd {
  readonly code: number;
  readonly reason: string;
  readonly cause: EndCause;
}

/** Every cause, for metrics. `lost`: power or network; `charger`: its own close frame. */
export const END_CAUSES = [
  ...Object.values(OURS).map(({ cause }) => cause),
  'no_pong',
  'slow_reader',
  'protocol_error',
  'lost',
  'charger',
] as const;
export type EndCause = (typeof END_CAUSES)[number];

/** The charger answered no ping. */
export const NO_PONG: ConnectionEnd = {
  cause: 'no_pong',
  code: 1006,
  reason: 'terminated by the service: the charger answered no ping, so its power or network probably failed',
};

/** The charger left a megabyte of answers unread. */
export const SLOW_READER: ConnectionEnd = {
  cause: 'slow_reader',
  code: 1006,
  reason: 'terminated by the service: the charger does not read the answers to its messages',
};

/** RFC 6455, 7.4.1. */
const THEIRS: Readonly<Record<number, string>> = {
  1000: 'closed by the charger',
  1001: 'closed by the charger, which restarts or shuts down',
  1002: 'closed by the charger: it reports a protocol error',
  1003: 'closed by the charger: it cannot process a kind of data that it received',
  1005: 'closed by the charger without a code',
  1006: 'lost without a close frame: power or network failure, a restart of the charger, or a proxy that ended the connection',
  1007: 'closed by the charger: it reports a frame that is not UTF-8',
  1008: 'closed by the charger: it reports a violation of its policy',
  1009: 'closed by the charger: it reports a frame that is too large',
  1011: 'closed by the charger: it reports an internal error',
};

const INVALID_UTF8 = 'closed by the service: the charger sent a frame that is not UTF-8';
const TOO_LARGE = 'closed by the service: the charger sent a frame above the limit (OCPP_MAX_FRAME_BYTES)';

export function endByService(code: number, reason: CloseFrameReason): ConnectionEnd {
  return { code, ...OURS[reason] };
}

/** The end by an error of the socket, by the error's code. `ws` closes the socket itself where the charger violates the protocol. */
export function endByError(code = 'unknown'): ConnectionEnd {
  const cause = 'protocol_error';
  if (code === 'WS_ERR_INVALID_UTF8') return { cause, code: 1007, reason: INVALID_UTF8 };
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return { cause, code: 1009, reason: TOO_LARGE };
  if (code.startsWith('WS_ERR_')) {
    return {
      cause,
      code: 1002,
      reason: `closed by the service: the charger violated the websocket protocol (${code})`,
    };
  }
  return { cause: 'lost', code: 1006, reason: `lost: the network connection failed (${code})` };
}

/** The end by the charger: the code of its close frame and the text in it, which a charger chooses freely. */
export function endByCharger(code: number, text: string): ConnectionEnd {
  const reason = THEIRS[code] ?? `closed by the charger with code ${String(code)}`;
  const printable = text.replace(/\p{C}/gu, ' ').trim();
  // ws has 1006 for a connection that ended without a close frame.
  const cause = code === 1006 ? 'lost' : 'charger';
  return { cause, code, reason: printable === '' ? reason : `${reason}: "${printable}"` };
}
