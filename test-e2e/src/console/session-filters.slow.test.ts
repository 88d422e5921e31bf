// The filters of the sessions in the console, each kept in the address and shown while it applies.
import { readFileSync } from 'node:fs';
import { connect, registerCharger, v2 } from '../harness/world';
import { signIn } from './console-page';
import { describeInConsole } from './in-console';

describeInConsole('the filters of sessions in the console', (open, world) => {
  async function startSession(idTag: string, timestamp: string): Promise<string> {
    const { chargerId } = await registerCharger(world());
    await v2(world(), '/tags', { method: 'POST', body: { idTag } });
    const charger = await connect(world(), chargerId);
    await charger.ask('StartTransaction', { connectorId: 1, idTag, meterStart: 0, timestamp });
    return chargerId;
  }

  it('select by charger, tag, site and day, and lead from a tag to its sessions', async () => {
    const now = new Date();
    const first = await startSession('CAFE01', now.toISOString());
    const second = await startSession('CAFE02', new Date(now.getTime() - 3 * 24 * 3_600_000).toISOString());
    const { page, expectClean, expectAccessible } = await signIn(open, world(), '/tags');
    await page.getByRole('link', { name: 'Sessions of CAFE01' }).click();
    const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
    const one = rows.filter({ hasText: first });
    const other = rows.filter({ hasText: second });
    await one.waitFor();
    await other.waitFor({ state: 'detached' });
    await expectAccessible();
    await page.getByRole('button', { name: 'Remove the filter Tag: CAFE01' }).click();
    await other.waitFor();

    const dialog = page.getByRole('dialog');
    const filters = page.getByRole('button', { name: 'Filters' });
    await filters.click();
    await dialog.getByLabel('Charger id').fill(second);
    await expectAccessible();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await one.waitFor({ state: 'detached' });
    await other.waitFor();
    expect(page.url()).toContain(`charger=${second}`);
    await page.reload();
    await page.getByRole('button', { name: `Remove the filter Charger id: ${second}` }).click();
    await one.waitFor();

    await filters.click();
    await dialog
      .getByLabel('Started until')
      .fill(new Date(now.getTime() - 2 * 24 * 3_600_000).toISOString().slice(0, 10));
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await one.waitFor({ state: 'detached' });
    await other.waitFor();
    await filters.click();
    await dialog.getByLabel('Tag').fill('CAFE01');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('heading', { name: 'No session matches' }).waitFor();
    await page.setViewportSize({ width: 360, height: 800 });
    await expectAccessible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await one.waitFor();
    await other.waitFor();
    await expectClean();
    await page.context().close();
  }, 120_000);

  it('offer a search where there are more sites than a list shows, and leave all pages of the list to its CSV', async () => {
    for (let count = 0; count <= 100; count++) {
      await v2(world(), '/sites', { method: 'POST', body: { name: `Lot ${String(count).padStart(3, '0')}` } });
    }
    const chargerId = await startSession('CAFE03', new Date().toISOString());
    const charger = await connect(world(), chargerId);
    const start = { connectorId: 2, idTag: 'CAFE03', timestamp: new Date().toISOString() };
    for (let meterStart = 1; meterStart <= 100; meterStart++) {
      await charger.ask('StartTransaction', { ...start, meterStart });
    }
    const { page, expectClean, expectAccessible } = await signIn(open, world(), `/sessions?charger=${chargerId}`);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const lines = readFileSync(await (await saved).path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines[0]).toMatch(/^transactionId,chargerId,/);
    expect(new Set(lines).size).toBe(102);

    await page.getByRole('button', { name: 'Filters' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Search sites').fill('lot 100');
    await dialog.getByRole('option', { name: 'Lot 099' }).waitFor({ state: 'detached' });
    await dialog.getByLabel('Search sites').press('Enter');
    await dialog.getByLabel('Site', { exact: true }).selectOption('Lot 100');
    await expectAccessible();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Remove the filter Site: Lot 100' }).waitFor();
    await page.getByRole('heading', { name: 'No session matches' }).waitFor();
    await expectClean();
    await page.context().close();
  }, 120_000);
});
