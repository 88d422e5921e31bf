// Where a reader stands in a long list of chargers: kept in the address, and over a visit to a charger.
import type { OpenPage } from '@busbar/testing';
import { registerCharger, v2 } from '../harness/world';
import { signIn } from './console-page';
import { describeInConsole } from './in-console';

const CHARGERS = 350;
const PAGE = 100;

describeInConsole('the position in the list of the fleet', (open, world) => {
  beforeAll(async () => {
    const { siteId } = await registerCharger(world(), idOf(0));
    for (let n = 1; n < CHARGERS; n += 1) {
      const body = { name: `Charger ${String(n)}`, chargerId: idOf(n), siteId };
      const { status, text } = await v2(world(), '/chargers', { method: 'POST', body });
      if (status !== 200) throw new Error(text);
    }
  }, 120_000);

  it('is the page of the address', async () => {
    const { page, visit } = await signIn(open, world());
    await visit('/?page=3');
    await row(page, 2 * PAGE).waitFor();
    expect(await isInSight(page, 2 * PAGE)).toBe(true);
    expect(await row(page, 0).count()).toBe(0);
    await page.context().close();
  });

  it('is kept by a reload, and where a reader returns from a charger', async () => {
    const { page } = await signIn(open, world());
    await row(page, 0).waitFor();
    const seen = PAGE + 60;
    await page.evaluate(
      `scrollBy(0, document.querySelector('.rows-body').getBoundingClientRect().top + ${String(seen)} * 56 - 300)`,
    );
    await row(page, seen).waitFor();
    await page.waitForURL(/page=2/);
    await row(page, seen).getByRole('link').click();
    await page.getByRole('tab', { name: 'Frames' }).waitFor();
    await page.goBack();
    await row(page, seen).waitFor();
    expect(await isInSight(page, seen)).toBe(true);
    await page.reload();
    await row(page, seen).waitFor();
    expect(await isInSight(page, seen)).toBe(true);
    await page.context().close();
  });
});

type Page = OpenPage['page'];

function row(page: Page, n: number) {
  return page.locator(`[data-charger="${idOf(n)}"]`);
}

async function isInSight(page: Page, n: number): Promise<boolean> {
  const box = await row(page, n).boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= (page.viewportSize()?.height ?? 0);
}

function idOf(n: number): string {
  return `LONG-${String(n).padStart(4, '0')}`;
}
