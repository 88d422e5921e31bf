// The lines that `npm start` prints. Scripts read them too: their order is guaranteed.
import { sampleCalls } from './sample-calls';

/** Where the client's API key is. It is printed only to a terminal, never into a log. */
export type ShownKey =
  /** This start created the key, and a terminal shows it. */
  | { readonly kind: 'created'; readonly apiKey: string }
  /** A start without a terminal created the key: an owner-only file holds it. */
  | { readonly kind: 'file'; readonly file: string }
  /** BOOTSTRAP_API_KEY. */
  | { readonly kind: 'given' }
  /** An earlier start created the key, and no file holds it: only its hash is stored. */
  | { readonly kind: 'unknown' };

/** How to open the web console. Its sign-in link is a secret, like a key. */
export type ShownConsole =
  /** A terminal shows the link, whose code signs in once. */
  | { readonly kind: 'link'; readonly code: string; readonly minutes: number }
  /** Without a terminal an owner-only file holds the link. */
  | { readonly kind: 'file'; readonly file: string; readonly minutes: number }
  /** No link could be made: sign in with a key. */
  | { readonly kind: 'address' };

export interface BannerFacts {
  /** `busbar 0.1.0 (2129fc66644a)` */
  readonly version: string;
  /** `https://host:port` */
  readonly http: string;
  /** `wss://host:port/ocpp/`, at least one: each address at which chargers reach this machine. */
  readonly ocpp: readonly string[];
  readonly plainOcpp: readonly string[];
  /** True where only this machine reaches them. */
  readonly isLocal: { readonly ocpp: boolean; readonly plainOcpp: boolean };
  /** The data directory, or a text for a store elsewhere. */
  readonly data: string;
  readonly clientId: string;
  readonly key: ShownKey;
  /** Undefined where there is no console. */
  readonly console: ShownConsole | undefined;
  /** The self-signed certificate, and why an earlier one was replaced. */
  readonly certificate: { readonly file: string; readonly replaced: string | undefined } | undefined;
}

const INDENT = ' '.repeat(17);
/** A fragment stays in the browser: neither a proxy nor a log gets the code. */
export const CODE_FRAGMENT = '#code=';

/** The lines, in this order: version, address, data, client id and key, websocket addresses, lines to copy, documentation, console. */
export function bannerLines(facts: BannerFacts): string[] {
  return [
    '',
    facts.version,
    '',
    `Address          ${facts.http}`,
    `Data             ${facts.data}`,
    `Client id        ${facts.clientId}`,
    `API key          ${keyText(facts)}`,
    ...chargerLines(facts),
    ...certificateLines(facts),
    '',
    ...linesToCopy(facts),
    '',
    `Documentation    ${facts.http}/docs`,
    ...consoleLines(facts),
    '',
  ];
}

function chargerLines({ ocpp, plainOcpp, isLocal }: BannerFacts): string[] {
  const without = isLocal.plainOcpp ? '(without TLS, on this machine)' : '(without TLS: for a network that you trust)';
  const urls = [
    ...ocpp.map((url) => `${url}{chargerId}`),
    ...plainOcpp.map((url, at) => `${url}{chargerId}${at === 0 ? `   ${without}` : ''}`),
  ];
  const hint = isLocal.ocpp
    ? [`${INDENT}Only this machine reaches it. For chargers on the network: HOST=0.0.0.0 npm start`]
    : [];
  return [...urls.map((url, at) => (at === 0 ? `Chargers         ${url}` : `${INDENT}${url}`)), ...hint];
}

function certificateLines({ certificate }: BannerFacts): string[] {
  if (certificate === undefined) return [];
  const { file, replaced } = certificate;
  const why = replaced === undefined ? [] : [`${INDENT}New: ${replaced}.`];
  return [`Certificate      self-signed, ${file}`, ...why];
}

function keyText({ key, clientId }: BannerFacts): string {
  switch (key.kind) {
    case 'created':
      return `${key.apiKey}   (shown only now: only its hash is stored)`;
    case 'file':
      return `in ${key.file}   (mode 0600; delete the file when you have stored the key elsewhere)`;
    case 'given':
      return 'the value of BOOTSTRAP_API_KEY';
    case 'unknown':
      return `only its hash is stored; to create another: npm run admin -- key create --client ${clientId}`;
  }
}

function consoleLines({ http, console: shown }: BannerFacts): string[] {
  if (shown === undefined) return [];
  const address = `${http}/console/`;
  switch (shown.kind) {
    case 'link':
      return [
        `Console          ${address}${CODE_FRAGMENT}${shown.code}`,
        `${INDENT}(signs in once, within ${String(shown.minutes)} minutes; later: ${address})`,
      ];
    case 'file':
      return [
        `Console          ${address}`,
        `${INDENT}(the link in ${shown.file} signs in once, within ${String(shown.minutes)} minutes)`,
      ];
    case 'address':
      return [`Console          ${address}`];
  }
}

function linesToCopy({ http, key, certificate }: BannerFacts): string[] {
  const isSelfSigned = certificate !== undefined;
  return [
    `Create a site, create a charger in it, read it, with the key in the variable API_KEY${isSelfSigned ? ' (-k: the certificate is self-signed)' : ''}:`,
    ...exportLine(key),
    ...sampleCalls(http, isSelfSigned),
  ];
}

function exportLine(key: ShownKey): string[] {
  if (key.kind === 'created') return [`export API_KEY=${key.apiKey}`];
  return key.kind === 'file' ? [`export API_KEY="$(cat ${quoted(key.file)})"`] : [];
}

/** For a POSIX shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
