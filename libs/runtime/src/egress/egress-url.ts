// Which URLs somebody else's server may have. Everything that can be judged before its name is resolved.
import { isIP } from 'node:net';
import type { EgressAddresses } from './egress-address';

export interface EgressUrlPolicy {
  readonly addresses: EgressAddresses;
  /** Whether `http:` is permitted into the operator's networks. */
  readonly plainHttp: boolean;
  /** Whether `http:` and its port 80 are permitted wherever `https:` is: for protocols whose responses are signed, such as OCSP. */
  readonly publicHttp?: boolean | undefined;
  /** Whether the name `localhost` is permitted. */
  readonly loopback: boolean;
}

export type EgressUrlResult =
  { readonly accepted: true; readonly url: URL } | { readonly accepted: false; readonly reason: string };

const MAX_URL_CHARACTERS = 2_000;
const HTTP_PORT = 80;
const HTTPS_PORT = 443;
const FIRST_UNPRIVILEGED_PORT = 1_024;
const LOCAL_SUFFIXES = ['.localhost', '.local', '.internal', '.home.arpa'];

/** Parses the URL as WHATWG defines it, and returns why it is refused in a sentence for the caller of an API. */
export function checkEgressUrl(text: string, policy: EgressUrlPolicy): EgressUrlResult {
  if (text.length > MAX_URL_CHARACTERS) return refused('The URL has more than 2,000 characters.');
  const url = parse(text);
  if (url === undefined) return refused('This is not a URL.');
  const reason = formReason(text, url, policy) ?? hostReason(url, policy);
  return reason === undefined ? { accepted: true, url } : refused(reason);
}

/** The host of a URL as an address or a name, without the brackets of IPv6 and without the dot at its end. */
export function hostOf(url: URL): string {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

function formReason(text: string, url: URL, { plainHttp, publicHttp = false }: EgressUrlPolicy): string | undefined {
  const permitsHttp = plainHttp || publicHttp;
  if (url.protocol !== 'https:' && !(permitsHttp && url.protocol === 'http:'))
    return 'The URL must begin with https://.';
  if (url.username !== '' || url.password !== '') return 'The URL must not have a user name or a password.';
  if (text.includes('#')) return 'The URL must not have a fragment.';
  return hasPermittedPort(url, publicHttp) ? undefined : 'The port of the URL must be 443 or from 1024 to 65535.';
}

function hasPermittedPort(url: URL, publicHttp: boolean): boolean {
  const port = portOf(url);
  return port === HTTPS_PORT || port >= FIRST_UNPRIVILEGED_PORT || (publicHttp && port === HTTP_PORT);
}

function hostReason(url: URL, { addresses, loopback, publicHttp = false }: EgressUrlPolicy): string | undefined {
  const host = hostOf(url);
  if (isIP(host) !== 0) {
    const isSafe = publicHttp || url.protocol !== 'http:';
    const permitted = isSafe ? addresses.permits(host) : addresses.isAllowedByOperator(host);
    return permitted ? undefined : 'The address of the URL is not public.';
  }
  if (host === 'localhost') return loopback ? undefined : 'The host of the URL is not public.';
  return LOCAL_SUFFIXES.some((suffix) => host.endsWith(suffix)) ? 'The host of the URL is not public.' : undefined;
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? HTTPS_PORT : HTTP_PORT;
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function refused(reason: string): EgressUrlResult {
  return { accepted: false, reason };
}
