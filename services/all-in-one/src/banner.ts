// The lines that `npm start` prints. Scripts read them too: their order is guaranteed.

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

export interface BannerFacts {
  /** `https://host:port` */
  readonly http: string;
  /** `wss://host:port/ocpp/` */
  readonly ocpp: string;
  readonly plainOcpp: string | null;
  /** The data directory, or a text for a store elsewhere. */
  readonly data: string;
  readonly clientId: string;
  readonly key: ShownKey;
  readonly isSelfSigned: boolean;
}

/** The lines, in this order: address, data, client id and key, websocket address, lines to copy, documentation. */
export function bannerLines(facts: BannerFacts): string[] {
  const plain =
    facts.plainOcpp === null ? [] : [`                 ${facts.plainOcpp}{chargerId}   (without TLS, on this machine)`];
  return [
    '',
    `Address          ${facts.http}`,
    `Data             ${facts.data}`,
    `Client id        ${facts.clientId}`,
    `API key          ${keyText(facts)}`,
    `Chargers         ${facts.ocpp}{chargerId}`,
    ...plain,
    '',
    `Create a site, create a charger, read it, with the key in the variable API_KEY${facts.isSelfSigned ? ' (-k: the certificate is self-signed)' : ''}:`,
    ...linesToCopy(facts),
    '',
    `Documentation    ${facts.http}/docs`,
    '',
  ];
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

function linesToCopy({ http, key, isSelfSigned }: BannerFacts): string[] {
  const curl = isSelfSigned ? 'curl -k' : 'curl';
  const header = '-H "x-api-key: $API_KEY"';
  const json = "-H 'content-type: application/json' -d";
  return [
    ...(key.kind === 'file' ? [`export API_KEY="$(cat ${quoted(key.file)})"`] : []),
    `${curl} ${http}/v2/sites ${header} ${json} '{"name":"My site"}'`,
    `${curl} ${http}/v2/chargers ${header} ${json} '{"name":"My charger","chargerId":"ACME_1"}'`,
    `${curl} ${http}/v2/chargers/ACME_1 ${header}`,
  ];
}

/** For a POSIX shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
