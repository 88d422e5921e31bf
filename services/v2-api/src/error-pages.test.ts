import { createHash } from 'node:crypto';
import { API_ERRORS, CLIENT_ERROR_CODES } from '@busbar/api';
import { AppError } from '@busbar/core';
import { v2ErrorPresenter } from './errors';
import { codeOf, openApp, type TestApp } from './testing/open-app';

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

describe('the pages of error codes', () => {
  let world: TestApp;
  beforeAll(async () => {
    world = await openApp();
  });
  afterAll(() => world.close());

  /** Without an API key. */
  const read = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    world.callRaw(method, path, { headers: { 'x-api-key': [], ...headers } });

  it.each(CLIENT_ERROR_CODES)('explains the type of %s, as HTML and JSON', async (code) => {
    const { type } = v2ErrorPresenter.bodyOf({ error: new AppError(code, ''), requestId: '', path: '' }) as {
      type: string;
    };
    const { status, title, meaning, action } = API_ERRORS[code];
    const page = await read(type);
    expect([page.status, page.headers['content-type']]).toEqual([200, HTML]);
    expect(textOf(page.text)).toContain(`${code}, status ${String(status)}`);
    for (const sentence of [title, meaning, action]) {
      expect(textOf(page.text)).toContain(sentence.replaceAll('`', ''));
    }

    const data = await read(type, { accept: 'application/json' });
    expect([data.status, data.headers['content-type']]).toEqual([200, JSON_TYPE]);
    expect(data.json()).toMatchObject({ code, type, status, title, meaning, action, example: { code, type, status } });
  });

  it('has an index that links each of them', async () => {
    const { text, headers } = await read('/v2/errors');
    expect(headers['content-type']).toBe(HTML);
    const links = [...text.matchAll(/href="(\/v2\/errors\/\w+)"/g)].map(([, path]) => path);
    expect(links).toEqual(CLIENT_ERROR_CODES.map((code) => `/v2/errors/${code}`));
    const { errors } = (await read('/v2/errors', { accept: 'application/json' })).json() as {
      errors: readonly { type: string }[];
    };
    expect(errors.map(({ type }) => type)).toEqual(links);
  });

  it('may load nothing but their own styles, and have no script', async () => {
    const { text, headers } = await read('/v2/errors/charger_offline');
    const style = /<style>([^]*)<\/style>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none';img-src data:;base-uri 'none';form-action 'none';frame-ancestors 'none';style-src 'sha256-${hash}'`,
    );
    expect(text).not.toMatch(/<script|style=| on\w+=/);
    expect(headers.vary).toMatch(/Accept/);
  });

  it('responds 404 to an unknown code and 405 to other methods', async () => {
    expect(codeOf(await read('/v2/errors/no_such_code'))).toBe('404 not_found');
    // An operator's error, which clients do not get.
    expect(codeOf(await read('/v2/errors/invalid_configuration'))).toBe('404 not_found');
    const refused = await read('/v2/errors/not_found', {}, 'DELETE');
    expect([codeOf(refused), refused.headers.allow]).toEqual(['405 method_not_allowed', 'GET, HEAD, OPTIONS']);
  });
});

/** Returns the text that a reader of the HTML sees. */
function textOf(html: string): string {
  const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
  return html.replaceAll(/<[^>]*>/g, '').replaceAll(/&[#\w]+;/g, (entity) => entities[entity] ?? entity);
}
