import { bannerLines, type BannerFacts } from './banner';

const facts: BannerFacts = {
  http: 'https://127.0.0.1:8443',
  ocpp: 'wss://127.0.0.1:8443/ocpp/',
  plainOcpp: 'ws://127.0.0.1:8080/ocpp/',
  data: '/srv/data',
  clientId: 'c_1',
  apiKey: 'bb_secret',
  isFirstStart: true,
  isSelfSigned: true,
};

test('the lines come in the promised order, each once', () => {
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

test('a key made by an earlier start is not known: the lines say how to make another and leave a place for it', () => {
  const text = bannerLines({ ...facts, apiKey: undefined }).join('\n');
  expect(text).toContain('npm run admin -- key create');
  expect(text).toContain('-H "x-api-key: $BUSBAR_API_KEY"');
  expect(text).not.toContain('shown this once');
});

test('a key that the operator chose is shown as it is, and quoted for a shell', () => {
  const text = bannerLines({ ...facts, apiKey: "it's-a-$key-of-mine", isFirstStart: false }).join('\n');
  expect(text).toContain("API key          it's-a-$key-of-mine\n");
  expect(text).toContain(`-H 'x-api-key: it'\\''s-a-$key-of-mine'`);
});

test('with a certificate of the operator curl checks it', () => {
  expect(bannerLines({ ...facts, isSelfSigned: false, plainOcpp: null }).join('\n')).not.toMatch(
    /curl -k|\(-k|without TLS/,
  );
});
