// The console where something is wrong: keys that end, requests of other pages, chargers that refuse, are silent or flood.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@busbar/testing';
import { connect, readV2, registerCharger, uniqueId, v2 } from '../harness/world';
import { consoleOrigin, fillIn, openConsole, signIn } from './console-page';
import { describeInBothConsoles, describeInConsole } from './in-console';

const KEY_LASTS_MS = 6_000;

describeInBothConsoles((open, world) => {
  it('1 ends with its key, rejects an expired one, and takes no request of another page', async () => {
    const expiresAt = new Date(Date.now() + KEY_LASTS_MS).toISOString();
    const permissions = ['chargers:read', 'tags:read', 'tags:write', 'events:read'];
    const made = await v2(world(), '/api-keys', { method: 'POST', body: { name: 'brief', permissions, expiresAt } });
    const { key } = made.json as { key: string };
    const { page } = await openConsole(open, world());
    await fillIn(page, world().clientId, key);
    await page.getByRole('navigation', { name: 'Menu' }).waitFor();

    const idTag = uniqueId('FORGED').toUpperCase();
    const body = JSON.stringify(JSON.stringify({ idTag }));
    const own = `fetch('/v2/tags', { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${body} })`;
    expect(await page.evaluate<number>(`${own}.then(({ status }) => status)`)).toBe(403);
    const other = await page.context().newPage();
    await other.goto('about:blank');
    const sent = `fetch('${consoleOrigin(world())}/v2/tags', { method: 'POST', credentials: 'include', mode: 'no-cors',
      body: ${body} }).then(({ type }) => type, () => 'failed')`;
    expect(['opaque', 'failed']).toContain(await other.evaluate(sent));
    expect((await v2(world(), `/tags/${idTag}`)).status).toBe(404);

    await page.getByText('Your session has ended').waitFor({ timeout: 20_000 });
    await fillIn(page, world().clientId, key);
    await page.getByText('Client id and API key do not match').waitFor();
    await page.context().close();
  }, 120_000);

  it('3 says that a charger refuses, and that one did not answer in time', async () => {
    const { chargerId } = await registerCharger(world());
    const charger = await connect(world(), chargerId);
    await charger.boot();
    const { page, visit, expectAccessible } = await signIn(open, world(), `/chargers/${chargerId}`);
    const drawer = page.getByRole('dialog');
    const reset = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Reset', exact: true }).click();
      await drawer.getByRole('button', { name: 'Send' }).click();
    };
    charger.answer('Reset', () => ({ status: 'Rejected' }));
    await reset();
    await drawer.getByText('The charger answers: Rejected').waitFor();
    await drawer.getByText('The charger refuses, and does nothing.').waitFor();
    await page.keyboard.press('Escape');
    // Less patient than the page: the charger has a second.
    await page.route('**/reset*', (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('timeoutS', '1');
      return route.continue({ url: url.href });
    });
    charger.answer('Reset', () => ({ kind: 'silence' }));
    await reset();
    await drawer.getByText('May have been carried out').waitFor({ timeout: 20_000 });
    await drawer.getByText('The charger did not answer in time. It may have').waitFor();
    await expectAccessible();
    await page.keyboard.press('Escape');

    // Afterwards the frames and the events say which command failed.
    const frames = page.getByRole('region', { name: 'Frames' }).getByRole('listitem');
    await page.getByLabel('Only failed').check();
    await frames.filter({ hasText: /Reset.*no answer/ }).waitFor();
    await frames.filter({ hasText: 'Reset→ Rejected' }).waitFor();
    expect(await frames.count()).toBe(2);
    await visit(`/events?type=command.completed&charger=${chargerId}`);
    await page.getByRole('link', { name: 'Reset → charger_timeout' }).waitFor();
    await expectAccessible();
    await page.getByRole('link', { name: 'Reset → Rejected' }).click();
    await frames.filter({ hasText: 'Reset→ Rejected' }).waitFor();
    await page.getByText('The log until').waitFor();
    expect(await frames.filter({ hasText: 'no answer' }).count()).toBe(0);
    await page.context().close();
  }, 120_000);

  it('4 follows a charger that sends a hundred frames a second, says what it leaves out, and answers to clicks', async () => {
    const { chargerId } = await registerCharger(world());
    const charger = await connect(world(), chargerId);
    await charger.boot();
    const { page, expectClean } = await signIn(open, world(), `/chargers/${chargerId}?tab=frames`);
    const view = page.getByRole('region', { name: 'Frames' });
    await view.getByText('BootNotification').waitFor();
    let n = 0;
    const began = Date.now();
    // As many as the time that has passed, so that a timer that fires late changes nothing.
    const flood = setInterval(() => {
      for (const due = (Date.now() - began) / 10; n < due; n += 1) {
        void charger.call('DataTransfer', { vendorId: 'com.acme', data: `flood ${String(n)}` }).catch(() => undefined);
      }
    }, 100);
    try {
      await view
        .getByText(/flood ([5-9]\d\d|\d{4,})/)
        .first()
        .waitFor({ timeout: 60_000 });
      await page.getByRole('button', { name: 'Pause' }).click();
      await view.hover();
      // What was left out stands where it was, which is above the newest.
      await eventually(async () => {
        await page.mouse.wheel(0, -100);
        return (await view.getByText(/frames? (was|were) left out here/).count()) > 0;
      }, 60_000);
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByRole('button', { name: 'Pause' }).waitFor();
      await page.getByRole('button', { name: /new frames?$|^To the newest$/ }).click();
    } finally {
      clearInterval(flood);
    }
    await charger.ask('DataTransfer', { vendorId: 'com.acme', data: 'behind the flood' });
    await view.getByText('behind the flood').waitFor({ timeout: 30_000 });
    await expectClean();
    await page.context().close();
  }, 120_000);

  it('5 shows rows as the API has them once the service is back', async () => {
    const { chargerId } = await registerCharger(world());
    const { page } = await signIn(open, world(), `/?search=${chargerId}`);
    const row = page.locator(`[data-charger="${chargerId}"]`);
    await row.getByText('Never connected').waitFor();
    await page.locator('[data-live="good"]').waitFor();
    await world().restart('SIGTERM');
    const charger = await connect(world(), chargerId);
    await charger.boot({ chargePointVendor: 'Later', chargePointModel: 'Two' });
    await charger.status(1, 'Charging');
    await eventually(async () => JSON.stringify((await readV2(world(), chargerId)).sockets).includes('"Charging"'));
    await page.locator('[data-live="good"]').waitFor({ timeout: 30_000 });
    await row.getByText('Connected for').waitFor({ timeout: 30_000 });
    await row.getByText('Later Two').waitFor({ timeout: 30_000 });
    await row.getByText('Charging', { exact: true }).waitFor({ timeout: 30_000 });
    await page.context().close();
  }, 120_000);
});

describeInConsole('the sign-in link', (open, world) => {
  it('signs in once, stays in no address and in no log', async () => {
    const file = join(world().storeUrl.replace('file:', ''), 'console-link');
    // It is written once the process is ready.
    const link = (await eventually(() => readFile(file, 'utf8'))).trim();
    const [, code = ''] = link.split('#code=');
    expect(code.length).toBeGreaterThan(20);
    const { page, expectClean } = await openConsole(open, world(), `/sites#code=${code}`);
    await page.getByRole('heading', { name: 'Sites', exact: true }).waitFor();
    expect(page.url()).not.toContain(code);
    await expectClean();
    const again = await openConsole(open, world(), `/#code=${code}`);
    await again.page.getByText('This sign-in link was used already').waitFor();
    expect(world().program('v2-api').output()).not.toContain(code);
    await page.context().close();
    await again.page.context().close();
  }, 120_000);
});
