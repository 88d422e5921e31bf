// The feed of events in the console: stored ones, live ones, filters, and one as JSON.
import { connect, registerCharger, v2 } from '../harness/world';
import { signIn } from './console-page';
import { describeInConsole } from './in-console';

const LIVE_MS = 10_000;

describeInConsole('events in the console', (open, world) => {
  it('shows what happened and what happens, newest first, and waits while it is paused', async () => {
    const { page, expectClean, expectAccessible } = await signIn(open, world(), '/events');
    await page.getByRole('heading', { name: 'No event yet' }).waitFor();
    await expectAccessible();
    const { chargerId } = await registerCharger(world());
    const rows = page.getByRole('table', { name: 'Events' }).getByRole('row').filter({ hasText: chargerId });
    await rows.filter({ hasText: 'charger.created' }).waitFor({ timeout: LIVE_MS });
    const charger = await connect(world(), chargerId);
    await charger.ask('BootNotification', { chargePointVendor: 'ACME', chargePointModel: 'One' });
    await rows.filter({ hasText: 'charger.booted' }).waitFor({ timeout: LIVE_MS });
    const types = await rows.getByRole('button').allInnerTexts();
    expect(types.at(-1)).toBe('charger.created');
    expect(types.indexOf('charger.booted')).toBeLessThan(types.indexOf('charger.connected'));

    await page.getByRole('button', { name: 'Pause' }).click();
    await charger.ask('StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError' });
    await page
      .locator('.change-bar')
      .getByText(/^\d+ new events?/)
      .waitFor({ timeout: LIVE_MS });
    expect(await rows.filter({ hasText: 'socket.state_changed' }).count()).toBe(0);
    await expectAccessible();
    await page.getByRole('button', { name: 'Resume' }).click();
    await rows.filter({ hasText: 'socket.state_changed' }).waitFor();

    // What is stored is there after a visit anew.
    await page.reload();
    await rows.filter({ hasText: 'charger.created' }).waitFor({ timeout: LIVE_MS });
    await rows.filter({ hasText: 'charger.created' }).getByRole('button').click();
    const drawer = page.getByRole('dialog', { name: 'charger.created' });
    await drawer.getByText(`"chargerId": "${chargerId}"`).waitFor();
    await drawer.getByText(/^curl '.*\/v2\/events\/evt_/).waitFor();
    await expectAccessible();
    await expectClean();
    await page.context().close();
  }, 120_000);

  it('filters by type, charger and site, and keeps the filter in the address', async () => {
    const { chargerId } = await registerCharger(world());
    const other = await registerCharger(world());
    const site = await v2(world(), '/sites', { method: 'POST', body: { name: 'Harbour' } });
    const { id: siteId } = site.json as { readonly id: number };
    await v2(world(), `/chargers/${other.chargerId}`, { method: 'PATCH', body: { siteId } });
    const { page, expectAccessible } = await signIn(open, world(), '/events');
    const table = page.getByRole('table', { name: 'Events' });
    await table.getByText(other.chargerId).first().waitFor();
    await page.getByLabel('Charger id').fill(chargerId);
    await table.getByText(other.chargerId).first().waitFor({ state: 'detached' });
    await table.getByText(chargerId).first().waitFor();
    await page.getByLabel('Type').selectOption('session.*');
    await page.getByText(`Nothing found for Charger id: ${chargerId}, Type: session.*.`).waitFor();
    expect(page.url()).toMatch(new RegExp(`type=session.*charger=${chargerId}|charger=${chargerId}.*type=session`));
    await expectAccessible();
    const charger = await connect(world(), chargerId);
    const start = { connectorId: 1, idTag: 'CAFE', meterStart: 0, timestamp: new Date().toISOString() };
    await charger.ask('StartTransaction', start);
    await table.getByText('session.started').waitFor({ timeout: LIVE_MS });
    expect(await table.getByText('charger.connected').count()).toBe(0);

    await page.goto(page.url().replace(/\?.*/, ''));
    await table.getByText(chargerId).first().waitFor();
    await page.getByRole('button', { name: 'All sites' }).click();
    await page.getByRole('dialog').getByLabel('Site', { exact: true }).selectOption('Harbour');
    await expectAccessible();
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Site: Harbour' }).waitFor();
    await table.getByText(chargerId).first().waitFor({ state: 'detached' });
    await connect(world(), other.chargerId);
    await table.getByText('charger.connected').waitFor({ timeout: LIVE_MS });
    expect(await table.getByText(chargerId).count()).toBe(0);
    await page.context().close();
  }, 120_000);

  it('offers the types that the key may read', async () => {
    const permissions = ['events:read', 'sessions:read'];
    const made = await v2(world(), '/api-keys', { method: 'POST', body: { name: 'reader', permissions } });
    const { key } = made.json as { key: string };
    const { page } = await signIn(open, { ...world(), apiKey: key }, '/events');
    const options = await page.getByLabel('Type').locator('option').allInnerTexts();
    expect(options.slice(1)).toEqual(['session.*', 'session.started', 'session.ended', 'meter.values']);
    await page.context().close();
  }, 120_000);
});
