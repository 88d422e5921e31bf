// Asks OCSP responders whose URLs chargers name. Bounded in requests, time, size and cache; nothing of a response is trusted here.
import { createConcurrencyLimiter, type Clock, type Logger } from '@busbar/core';
import { EgressError, type Egress } from '@busbar/runtime';
import { LRUCache } from 'lru-cache';
import { createServerCircuit, type ServerCircuit } from '../circuit';
import { keyOf, type CertificateId } from './certificate-id';
import { encodeOcspRequest, isCurrent, readOcspResponse, type OcspResponse } from './ocsp-message';

export interface RespondersDeps {
  readonly egress: Pick<Egress, 'check' | 'send'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** For everything: name, connection, TLS and the response. Absent: five seconds. */
  readonly responderTimeoutMs?: number;
}

export interface Responders {
  /**
   * The response of the first of these URLs to which requests may be sent: successful, current, and about the certificate. Undefined
   * where there is none in time. Never rejects.
   */
  ask(id: CertificateId, urls: readonly string[]): Promise<OcspResponse | undefined>;
  /** The response turned out to be false: it is not used again. */
  forget(id: CertificateId, urls: readonly string[]): void;
}

const TIMEOUT_MS = 5_000;
/** GetCertificateStatusResponse of OCPP 2.1 has room for 18,000 characters of base64. */
const MAX_RESPONSE_BYTES = 13_500;
/** Requests to all responders, and to one host. Each holds a connection. */
const MAX_IN_FLIGHT = 128;
const MAX_HOST_IN_FLIGHT = 16;
/** Hosts that were asked lately. */
const MAX_HOSTS = 1_000;
const MAX_CACHE_BYTES = 8 * 1024 * 1024;
/** However late the next update is: a false response must not be used for ever. */
const MAX_CACHED_MS = 7 * 86_400_000;

interface Cached {
  readonly der: Buffer;
  readonly untilMs: number;
}

export function createResponders({
  egress,
  clock,
  logger,
  responderTimeoutMs = TIMEOUT_MS,
}: RespondersDeps): Responders {
  const limiter = createConcurrencyLimiter({ concurrency: MAX_IN_FLIGHT, maxQueue: 0 });
  const circuits = new LRUCache<string, ServerCircuit>({ max: MAX_HOSTS });
  const inFlight = new Map<string, Promise<OcspResponse | undefined>>();
  /** By certificate and URL: another URL, which another charger named, may lead to a false response. */
  const cache = new LRUCache<string, Cached>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ der }, key) => der.length + key.length,
  });

  function circuitOf({ hostname: host }: URL): ServerCircuit {
    const known = circuits.get(host);
    if (known !== undefined) return known;
    const circuit = createServerCircuit({ clock, maxInFlight: MAX_HOST_IN_FLIGHT });
    circuits.set(host, circuit);
    return circuit;
  }

  function cached(key: string, id: CertificateId): OcspResponse | undefined {
    const entry = cache.get(key);
    if (entry === undefined) return undefined;
    if (clock.now().getTime() < entry.untilMs) return readOcspResponse(entry.der, id);
    cache.delete(key);
    return undefined;
  }

  async function request(id: CertificateId, url: URL, key: string): Promise<OcspResponse | undefined> {
    const exchange = () =>
      circuitOf(url).run(
        () => exchangeWith(egress, url, id, responderTimeoutMs),
        ({ isSuccess }) => isSuccess,
      );
    const asked = await limiter.run(exchange);
    if (typeof asked === 'string') {
      logger.debug({ host: url.host, reason: asked }, 'an OCSP responder was not asked');
      return undefined;
    }
    const { response, reason } = asked;
    if (response === undefined || !isCurrent(response, clock.now())) {
      logger.info({ host: url.host, reason: reason ?? 'not_current' }, 'an OCSP responder gave no usable response');
      return undefined;
    }
    if (response.nextUpdate !== undefined) {
      const untilMs = Math.min(response.nextUpdate.getTime(), clock.now().getTime() + MAX_CACHED_MS);
      cache.set(key, { der: response.der, untilMs });
    }
    return response;
  }

  function urlAmong(urls: readonly string[]): URL | undefined {
    for (const url of urls) {
      const checked = egress.check(url);
      if (checked.accepted) return checked.url;
    }
    logger.info({ urls: urls.length }, 'no OCSP responder was asked: requests may be sent to none of the URLs');
    return undefined;
  }

  return {
    async ask(id, urls) {
      const url = urlAmong(urls);
      if (url === undefined) return undefined;
      const key = cacheKey(id, url);
      const known = cached(key, id);
      if (known !== undefined) return known;
      const asking = inFlight.get(key) ?? request(id, url, key).finally(() => inFlight.delete(key));
      inFlight.set(key, asking);
      return asking;
    },
    forget(id, urls) {
      const url = urlAmong(urls);
      if (url !== undefined) cache.delete(cacheKey(id, url));
    },
  };
}

interface Exchanged {
  /** Whether the responder works, whatever it says. */
  readonly isSuccess: boolean;
  readonly response?: OcspResponse | undefined;
  readonly reason?: string;
}

async function exchangeWith(
  egress: RespondersDeps['egress'],
  url: URL,
  id: CertificateId,
  timeoutMs: number,
): Promise<Exchanged> {
  try {
    const { status, body, truncated } = await egress.send({
      method: 'POST',
      url: url.href,
      // Not kept open: chargers name the hosts.
      headers: { 'content-type': 'application/ocsp-request', accept: 'application/ocsp-response', connection: 'close' },
      body: encodeOcspRequest(id),
      timeoutMs,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    });
    if (status !== 200) return { isSuccess: status < 500, reason: `http_${String(status)}` };
    if (truncated) return { isSuccess: true, reason: 'too_large' };
    return { isSuccess: true, response: readOcspResponse(body, id), reason: 'no_response_about_it' };
  } catch (error) {
    if (error instanceof EgressError) return { isSuccess: false, reason: error.code };
    throw error;
  }
}

function cacheKey(id: CertificateId, url: URL): string {
  return `${keyOf(id)} ${url.href}`;
}
