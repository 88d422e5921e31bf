import { brotliCompressSync, gzipSync } from 'node:zlib';
import { eventually } from '@busbar/testing';
import { codeOf } from '../testing/open-app';
import { openConsole, writeFiles, type TestConsole } from '../testing/open-console';

const SCRIPT = 'console.log("first screen");\n'.repeat(100);
const FILES = {
  'index.html': '<!doctype html><title>Busbar</title>',
  'icon.svg': '<svg/>',
  'assets/index-abc123.js': SCRIPT,
  '.built.json': '{}',
};
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

let console: TestConsole;
beforeAll(async () => {
  console = await openConsole({ files: FILES });
  // As bytes: compressed siblings are no text.
  const { writeFileSync } = await import('node:fs');
  const script = `${console.directory}/assets/index-abc123.js`;
  writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT));
  writeFileSync(`${script}.gz`, gzipSync(SCRIPT));
});
afterAll(() => console.close());

const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  console.send(method, path, { headers });

describe('the pages of the console', () => {
  it.each([
    '/console/',
    '/console/index.html',
    '/console/chargers/ACME_1',
    '/console/operator/dead-letters',
    '/console/a?b=c.d',
  ])('are index.html at %s, asked for anew each time', async (path) => {
    const reply = await get(path);
    expect([reply.status, reply.text]).toEqual([200, FILES['index.html']]);
    expect(reply.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
  });

  it('are at the path of a charger whose id has a dot, where a browser opens it', async () => {
    expect((await get('/console/chargers/ACME.1', { 'sec-fetch-mode': 'navigate' })).text).toBe(FILES['index.html']);
    expect((await get('/console/chargers/ACME.1')).status).toBe(404);
  });

  it('4: have the headers of their policy', async () => {
    for (const path of ['/console/', '/console/assets/index-abc123.js']) {
      expect((await get(path)).headers).toMatchObject({
        'content-security-policy': POLICY,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
        'x-frame-options': 'SAMEORIGIN',
      });
    }
  });

  it('are files with a hash in their name, which caches keep', async () => {
    const reply = await get('/console/assets/index-abc123.js');
    expect([reply.status, reply.text]).toEqual([200, SCRIPT]);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    expect((await get('/console/icon.svg')).headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'no-cache',
    });
  });

  it.each<[string, string | undefined]>([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['deflate', undefined],
    ['br;q=0, gzip;q=0.5', 'gzip'],
  ])('are compressed for a browser that accepts %s', async (accepted, encoding) => {
    const reply = await get('/console/assets/index-abc123.js', { 'accept-encoding': accepted });
    expect(reply.headers['content-encoding']).toBe(encoding);
    expect(Number(reply.headers['content-length']) < SCRIPT.length).toBe(encoding !== undefined);
  });

  it('are found by HEAD too, and by no other method', async () => {
    const head = await get('/console/', {}, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    const post = await get('/console/', {}, 'POST');
    expect([codeOf(post), post.headers.allow]).toEqual(['405 method_not_allowed', 'GET, HEAD']);
    const put = await get('/console/session', {}, 'PUT');
    expect([codeOf(put), put.headers.allow]).toEqual(['405 method_not_allowed', 'DELETE, GET, HEAD, OPTIONS, POST']);
  });

  it.each([
    '/console/assets/gone-abc123.js',
    '/console/.built.json',
    '/console/assets/index-abc123.js.br',
    '/console/../../package.json',
    '/console/%2e%2e/package.json',
    '/console/assets/..%2f..%2fpackage.json',
    '/consolex',
    '/CONSOLE/x.js',
  ])('are none at %s', async (path) => {
    for (const mode of ['navigate', 'no-cors']) {
      const reply = await get(path, { 'sec-fetch-mode': mode });
      expect(reply.text).not.toContain('"workspaces"');
      if (mode === 'no-cors') expect(codeOf(reply)).toBe('404 not_found');
    }
  });

  it('are reached from / and /console', async () => {
    for (const path of ['/', '/console']) {
      const reply = await get(path);
      expect([reply.status, reply.headers.location, reply.headers['cache-control']]).toEqual([
        302,
        '/console/',
        'no-store',
      ]);
    }
  });

  it('need TLS', async () => {
    for (const path of ['/', '/console/', '/console/assets/index-abc123.js', '/console/config']) {
      expect(codeOf(await get(path, { 'x-forwarded-proto': 'http' }))).toBe('403 https_required');
    }
  });
});

it('says that the console is not built, until it is', async () => {
  const unbuilt = await openConsole();
  try {
    const reply = await unbuilt.send('GET', '/console/');
    expect([codeOf(reply), reply.json()['detail']]).toEqual([
      '404 not_found',
      expect.stringContaining('npm run build'),
    ]);
    expect((await unbuilt.send('GET', '/')).status).toBe(404);
    expect((await unbuilt.signIn()).status).toBe(204);
    writeFiles(unbuilt.directory, FILES);
    await eventually(async () => (await unbuilt.send('GET', '/console/')).status === 200);
    expect((await unbuilt.send('GET', '/')).status).toBe(302);
  } finally {
    await unbuilt.close();
  }
});

it('shows the map from the host of its tiles alone', async () => {
  const tilesUrl = 'https://{s}.tiles.example:8443/{z}/{x}/{y}.png?key=1';
  const ocppUrl = 'wss://chargers.example.com/ocpp/';
  const withMap = await openConsole({ files: FILES, tilesUrl, ocppUrl });
  try {
    const config = { ocppUrl, tilesUrl, tilesAttribution: 'Surveyors' };
    expect((await withMap.send('GET', '/console/config')).json()).toEqual(config);
    expect((await withMap.send('GET', '/console/')).headers['content-security-policy']).toBe(
      POLICY.replace('data:', 'data: https://*.tiles.example:8443'),
    );
  } finally {
    await withMap.close();
  }
  const config = { ocppUrl: null, tilesUrl: null, tilesAttribution: 'Surveyors' };
  expect((await get('/console/config')).json()).toEqual(config);
});
