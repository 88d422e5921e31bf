import { bannerLines, type BannerFacts, type ShownKey } from './banner';

const facts: BannerFacts = {
  http: 'https://127.0.0.1:8443',
  version: 'busbar 1.2.3 (2129fc66644a)',
  ocpp: ['wss://127.0.0.1:8443/ocpp/'],
  plainOcpp: ['ws://127.0.0.1:8080/ocpp/'],
  isLocal: { ocpp: true, plainOcpp: true },
  data: '/srv/data',
  clientId: 'c_1',
  key: { kind: 'created', apiKey: 'bb_secret' },
  console: { kind: 'link', code: 'once', minutes: 10 },
  certificate: { file: '/srv/data/tls-cert.pem', replaced: undefined },
};

it('prints the lines in the guaranteed order, each once', () => {
  const text = bannerLines(facts).join('\n');
  const order = [
    'busbar 1.2.3 (2129fc66644a)',
    'Address          https://127.0.0.1:8443',
    'Data             /srv/data',
    'Client id        c_1',
    'API key          bb_secret',
    'Chargers         wss://127.0.0.1:8443/ocpp/{chargerId}',
    'ws://127.0.0.1:8080/ocpp/{chargerId}',
    'Certificate      self-signed, /srv/data/tls-cert.pem',
    'SITE_ID=$(curl -sk https://127.0.0.1:8443/v2/sites ',
    'curl -sk https://127.0.0.1:8443/v2/chargers ',
    'curl -sk https://127.0.0.1:8443/v2/chargers/ACME_1 ',
    'Documentation    https://127.0.0.1:8443/docs',
    'Console          https://127.0.0.1:8443/console/#code=once',
    '(signs in once, within 10 minutes; later: https://127.0.0.1:8443/console/)',
  ];
  const places = order.map((line) => text.indexOf(line));
  expect(places).not.toContain(-1);
  expect([...places].sort((a, b) => a - b)).toEqual(places);
  for (const line of order) expect(text.indexOf(line)).toBe(text.lastIndexOf(line));
});

it('names the file of a sign-in link, or the address alone', () => {
  const textOf = (shown: BannerFacts['console']) => bannerLines({ ...facts, console: shown }).join('\n');
  const inFile = textOf({ kind: 'file', file: '/srv/data/console-link', minutes: 10 });
  expect(inFile).toContain('Console          https://127.0.0.1:8443/console/\n');
  expect(inFile).toContain('(the link in /srv/data/console-link signs in once, within 10 minutes)');
  expect(textOf({ kind: 'address' })).toContain('Console          https://127.0.0.1:8443/console/\n');
  expect(textOf(undefined)).not.toContain('onsole');
});

it('hides a key of an earlier start, and shows how to create another', () => {
  const text = bannerLines({ ...facts, key: { kind: 'unknown' } }).join('\n');
  expect(text).toContain('npm run admin -- key create');
  expect(text).not.toContain('shown only now');
});

it('shows the path of a key in a file, and a line to copy that reads it, quoted for a shell', () => {
  const text = bannerLines({ ...facts, key: { kind: 'file', file: "/srv/it's/api-key" } }).join('\n');
  expect(text).toContain("API key          in /srv/it's/api-key   (mode 0600;");
  expect(text).toContain(`export API_KEY="$(cat '/srv/it'\\''s/api-key')"\n`);
});

const KINDS: readonly ShownKey[] = [
  { kind: 'created', apiKey: 'bb_secret' },
  { kind: 'file', file: '/srv/data/api-key' },
  { kind: 'given' },
  { kind: 'unknown' },
];
it.each(KINDS)('prints lines to copy that take the key of kind $kind from the variable API_KEY', (key) => {
  const lines = bannerLines({ ...facts, key }).filter((line) => line.includes('curl'));
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line).toContain('-H "x-api-key: $API_KEY"');
});

it('creates the sample charger in the site that the line before created', () => {
  const lines = bannerLines(facts);
  expect(lines.find((line) => line.startsWith('SITE_ID='))).toMatch(
    / \| node -p 'JSON\.parse\(fs\.readFileSync\(0\)\)\.id'\)$/,
  );
  expect(lines.find((line) => line.includes('"chargerId"'))).toContain(`"siteId":'$SITE_ID'}'`);
});

it('lists every address at which chargers reach the machine, and how to open a machine that has none', () => {
  const open = bannerLines({
    ...facts,
    ocpp: ['wss://192.168.1.20:8443/ocpp/', 'wss://[2001:db8::20]:8443/ocpp/'],
    plainOcpp: ['ws://192.168.1.20:8080/ocpp/', 'ws://[2001:db8::20]:8080/ocpp/'],
    isLocal: { ocpp: false, plainOcpp: false },
  }).join('\n');
  expect(open).toContain(
    [
      'Chargers         wss://192.168.1.20:8443/ocpp/{chargerId}',
      '                 wss://[2001:db8::20]:8443/ocpp/{chargerId}',
      '                 ws://192.168.1.20:8080/ocpp/{chargerId}   (without TLS: for a network that you trust)',
      '                 ws://[2001:db8::20]:8080/ocpp/{chargerId}',
      'Certificate',
    ].join('\n'),
  );
  expect(open).not.toContain('HOST=0.0.0.0');
  expect(bannerLines(facts).join('\n')).toContain('For chargers on the network: HOST=0.0.0.0 npm start');
});

it('shows why the self-signed certificate is another one', () => {
  const replaced = 'the earlier one lacked 192.168.1.20; its key is kept';
  const text = bannerLines({ ...facts, certificate: { file: '/srv/data/tls-cert.pem', replaced } }).join('\n');
  expect(text).toContain(`/srv/data/tls-cert.pem\n                 New: ${replaced}.\n`);
});

it('lets curl verify a configured certificate', () => {
  expect(bannerLines({ ...facts, certificate: undefined, plainOcpp: [] }).join('\n')).not.toMatch(
    /curl -\w*k|\(-k|without TLS|self-signed/,
  );
});
