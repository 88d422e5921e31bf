// Logs TLS handshakes that fail because of a setting: a charger that does not trust the certificate sends no request, so nothing
// else shows that it tried. Other failures, such as those of port scanners, are not logged.
import type { TLSSocket } from 'node:tls';
import type { Clock, Logger } from '@busbar/core';
import { networkOf } from '../limits/network-of';
import { createRateLimiter } from '../limits/rate-limit';

const CERTIFICATE =
  'the client does not trust the certificate of this service: give the charger its authority (or the self-signed certificate) as root ' +
  'certificate, and compare the names in the certificate, its expiry and the clock of the charger';
const VERSION = 'the client and this service have no TLS version or cipher in common: enable TLS 1.2 in the charger';

/** By OpenSSL's names of the alerts that a client sends, and of what it offers. */
const EXPLANATIONS: ReadonlyMap<string, string> = new Map([
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', CERTIFICATE],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', CERTIFICATE],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN', CERTIFICATE],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', CERTIFICATE],
  ['ERR_SSL_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE', CERTIFICATE],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', VERSION],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', VERSION],
  ['ERR_SSL_NO_SHARED_CIPHER', VERSION],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', VERSION],
]);
/** One line a minute for each network and code, and one a second in all. */
const OF_NETWORK = { perSecond: 1 / 60, burst: 1, maxKeys: 1_000 } as const;
const OF_ALL = { perSecond: 1, burst: 60 } as const;

/** For the event `tlsClientError`. */
export function logFailedHandshakes({ clock, logger }: { readonly clock: Clock; readonly logger: Logger }) {
  const ofNetwork = createRateLimiter(OF_NETWORK, clock);
  const ofAll = createRateLimiter(OF_ALL, clock);
  return ({ code = '' }: NodeJS.ErrnoException, { remoteAddress }: Pick<TLSSocket, 'remoteAddress'>): void => {
    const explanation = EXPLANATIONS.get(code);
    if (explanation === undefined) return;
    const network = remoteAddress === undefined ? '' : networkOf(remoteAddress);
    if (!ofNetwork.take(`${network} ${code}`).isAllowed || !ofAll.take('').isAllowed) return;
    logger.info({ remoteAddress: remoteAddress ?? null, reason: code, explanation }, 'a TLS handshake failed');
  };
}
