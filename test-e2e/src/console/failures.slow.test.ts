// What each screen of the console shows while the service fails: what could not be read, the id of the request, and a way to try again.
import { eventually, type OpenPage } from '@busbar/testing';
import { asOperator } from '../harness/clients';
import { registerCharger, v2 } from '../harness/world';
import { signIn } from './console-page';
import { describeInConsole } from './in-console';

const REQUEST_ID = 'req_of_a_failure';
const PROBLEM = {
  type: 'about:blank',
  title: 'Internal error',
  status: 500,
  code: 'internal',
  detail: 'Something failed.',
  requestId: REQUEST_ID,
  errors: [],
};

type Route = Parameters<Parameters<OpenPage['page']['route']>[1]>[0];

const fail = (route: Route) =>
  route.fulfill({
    status: PROBLEM.status,
    headers: { 'content-type': 'application/problem+json', 'x-request-id': REQUEST_ID },
    body: JSON.stringify(PROBLEM),
  });

const PERMISSIONS = [
  'chargers:read',
  'sites:read',
  'tags:read',
  'sessions:read',
  'logs:read',
  'events:read',
  'webhooks:read',
  'keys:read',
];

/** They are loaded after the first screen; and by this address the page asks whether the service responds. */
const PARTS_OF_FRAME = [/\/assets\/(account-menu|menu-drawer|shortcut-help)-[^/]*\.js$/, /\/console\/$/];

describeInConsole('the console while the service fails', (open, world) => {
  it('says on each screen what could not be read, with the id of the request, and reads it again', async () => {
    const { chargerId } = await registerCharger(world());
    const created = await v2(world(), '/webhooks', { method: 'POST', body: { url: 'https://hooks.example.com/' } });
    const { id: webhookId } = created.json as { readonly id: string };
    const reader = await signIn(open, await asOperator(world(), PERMISSIONS));
    const { page } = reader;
    let isFailing = false;
    await page.route('**/v2/**', (route) => (isFailing ? fail(route) : route.continue()));
    const failures = page.locator('main').getByRole('alert');
    for (const path of [
      '/',
      '/sessions',
      '/sites',
      '/sites/1',
      '/tags',
      '/keys',
      '/events',
      '/webhooks',
      `/webhooks/${webhookId}`,
      `/chargers/${chargerId}`,
      '/operator/dead-letters',
      '/operator/processes',
    ]) {
      isFailing = true;
      await reader.visit(path);
      await failures.first().waitFor();
      expect([path, await failures.first().textContent()]).toEqual([path, expect.stringContaining(REQUEST_ID)]);
      await page.getByRole('navigation', { name: 'Menu' }).waitFor();
      await reader.expectAccessible().catch((error: unknown) => {
        throw new Error(path, { cause: error });
      });
      isFailing = false;
      await eventually(async () => {
        const again = failures.getByRole('button', { name: 'Try again' }).first();
        if ((await failures.count()) > 0) await again.click({ timeout: 1_000 }).catch(() => undefined);
        return (await failures.count()) === 0;
      }, 20_000);
      await page.locator('main h1').first().waitFor();
    }
    await page.context().close();
  }, 300_000);

  it('shows the list of the fleet where the figures fail, and the figures where the list does', async () => {
    const { chargerId } = await registerCharger(world());
    const { page, visit } = await signIn(open, world());
    const row = page.locator(`[data-charger="${chargerId}"]`);
    const figure = page.getByText('Sessions in progress');
    const failure = page.locator('main').getByRole('alert').getByText(REQUEST_ID);
    for (const [failing, there, gone] of [
      ['**/v2/statistics', row, figure],
      ['**/v2/chargers?*', figure, row],
    ] as const) {
      await page.route(failing, fail);
      await visit('/');
      await failure.waitFor();
      await there.waitFor();
      expect(await gone.count()).toBe(0);
      await page.unroute(failing);
    }
    // Beside what was read before: that it could not be read again.
    await visit('/');
    await figure.waitFor();
    await page.route('**/v2/statistics', fail);
    const stale = page.getByRole('alert').filter({ hasText: 'What is shown may be old' });
    await stale.getByText(REQUEST_ID).waitFor();
    await figure.waitFor();
    await page.unroute('**/v2/statistics');
    // The figures are read each few seconds anyway.
    const again = stale.getByRole('button', { name: 'Try again' });
    await Promise.any([stale.waitFor({ state: 'detached' }), again.click()]);
    await stale.waitFor({ state: 'detached' });
    // The head says so also on a screen that holds no stream.
    await visit('/keys');
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(await page.locator('[data-live]').count()).toBe(0);
    await page.route('**/console/session', (route) => route.abort());
    await page.locator('[data-live="bad"]').waitFor();
    await page.unroute('**/console/session');
    await page.locator('[data-live]').waitFor({ state: 'detached' });
    await page.context().close();
  }, 120_000);

  it('leaves head and menu where a screen cannot be drawn, and draws it again', async () => {
    const { page, visit } = await signIn(open, world());
    const broken = { items: 7, totalRecords: 1, hasNextPage: false };
    await page.route('**/v2/tags?*', (route) => route.fulfill({ json: broken }));
    await visit('/tags');
    await page.getByRole('heading', { name: 'This screen could not be shown' }).waitFor();
    const menu = page.getByRole('navigation', { name: 'Menu' });
    await menu.getByRole('link', { name: 'Sites' }).click();
    await page.getByRole('heading', { name: 'Sites', level: 1 }).waitFor();
    await menu.getByRole('link', { name: 'Tags' }).click();
    await page.getByRole('heading', { name: 'This screen could not be shown' }).waitFor();
    await page.unroute('**/v2/tags?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor();
    await page.context().close();
  }, 120_000);

  it('leaves head and screen where a part of the frame cannot be loaded, and loads it at the next click', async () => {
    const { page, visit } = await signIn(open, world());
    let isUnreachable = false;
    let failed: string[] = [];
    for (const address of PARTS_OF_FRAME) {
      await page.route(address, (route) => {
        if (!isUnreachable) return route.continue();
        failed.push(route.request().url());
        return route.abort();
      });
    }
    await page.setViewportSize({ width: 360, height: 800 });
    const screen = page.getByRole('heading', { name: 'Tags', level: 1 });
    const again = page.getByRole('button', { name: 'Try again' });
    const account = page.getByRole('button', { name: 'Account and appearance' });
    const menu = page.getByRole('button', { name: 'Menu', exact: true });
    for (const [name, ask, next, part] of [
      ['account-menu', () => account.click(), account, page.getByRole('menu')],
      ['menu-drawer', () => menu.click(), again, page.getByRole('dialog', { name: 'Menu' })],
      [
        'shortcut-help',
        () => page.keyboard.press('?'),
        again,
        page.getByRole('dialog', { name: 'Keyboard shortcuts' }),
      ],
    ] as const) {
      isUnreachable = true;
      failed = [];
      await visit('/tags');
      await screen.waitFor();
      await ask();
      await eventually(() => failed.some((url) => url.includes(name)));
      await next.waitFor();
      await screen.waitFor();
      isUnreachable = false;
      // A click while the failure is not known yet does nothing.
      await eventually(async () => {
        await next.click({ timeout: 1_000 }).catch(() => undefined);
        return part.waitFor({ timeout: 2_000 }).then(
          () => true,
          () => false,
        );
      });
      await page.keyboard.press('Escape');
      await screen.waitFor();
    }
    await page.context().close();
  }, 120_000);

  it('shows the other tabs of a charger where one fails', async () => {
    const { chargerId } = await registerCharger(world());
    const reader = await signIn(open, world());
    const { page } = reader;
    // All that is read, but for the charger itself.
    await page.route('**/v2/**', (route) =>
      new URL(route.request().url()).pathname === `/v2/chargers/${chargerId}` ? route.continue() : fail(route),
    );
    for (const tab of ['frames', 'sessions', 'configuration', 'states', 'held']) {
      await reader.visit(`/chargers/${chargerId}?tab=${tab}`);
      await page.getByRole('heading', { name: 'A charger' }).first().waitFor();
      const failure = page.getByRole('tabpanel').getByRole('alert').first();
      await failure
        .getByText(REQUEST_ID)
        .waitFor()
        .catch((error: unknown) => {
          throw new Error(tab, { cause: error });
        });
      await failure.getByRole('button', { name: 'Try again' }).waitFor();
      // Nothing below a failure says that there is nothing.
      expect([tab, await page.getByRole('tabpanel').locator('.empty').count()]).toEqual([tab, 0]);
    }
    await page.context().close();
  }, 120_000);
});
