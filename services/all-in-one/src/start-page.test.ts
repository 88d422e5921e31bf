import { startPage, type StartPageFacts } from './start-page';

const facts: StartPageFacts = {
  version: 'version 1.2.3 (2129fc66644a)',
  host: '192.168.1.20:8443',
  isSelfSigned: true,
  counts: { chargers: 1_234, connected: 2, sessions: 1, messages: 40_000 },
};

it('shows version, counts, both documentations and the first calls at the address of the reader', () => {
  const page = startPage(facts);
  expect(page).toContain('version 1.2.3 (2129fc66644a)');
  for (const count of ['1,234', '40,000']) expect(page).toContain(`<dd>${count}</dd>`);
  for (const path of ['/v2/docs', '/api/docs', '/v2/openapi.json', '/api/swagger.json'])
    expect(page).toContain(`href="${path}"`);
  expect(page).toContain('SITE_ID=$(curl -sk https://192.168.1.20:8443/v2/sites ');
  expect(page).toContain('wss://192.168.1.20:8443/ocpp/{chargerId}');
  expect(page).toContain('<meta http-equiv="refresh" content="10">');
});

it('shows no count to a stranger, and does not refresh', () => {
  const page = startPage({ ...facts, counts: undefined });
  expect(page).not.toMatch(/<dd>|http-equiv|1,234/);
  expect(page).toContain('Live counts are shown only to a browser on the machine');
});

it('says that the store does not respond', () => {
  expect(startPage({ ...facts, counts: 'unavailable' })).toContain('The store does not respond now');
});

it('has no script and no address elsewhere, and escapes the host', () => {
  const page = startPage({ ...facts, host: `"'<&>`, isSelfSigned: false });
  expect(page).not.toMatch(/<script|<link rel="stylesheet"|src=/);
  expect(page).toContain('wss://&quot;&#39;&lt;&amp;&gt;/ocpp/');
  expect(page).not.toContain('curl -sk');
});
