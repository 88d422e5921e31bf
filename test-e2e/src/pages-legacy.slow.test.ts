import { ask, describeWithBrowser } from '@busbar/testing';
import { openEmbeddedWorld } from './harness/embedded';
import type { OwnWorld } from './harness/world';

describeWithBrowser('the interactive page of the v1 API', (open) => {
  let world: OwnWorld;
  let origin: string;

  beforeAll(async () => {
    world = await openEmbeddedWorld();
    origin = new URL(world.addresses().api).origin;
  }, 120_000);

  afterAll(() => world.stop());

  it('lets a reader enter code and clientId once and try every call, with no network', async () => {
    const { page, misdeeds } = await open(`${origin}/api/docs`);
    await page.locator('.auth-wrapper .authorize').click();
    for (const [name, value] of [
      ['code', world.apiKey],
      ['clientId', world.clientId],
    ] as const) {
      const scheme = page.locator('.auth-container', { has: page.getByText(name, { exact: true }) });
      await scheme.locator('input').fill(value);
      await scheme.getByRole('button', { name: /apply|authorize/i }).click();
    }
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
    expect(await tryCall('createGroup', { name: 'From the page' })).toMatch(/^200[^]*"id": 1/);
    expect(await tryCall('getStatistics')).toMatch(/^200[^]*"groups": 1/);
    const charger = { chargerId: 'PAGE_1' };
    const added = await tryCall('createCharger', { chargerName: 'P' }, { ...charger, groupId: '1' });
    expect(added).toMatch(/^200[^]*PAGE_1/);
    expect(await tryCall('updateCharger', { chargerName: 'Q' }, charger)).toMatch(/^200[^]*"chargerName": "Q"/);
    expect(await tryCall('listChargers', undefined, { groupId: '1' })).toMatch(/^200[^]*PAGE_1/);
    const search = { startTime: '2026-01-01T00:00:00Z' };
    expect(await tryCall('searchTransactions', search)).toMatch(/^200[^]*"results": \[\]/);
    expect(misdeeds).toEqual({ outside: [], errors: [] });
    // The browser notes what is refused, too.
    const stop = { ...charger, transactionId: '1' };
    expect(await tryCall('stopTransaction', undefined, stop)).toMatch(/^409[^]*charger_offline/);
    expect(await tryCall('deleteCharger', undefined, charger)).toMatch(/^200[^]*PAGE_1/);
    expect(misdeeds.outside).toEqual([]);
    await page.context().close();
  }, 240_000);

  it('loads only its own scripts, styles and pictures, and allows no other', async () => {
    const reply = await ask(`${origin}/api/docs`);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-security-policy']).toMatch(/^default-src 'none';script-src 'self';/);
    expect(reply.text).not.toMatch(/https?:\/\/|<script>|onclick/);
    for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css', 'init.js', 'LICENSE']) {
      expect((await ask(`${origin}/api/docs/${file}`)).status).toBe(200);
    }
    expect((await ask(`${origin}/api/docs/..%2F..%2Fpackage.json`)).status).toBe(404);
  });

  it('is not shown over plain HTTP', async () => {
    const reply = await ask(`${origin.replace('https', 'http')}/api/docs`);
    expect([reply.status, reply.json()['errorCode']]).toEqual([403, 'https_required']);
  });
});
