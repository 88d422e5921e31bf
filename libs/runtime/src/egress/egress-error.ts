// Why a request to somebody else's server got no response, as the log of deliveries shows it.

export type EgressErrorCode = 'timeout' | 'dns' | 'refused' | 'reset' | 'tls' | 'address_refused';

/** A request without a response. */
export class EgressError extends Error {
  constructor(
    readonly code: EgressErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'EgressError';
  }
}

const BY_CODE: Readonly<Record<string, EgressErrorCode>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EAI_NODATA: 'dns',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  EACCES: 'refused',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
};
/** Beginnings of the codes of Node.js and OpenSSL for certificates that do not verify. */
const TLS_CODES = [
  'ERR_TLS',
  'ERR_SSL',
  'CERT_',
  'UNABLE_TO_',
  'SELF_SIGNED',
  'DEPTH_ZERO',
  'HOSTNAME_MISMATCH',
  'EPROTO',
];

/** Returns the error as an EgressError. One that no rule knows counts as a reset connection. */
export function egressErrorOf(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (TLS_CODES.some((prefix) => code.startsWith(prefix))) return new EgressError('tls', message, error);
  return new EgressError(BY_CODE[code] ?? 'reset', message, error);
}

/** Several addresses that were tried give an AggregateError, whose own code is that of the first. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
