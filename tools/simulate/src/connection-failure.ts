// Explains in one line why a connection failed, and what to do about it.
import { isAppError, messageOf, parseJson } from '@busbar/core';
import { UpgradeRejected } from '@busbar/testing';

const UPGRADES: Readonly<Record<number, string>> = {
  400: 'malformed request: check the path of --url, which ends before the charger id',
  401: 'wrong or missing password: give --password TEXT',
  403: "forbidden: the charger's security profile or its site's limits refuse this connection",
  404: 'unknown charger: add --register',
  426: 'this address serves no websockets: check --url',
  429: 'too many attempts',
  503: 'the service cannot take the charger now',
};

/** By the service's own code, where it says more than the status. */
const CODES: Readonly<Record<string, string>> = {
  https_required: 'the service wants TLS: use wss:// in --url',
  not_found: 'no chargers connect at this path: --url usually ends with /ocpp/',
};

const REPLACED =
  'another connection with this charger id took its place: end the other simulation, or give this one --prefix TEXT';

const TRUST = 'certificate not trusted: give its authority with --ca FILE, or do not check it with --insecure';

const SOCKETS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused: is `npm start` running, and is --url its address?',
  ECONNRESET: 'connection reset: does the port of --url speak ws:// and not wss://?',
  ENOTFOUND: 'the host is unknown: check --url',
  EAI_AGAIN: 'the host cannot be resolved now: check --url and the network',
  ETIMEDOUT: 'no answer: check the host of --url and the firewall',
  EHOSTUNREACH: 'the host cannot be reached: check --url and the network',
  ENETUNREACH: 'the network cannot be reached: check --url and the network',
  EMFILE: 'this process may open no more files: raise `ulimit -n`, or simulate fewer chargers',
  EADDRNOTAVAIL: 'this machine has no free port left: simulate fewer chargers',
  DEPTH_ZERO_SELF_SIGNED_CERT: TRUST,
  SELF_SIGNED_CERT_IN_CHAIN: TRUST,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: TRUST,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: TRUST,
  CERT_HAS_EXPIRED: 'the certificate has expired: renew it, or do not check it with --insecure',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate names another host: use its name in --url, or --insecure',
  EPROTO: 'no TLS on this port: use ws:// in --url',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no TLS on this port: use ws:// in --url',
};

/** The reason of a failed attempt, with what to do. */
export function explainFailure(error: unknown): string {
  if (error instanceof UpgradeRejected) return explainUpgrade(error);
  if (isAppError(error)) return error.message;
  const code = codeOf(error);
  const known = code === undefined ? undefined : SOCKETS[code];
  if (known !== undefined) return known;
  const message = messageOf(error);
  if (message.includes('handshake has timed out'))
    return 'no answer in time: the service is busy, or check --url and the firewall';
  if (message.includes('socket hang up')) return SOCKETS['ECONNRESET'] ?? message;
  return message;
}

/** The reason of a connection that the other side ended. */
export function explainClose(code: number, reason: string): string {
  if (code === 1006) return 'the connection broke without a close frame';
  if (reason === 'replaced') return REPLACED;
  return `the service closed the connection: ${String(code)} ${reason}`.trim();
}

/** The time that the service asks to wait before the next attempt; 0 where it does not. */
export function retryAfterMs(error: unknown): number {
  if (!(error instanceof UpgradeRejected)) return 0;
  const seconds = Number(error.headers['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, MAX_RETRY_AFTER_S) * 1000 : 0;
}

const MAX_RETRY_AFTER_S = 3_600;

function explainUpgrade(error: UpgradeRejected): string {
  const { status, body } = error;
  const wait = retryAfterMs(error);
  const after = wait > 0 ? `, next attempt after ${String(wait / 1000)} s` : '';
  const code = codeOfBody(body);
  const reason = CODES[code ?? ''] ?? UPGRADES[status] ?? 'the upgrade was rejected';
  return `${String(status)} ${reason}${code === undefined ? '' : ` (${code})`}${after}`;
}

function codeOfBody(body: string): string | undefined {
  const { code } = (parseJson(body) ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : undefined;
}

/** Node tries several addresses of a host and collects the errors. */
function codeOf(error: unknown): string | undefined {
  const { code, errors } = error as { code?: unknown; errors?: readonly unknown[] };
  if (typeof code === 'string') return code;
  return errors?.[0] === undefined ? undefined : codeOf(errors[0]);
}
