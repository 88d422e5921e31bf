import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { createClient } from '@busbar/domain';
import { createChargerLink, createPlatform, selfSignedPair, type Platform } from '@busbar/runtime';
import { ask, createRecordingLogger, describeWithBrowser } from '@busbar/testing';
import { createV2Api, type V2Api } from './service';

describeWithBrowser('the interactive page of the newer API', (open) => {
  const logger = createRecordingLogger();
  let directory: string;
  let platform: Platform;
  let api: V2Api;
  let origin: string;
  let key: string;

  beforeAll(async () => {
    execFileSync(process.execPath, [join(__dirname, '../../../tools/pages.mjs')]);
    directory = mkdtempSync(join(tmpdir(), 'busbar-v2-docs-'));
    platform = createPlatform({ brokerUrl: 'memory:', storeUrl: `file:${directory}`, logger, clock: systemClock });
    await platform.start();
    const { records } = platform;
    key = (await createClient({ ...records, clock: systemClock }, { name: 'Acme' })).secret;
    api = createV2Api({
      ...{ records, logger, clock: systemClock, trustedProxies: [], rateLimitPerKey: 100 },
      ...{ link: createChargerLink(platform.broker), commandTimeoutS: 30 },
      ...{ host: '127.0.0.1', port: 0, tls: await selfSignedPair(directory, systemClock) },
    });
    await api.start();
    origin = `https://127.0.0.1:${String(api.address().port)}`;
  });

  afterAll(async () => {
    await api.stop();
    await platform.stop();
    rmSync(directory, { recursive: true });
  });

  it('lets a reader enter the key once and try every call, with no network', async () => {
    const { page, misdeeds } = await open(`${origin}/v2/docs`);
    await page.locator('.auth-wrapper .authorize').click();
    const scheme = page.locator('.auth-container', { hasText: 'x-api-key' });
    await scheme.locator('input').fill(key);
    await scheme.getByRole('button', { name: /apply|authorize/i }).click();
    await page.getByRole('button', { name: 'Close' }).first().click();

    const tryCall = async (id: string, body?: object): Promise<string> => {
      const operation = page.locator(`[id$="-${id}"]`);
      await operation.locator('.opblock-summary').click();
      if (body !== undefined) await operation.locator('textarea').fill(JSON.stringify(body));
      await operation.getByRole('button', { name: 'Execute' }).click();
      const live = operation.locator('.live-responses-table .response');
      const status = (await live.locator('.response-col_status').innerText()).trim();
      return `${status} ${await live.locator('.highlight-code, .response-col_description pre').first().innerText()}`;
    };
    expect(await tryCall('postSites', { name: 'From the page' })).toMatch(/^200[^]*From the page/);
    expect(await tryCall('getStatistics')).toMatch(/^200[^]*"sites": 1/);
    expect(misdeeds).toEqual({ outside: [], errors: [] });
    await page.context().close();
  });

  it('asks for no script, style or picture but its own, and allows no other', async () => {
    const reply = await ask(`${origin}/v2/docs`);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-security-policy']).toMatch(/^default-src 'none';script-src 'self';/);
    expect(reply.text).not.toMatch(/https?:\/\/|<script>|onclick/);
    for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css', 'init.js', 'LICENSE']) {
      expect((await ask(`${origin}/v2/docs/${file}`)).status).toBe(200);
    }
    expect((await ask(`${origin}/v2/docs/..%2F..%2Fpackage.json`)).status).toBe(404);
  });

  it('is not shown over plain HTTP', async () => {
    const reply = await ask(`${origin.replace('https', 'http')}/v2/docs`);
    expect([reply.status, reply.json()['code']]).toEqual([403, 'https_required']);
  });
});
