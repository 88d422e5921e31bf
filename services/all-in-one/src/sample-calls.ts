// The three calls that a newcomer makes first, as lines for a POSIX shell. `node` reads the JSON, since it is there.

/** Create a site, create a charger in it, read it. The key is in the variable API_KEY. `-k`: the certificate is self-signed. */
export function sampleCalls(origin: string, isSelfSigned: boolean): readonly [string, string, string] {
  const curl = isSelfSigned ? 'curl -sk' : 'curl -s';
  const header = '-H "x-api-key: $API_KEY"';
  const json = "-H 'content-type: application/json' -d";
  const idOfReply = `node -p 'JSON.parse(fs.readFileSync(0)).id'`;
  return [
    `SITE_ID=$(${curl} ${origin}/v2/sites ${header} ${json} '{"name":"My site"}' | ${idOfReply})`,
    `${curl} ${origin}/v2/chargers ${header} ${json} '{"name":"My charger","chargerId":"ACME_1","siteId":'$SITE_ID'}'`,
    `${curl} ${origin}/v2/chargers/ACME_1 ${header}`,
  ];
}
