// Tags in the console: made, changed, blocked, deleted, and many at once by CSV.
import { readFileSync } from 'node:fs';
import { v2 } from '../harness/world';
import { signIn } from './console-page';
import { describeInConsole } from './in-console';

describeInConsole('tags in the console', (open, world) => {
  it('leads from no tag to one that is changed, blocked and deleted', async () => {
    const { page, expectClean, expectAccessible } = await signIn(open, world(), '/tags');
    const dialog = page.getByRole('dialog');
    await page.getByRole('heading', { name: 'No tags yet' }).waitFor();
    await expectAccessible();
    await page.getByRole('button', { name: 'New tag' }).click();
    await dialog.getByLabel('Tag', { exact: true }).fill('CAFE01');
    await dialog.getByLabel('Name').fill('<b>Driver</b>');
    await dialog.getByLabel('Valid until').fill('2020-01-01T00:00');
    await expectAccessible();
    await dialog.getByRole('button', { name: 'Create the tag' }).click();
    const row = page.getByRole('row').filter({ hasText: 'CAFE01' });
    await row.getByText('Expired').waitFor();
    await row.getByText('<b>Driver</b>').waitFor();

    const actions = page.getByRole('button', { name: 'Actions for CAFE01' });
    await actions.click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    await dialog.getByLabel('Valid until').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('Unlimited').waitFor();
    await row.getByText('Valid', { exact: true }).waitFor();
    await actions.click();
    await page.getByRole('menuitem', { name: 'Block' }).click();
    await row.getByText('Blocked').waitFor();
    const stored = { tokenName: '<b>Driver</b>', expiringDate: null, blocked: true };
    expect((await v2(world(), '/tags/CAFE01')).json).toMatchObject(stored);
    await expectAccessible();

    await page.getByLabel('Search by tag or name').fill('nobody');
    await page.getByRole('heading', { name: 'No tag matches “nobody”' }).waitFor();
    expect(page.url()).toContain('search=nobody');
    await expectAccessible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await actions.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No tags yet' }).waitFor();
    expect((await v2(world(), '/tags/CAFE01')).status).toBe(404);
    await expectClean();
    await page.context().close();
  }, 120_000);

  it('154 makes, shows and searches a tag and a group of 255 characters within the width of a phone', async () => {
    const { page, expectAccessible } = await signIn(open, world(), '/tags');
    const dialog = page.getByRole('dialog');
    const idTag = `L${'0'.repeat(254)}`;
    await page.getByRole('button', { name: 'New tag' }).click();
    await dialog.getByLabel('Tag', { exact: true }).fill(idTag);
    await dialog.getByLabel('Group').fill('G'.repeat(255));
    await dialog.getByRole('button', { name: 'Create the tag' }).click();
    const row = page.getByRole('row').filter({ hasText: idTag });
    await row.waitFor();
    await page.getByLabel('Search by tag or name').fill(idTag);
    await page.waitForURL(`**search=${idTag}`);
    await page.locator('.table-faded').waitFor({ state: 'detached' });
    for (const width of [1280, 1024, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await row.getByText('Valid', { exact: true }).waitFor();
      const widths = 'document.documentElement.scrollWidth, document.querySelector(".table-scroll").scrollWidth';
      const [whole = Infinity, table = Infinity] = await page.evaluate<number[]>(`[${widths}]`);
      expect([width, whole <= width, table <= width]).toEqual([width, true, true]);
    }
    await expectAccessible();
    await page.getByRole('button', { name: `Actions for ${idTag}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: /^No tag/ }).waitFor();
    expect((await v2(world(), `/tags/${idTag}`)).status).toBe(404);
    await page.context().close();
  }, 120_000);

  it('stores all tags of a CSV file or none, and writes them as one', async () => {
    const { page, expectAccessible } = await signIn(open, world(), '/tags');
    const dialog = page.getByRole('dialog');
    const file = (text: string) => ({ name: 'tags.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    const store = () => dialog.getByRole('button', { name: 'Store the tags' }).click();
    await page.getByRole('button', { name: 'Read CSV' }).click();
    const chosen = dialog.getByLabel('CSV file');
    await chosen.setInputFiles(file(`idTag,blocked\n${'BEEF01,yes\n'.repeat(30)}BEEF02,\n`));
    await store();
    await dialog.getByText('Row 2: blocked must be true, false or empty.').waitFor();
    await dialog.getByText('Row 31: blocked must be true, false or empty.').waitFor();
    await chosen.setInputFiles(file(`idTag,tokenName\nBEEF01,ok\n${'x'.repeat(256)},long\n`));
    await store();
    await dialog.getByText('No tag was stored').waitFor();
    await dialog.getByText(/^Row 3: idTag /).waitFor();
    await expectAccessible();
    expect((await v2(world(), '/tags/BEEF01')).status).toBe(404);
    await chosen.setInputFiles(file(`idTag,tokenName,blocked\nBEEF01,"a ""b"", c",true\nBEEF02,'=1+1,false\n`));
    await store();
    await dialog.getByText('2 tags created, 0 changed, 0 as they were.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('row').filter({ hasText: 'BEEF01' }).getByText('a "b", c').waitFor();
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const text = readFileSync(await (await downloaded).path(), 'utf8');
    expect(text.split('\r\n')).toEqual([
      'idTag,tokenName,blocked,startDate,expiringDate,parentIdTag,externalId,type',
      'BEEF01,"a ""b"", c",true,,,,,',
      "BEEF02,'=1+1,false,,,,,",
      '',
    ]);
    await page.context().close();
  }, 120_000);
});
