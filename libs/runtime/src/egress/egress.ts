// Sends requests to servers of strangers: webhooks and partners. Every address that a name resolves to is checked at each
// connection, and the socket's peer afterwards, so that a name that resolves anew leads nowhere else.
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import { createEgressAddresses, type EgressAddresses, type EgressNetworks } from './egress-address';
import { EgressError, egressErrorOf } from './egress-error';
import { checkEgressUrl, type EgressUrlResult } from './egress-url';

export interface EgressOptions extends EgressNetworks {
  /** Permits `http:` into the operator's networks. */
  readonly plainHttp: boolean;
  /** Permits `http:` wherever `https:` is permitted. */
  readonly publicHttp?: boolean;
  /** Sends everything through this proxy, which then filters addresses. */
  readonly proxyUrl?: string;
  /** Certificates of authorities in PEM, beside those that Node.js trusts. */
  readonly authorities?: string;
  /** Resolves names; tests pass their own. */
  readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>;
}

export interface EgressRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /** For everything: name, connection, TLS and the response. */
  readonly timeoutMs: number;
  /** Bytes of the response that are read; the rest is dropped. */
  readonly maxResponseBytes: number;
}

export interface EgressResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
  /** Whether the response was longer than `maxResponseBytes`. */
  readonly truncated: boolean;
}

export interface Egress {
  /** Judges a URL before anything is sent to it. */
  check(url: string): EgressUrlResult;
  /** Sends one request. Redirects are not followed. Rejects with an EgressError when there is no response. */
  send(request: EgressRequest): Promise<EgressResponse>;
  /** Ends the connections. */
  close(): Promise<void>;
}

type Resolve = NonNullable<EgressOptions['resolve']>;

/** Creates the only HTTP client that services use towards servers of others. */
export function createEgress(options: EgressOptions): Egress {
  const addresses = createEgressAddresses(options);
  const dispatcher = createDispatcher(options, addresses);
  const check = (url: string): EgressUrlResult => checkEgressUrl(url, { ...options, addresses });
  return {
    check,
    async send(request) {
      const checked = check(request.url);
      if (!checked.accepted) throw new EgressError('address_refused', checked.reason);
      const signal = AbortSignal.timeout(request.timeoutMs);
      try {
        return await exchange(dispatcher, checked.url, request, signal);
      } catch (error) {
        throw signal.aborted ? new EgressError('timeout', 'No response in time.', error) : egressErrorOf(error);
      }
    },
    close: () => dispatcher.destroy(),
  };
}

async function exchange(
  dispatcher: Dispatcher,
  url: URL,
  request: EgressRequest,
  signal: AbortSignal,
): Promise<EgressResponse> {
  const { method, headers, body = null } = request;
  const response = await dispatcher.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers,
    body,
    signal,
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > request.maxResponseBytes) break;
  }
  return {
    status: response.statusCode,
    headers: response.headers,
    body: Buffer.concat(chunks).subarray(0, request.maxResponseBytes),
    truncated: bytes > request.maxResponseBytes,
  };
}

function createDispatcher(options: EgressOptions, addresses: EgressAddresses): Dispatcher {
  const { authorities, proxyUrl } = options;
  const tls = authorities === undefined ? {} : { ca: [...rootCertificates, authorities] };
  if (proxyUrl !== undefined) return new ProxyAgent({ uri: proxyUrl, requestTls: tls, proxyTls: tls, allowH2: false });
  return new Agent({ connect: createConnector(options, addresses, tls), allowH2: false });
}

function createConnector(
  { resolve = resolveBySystem, publicHttp = false }: Pick<EgressOptions, 'publicHttp' | 'resolve'>,
  addresses: EgressAddresses,
  tls: { readonly ca?: string[] },
): buildConnector.connector {
  const connectorFor = (permits: (address: string) => boolean): buildConnector.connector => {
    const connect = buildConnector({ ...tls, allowH2: false, lookup: checkedLookup(resolve, permits) });
    return (target, callback) => {
      connect(target, (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        if (permits(socket.remoteAddress ?? '')) return callback(null, socket);
        socket.destroy();
        callback(addressRefused(), null);
      });
    };
  };
  const https = connectorFor((address) => addresses.permits(address));
  const http = publicHttp ? https : connectorFor((address) => addresses.isAllowedByOperator(address));
  return (target, callback) => {
    (target.protocol === 'https:' ? https : http)(target, callback);
  };
}

/** Refuses a name as soon as one of its addresses is not permitted. */
function checkedLookup(resolve: Resolve, permits: (address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (found) => {
        const [first] = found;
        if (first === undefined || !found.every(({ address }) => permits(address))) {
          callback(addressRefused(), '', 0);
        } else if (options.all === true) {
          callback(null, [...found]);
        } else {
          callback(null, first.address, first.family);
        }
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, '', 0),
    );
  };
}

function resolveBySystem(host: string): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    systemLookup(host, { all: true }, (error, found) => {
      if (error === null) resolve(found);
      else reject(error);
    });
  });
}

function addressRefused(): EgressError {
  return new EgressError('address_refused', 'The name resolves to an address that is not public.');
}
