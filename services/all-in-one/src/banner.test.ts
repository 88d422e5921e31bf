import { bannerLines, type BannerFacts, type ShownKey } from './banner';

const facts: BannerFacts = {
  http: 'https://127.0.0.1:8443',
  ocpp: 'wss://127.0.0.1:8443/ocpp/',
  plainOcpp: 'ws://127.0.0.1:8080/ocpp/',
  data: '/srv/data',
  clientId: 'c_1',
  key: { kind: 'created', apiKey: 'bb_secret' },
  isSelfSigned: true,
};

test('prints the lines in the guaranteed order, each once', () => {
  const text = bannerLines(facts).join('\n');
  const order = [
    'Address          https://127.0.0.1:8443',
    'Data             /srv/data',
    'Client id        c_1',
    'API key          bb_secret',
    'Chargers         wss://127.0.0.1:8443/ocpp/{chargerId}',
    'ws://127.0.0.1:8080/ocpp/{chargerId}',
    'curl -k https://127.0.0.1:8443/v2/sites ',
    'curl -k https://127.0.0.1:8443/v2/chargers ',
    'curl -k https://127.0.0.1:8443/v2/chargers/ACME_1 ',
    'Documentation    https://127.0.0.1:8443/docs',
  ];
  const places = order.map((line) => text.indexOf(line));
  expect(places).not.toContain(-1);
  expect([...places].sort((a, b) => a - b)).toEqual(places);
  for (const line of order) expect(text.indexOf(line)).toBe(text.lastIndexOf(line));
});

test('hides a key of an earlier start, and shows how to create another', () => {
  const text = bannerLines({ ...facts, key: { kind: 'unknown' } }).join('\n');
  expect(text).toContain('npm run admin -- key create');
  expect(text).not.toContain('shown only now');
});

test('shows the path of a key in a file, and a line to copy that reads it, quoted for a shell', () => {
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
test.each(KINDS)('prints lines to copy that take the key of kind $kind from the variable API_KEY', (key) => {
  const lines = bannerLines({ ...facts, key }).filter((line) => line.startsWith('curl'));
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line).toContain('-H "x-api-key: $API_KEY"');
});

test('lets curl verify a configured certificate', () => {
  expect(bannerLines({ ...facts, isSelfSigned: false, plainOcpp: null }).join('\n')).not.toMatch(
    /curl -k|\(-k|without TLS/,
  );
});
