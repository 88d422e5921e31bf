// Sites in the console: a tree that is made, changed, moved and deleted.
import { connect, uniqueId, v2 } from '../harness/world';
import { signIn } from './console-page';
import { describeInConsole } from './in-console';

describeInConsole('sites in the console', (open, world) => {
  async function createSite(body: object): Promise<number> {
    return ((await v2(world(), '/sites', { method: 'POST', body })).json as { id: number }).id;
  }

  it('leads from no site to one with another below it, which is changed, moved and deleted', async () => {
    const { page, expectClean, expectAccessible } = await signIn(open, world(), '/sites');
    const dialog = page.getByRole('dialog');
    const more = page.getByRole('button', { name: 'More of the site' });
    await page.getByRole('heading', { name: 'No sites yet' }).waitFor();
    await expectAccessible();
    await page.getByRole('button', { name: 'New site' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Harbour');
    await dialog.getByLabel('City').fill('Oslo');
    await expectAccessible();
    await dialog.getByRole('button', { name: 'Create the site' }).click();
    await page.getByRole('heading', { name: 'Harbour' }).waitFor();
    await page.getByRole('heading', { name: 'No charger stands here or below.' }).waitFor();
    await expectAccessible();

    await more.click();
    await page.getByRole('menuitem', { name: 'New site below' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Pier');
    await dialog.getByRole('button', { name: 'Create the site' }).click();
    await page.getByRole('heading', { name: 'Pier' }).waitFor();
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'Harbour' }).click();
    await page.getByRole('region', { name: 'Sites below' }).getByRole('link', { name: 'Pier' }).waitFor();
    await more.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog.getByText('It contains 1 site. Move or delete them first.').waitFor();
    await expectAccessible();
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'Pier' }).click();
    await page.getByRole('heading', { name: 'Pier' }).waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    await dialog.getByLabel('Kind').selectOption('SUB_SITE');
    await dialog.getByLabel('Notes').fill('Gate code at the office.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Gate code at the office.').waitFor();
    await more.click();
    await page.getByRole('menuitem', { name: 'Move' }).click();
    await dialog.getByLabel('Below the site').selectOption('None: at the top');
    await dialog.getByRole('button', { name: 'Move the site' }).click();
    await page
      .getByRole('navigation', { name: 'Path' })
      .getByRole('link', { name: 'Harbour' })
      .waitFor({ state: 'detached' });
    await more.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Sites', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Harbour' }).waitFor();
    expect(await page.getByRole('link', { name: 'Pier' }).count()).toBe(0);
    await expectClean();
    await page.context().close();
  }, 120_000);

  it('shows the tree, what a search finds, and the chargers of a site with those below it', async () => {
    const top = await createSite({ name: 'Airport' });
    const below = await createSite({ name: 'P4 <b>', parentSiteId: top });
    const chargerId = uniqueId('SITE');
    await v2(world(), '/chargers', { method: 'POST', body: { chargerId, name: 'Gate', siteId: below } });
    const charger = await connect(world(), chargerId);
    await charger.ask('StatusNotification', { connectorId: 1, status: 'Faulted', errorCode: 'GroundFailure' });
    const { page, expectClean, expectAccessible, expectFitting } = await signIn(open, world(), '/sites');
    await page.getByRole('button', { name: 'Show sites below Airport' }).click();
    await page.getByRole('link', { name: 'P4 <b>' }).waitFor();
    await page.getByRole('list', { name: 'Sockets by state' }).getByText('1 Error').waitFor({ state: 'attached' });
    await expectAccessible();
    await page.getByRole('button', { name: 'Hide sites below Airport' }).click();
    await page.getByRole('link', { name: 'P4 <b>' }).waitFor({ state: 'detached' });
    await page.getByLabel('Search by name or city').fill('p4');
    await page.getByRole('link', { name: /Airport.*P4 <b>/ }).waitFor();
    await page.getByLabel('Search by name or city').fill('nowhere');
    await page.getByRole('heading', { name: 'No site matches “nowhere”' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: 'Airport' }).click();
    const chargers = page.getByRole('region', { name: 'Chargers' });
    await chargers.getByRole('link', { name: 'Gate' }).waitFor();
    await chargers.getByRole('list', { name: 'Chargers by state' }).getByText('1').first().waitFor();
    await expectAccessible();
    await page.setViewportSize({ width: 360, height: 800 });
    await expectFitting();
    await chargers.getByRole('link', { name: 'Open 1 charger in the fleet' }).click();
    await page.locator(`[data-charger="${chargerId}"]`).waitFor();
    await expectClean();
    await page.context().close();
  }, 120_000);

  it('says that there is no such site', async () => {
    const { page } = await signIn(open, world(), '/sites/999999');
    await page.getByRole('heading', { name: 'There is no such site' }).waitFor();
    await page.context().close();
  }, 120_000);
});
