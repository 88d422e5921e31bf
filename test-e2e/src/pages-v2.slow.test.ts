import { ask, describeWithBrowser } from '@busbar/testing';
import { openEmbeddedWorld } from './harness/embedded';
import type { OwnWorld } from './harness/world';

describeWithBrowser('the interactive page of the v2 API', (open) => {
  let world: OwnWorld;
  let origin: string;

  beforeAll(async () => {
    // With the console `/` leads there.
    world = await openEmbeddedWorld({ CONSOLE: 'off' });
    origin = new URL(world.addresses().v2).origin;
  }, 120_000);

  afterAll(() => world.stop());

  it('lets a reader enter the key once and try every call, with no network', async () => {
    const { page, misdeeds } = await open(`${origin}/v2/docs`);
    await page.locator('.auth-wrapper .authorize').click();
    const scheme = page.locator('.auth-container', { hasText: 'x-api-key' });
    await scheme.locator('input').fill(world.apiKey);
    await scheme.getByRole('button', { name: /apply|authorize/i }).click();
    await page.getByRole('button', { name: 'Close' }).first().click();

    const tryCall = async (id: string, body?: object, parameters: Record<string, string> = {}): Promise<string> => {
      const operation = page.locator(`[id$="-${id}"]`);
      await operation.locator('.opblock-summary').click();
      for (const [name, value] of Object.entries(parameters)) {
        await operation.locator(`tr[data-param-name="${name}"] input`).fill(value);
      }
      if (body !== undefined) await operation.locator('.body-param textarea').fill(JSON.stringify(body));
      await operation.getByRole('button', { name: 'Execute' }).click();
      const live = operation.locator('.live-responses-table .response');
      const status = (await live.locator('.response-col_status').innerText()).trim();
      return `${status} ${await live.locator('.highlight-code, .response-col_description pre').first().innerText()}`;
    };
    expect(await tryCall('createSite', { name: 'From the page' })).toMatch(/^200[^]*From the page/);
    expect(await tryCall('getStatistics')).toMatch(/^200[^]*"sites": 1/);
    const site = { siteId: '1' };
    expect(await tryCall('listSites', undefined, { search: 'From' })).toMatch(/^200[^]*"totalRecords": 1/);
    expect(await tryCall('updateSite', { city: 'Oslo' }, site)).toMatch(/^200[^]*"city": "Oslo"/);
    expect(await tryCall('getSite', undefined, site)).toMatch(/^200[^]*"city": "Oslo"/);
    const charger = { chargerId: 'PAGE_1' };
    expect(await tryCall('createCharger', { ...charger, name: 'P' }, { 'Idempotency-Key': 'page' })).toMatch(/^200/);
    const password = { password: 'of the page' };
    expect(await tryCall('setChargerAuthentication', password, charger)).toMatch(/^200/);
    expect(await tryCall('createTag', { idTag: 'PAGE' })).toMatch(/^200/);
    expect(await tryCall('listSessions', undefined, { startTime: '2026-01-01T00:00:00Z' })).toMatch(/^200/);
    expect(misdeeds.errors).toEqual([]);
    // The browser notes what is refused, too.
    expect(await tryCall('resetCharger', { type: 'Soft' }, charger)).toMatch(/^409[^]*charger_offline/);
    expect(await tryCall('deleteCharger', undefined, charger)).toMatch(/^200[^]*PAGE_1/);
    expect(await tryCall('getCharger', undefined, charger)).toMatch(/^404[^]*not_found/);
    expect(misdeeds.outside).toEqual([]);
    await page.context().close();
  }, 240_000);

  it('is linked from the start page, which loads nothing else', async () => {
    const { page, misdeeds } = await open(`${origin}/`);
    await page.getByText('chargers registered').waitFor();
    expect(await page.locator('dd').count()).toBe(4);
    expect(misdeeds).toEqual({ outside: [], errors: [] });
    await page.getByRole('link', { name: 'v2 API' }).click();
    await page.locator('.opblock-summary').first().waitFor();
    await page.context().close();
  }, 60_000);

  it('shows every operation and every request to receivers of the document', async () => {
    const { paths, webhooks } = (await ask(`${origin}/v2/openapi.json`)).json() as Record<
      string,
      Record<string, object>
    >;
    const wanted = Object.entries({ ...paths, ...webhooks }).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const { page, misdeeds } = await open(`${origin}/v2/docs`);
    await page.locator('.opblock-summary').first().waitFor();
    const methods = await page.locator('.opblock-summary-method').allInnerTexts();
    const summaries = await page.locator('.opblock-summary-path').all();
    const shown = await Promise.all(summaries.map((summary) => summary.getAttribute('data-path')));
    expect(methods.map((method, n) => `${method} ${shown[n] ?? ''}`).sort()).toEqual(wanted.sort());
    expect(misdeeds).toEqual({ outside: [], errors: [] });
    await page.context().close();
  }, 120_000);

  it('loads only its own scripts, styles and pictures, and allows no other', async () => {
    const reply = await ask(`${origin}/v2/docs`);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-security-policy']).toMatch(/^default-src 'none';script-src 'self';/);
    expect(reply.text).not.toMatch(/https?:\/\/|<script>|onclick/);
    for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css', 'init.js', 'LICENSE']) {
      expect((await ask(`${origin}/v2/docs/${file}`)).status).toBe(200);
    }
    expect((await ask(`${origin}/v2/docs/..%2F..%2Fpackage.json`)).status).toBe(404);
    for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
      const { headers } = await ask(`${origin}/v2/docs/${file}`, { headers: { 'accept-encoding': 'gzip, br' } });
      expect(headers['content-encoding']).toBe('br');
    }
  });

  it('is not shown over plain HTTP', async () => {
    const reply = await ask(`${origin.replace('https', 'http')}/v2/docs`);
    expect([reply.status, reply.json()['code']]).toEqual([403, 'https_required']);
  });
});
