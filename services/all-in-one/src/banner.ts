// What a person reads after `npm start`. Other people's scripts read it too: the order of the lines is promised.

export interface BannerFacts {
  /** `https://host:port` */
  readonly http: string;
  /** `wss://host:port/ocpp/` */
  readonly ocpp: string;
  readonly plainOcpp: string | null;
  /** The data directory, or the words for a store elsewhere. */
  readonly data: string;
  readonly clientId: string;
  /** Undefined when the key was made by an earlier start: only its hash is kept. */
  readonly apiKey: string | undefined;
  /** The key was made by this start. */
  readonly isFirstStart: boolean;
  readonly isSelfSigned: boolean;
}

/** The lines, in this order: address, data, client id and key, websocket address, three lines to copy, documentation. */
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
    `Create a site, create a charger, read it${facts.isSelfSigned ? ' (-k: the certificate is self-signed)' : ''}:`,
    ...linesToCopy(facts),
    '',
    `Documentation    ${facts.http}/docs`,
    '',
  ];
}

function keyText({ apiKey, isFirstStart, clientId }: BannerFacts): string {
  if (apiKey === undefined)
    return `only its hash is kept; to make another: npm run admin -- key create --client ${clientId}`;
  return isFirstStart ? `${apiKey}   (shown this once: only its hash is kept)` : apiKey;
}

function linesToCopy({ http, apiKey, isSelfSigned }: BannerFacts): string[] {
  const curl = isSelfSigned ? 'curl -k' : 'curl';
  const key = apiKey === undefined ? '"x-api-key: $BUSBAR_API_KEY"' : quoted(`x-api-key: ${apiKey}`);
  const json = "-H 'content-type: application/json' -d";
  return [
    `${curl} ${http}/v2/sites -H ${key} ${json} '{"name":"My site"}'`,
    `${curl} ${http}/v2/chargers -H ${key} ${json} '{"name":"My charger","chargerId":"ACME_1"}'`,
    `${curl} ${http}/v2/chargers/ACME_1 -H ${key}`,
  ];
}

/** For a POSIX shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
