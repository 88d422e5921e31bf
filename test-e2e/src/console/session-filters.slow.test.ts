// The filters of the sessions in the console, each kept in the address and shown while it applies.
import { readFileSync } from 'node:fs';
import { connect, registerCharger, v2 } from '../harness/world';
import { signIn } from './console-page';
import { describeInConsole } from './in-console';

const DAY_MS = 24 * 3_600_000;

const COLUMNS_OF_CHARGER = ['Started', 'State', 'Socket', 'Tag', 'Duration', 'Energy', 'Stop reason'];

describeInConsole('the filters of sessions in the console', (open, world) => {
  async function startSession(idTag: string, timestamp: string) {
    const { chargerId } = await registerCharger(world());
    await v2(world(), '/tags', { method: 'POST', body: { idTag } });
    const charger = await connect(world(), chargerId);
    const { transactionId } = await charger.start({ idTag, timestamp });
    return { chargerId, charger, transactionId: Number(transactionId) };
  }

  it('select by charger, tag, site and day, and lead from a tag to its sessions', async () => {
    const now = new Date();
    const newer = await startSession('CAFE01', now.toISOString());
    const first = newer.chargerId;
    const { chargerId: second } = await startSession('CAFE02', new Date(now.getTime() - 3 * DAY_MS).toISOString());
    const { page, expectClean, expectAccessible, expectFitting } = await signIn(open, world(), '/tags');
    await page.getByRole('link', { name: 'Last use of CAFE01' }).click();
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
    await dialog.getByLabel('Started until').fill(new Date(now.getTime() - 2 * DAY_MS).toISOString().slice(0, 10));
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await one.waitFor({ state: 'detached' });
    await other.waitFor();
    await filters.click();
    await dialog.getByLabel('Tag').fill('CAFE01');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('heading', { name: 'No session matches' }).waitFor();
    await page.getByText(/^Nothing found for Tag: CAFE01, Started until: /).waitFor();
    await page.setViewportSize({ width: 360, height: 800 });
    await expectAccessible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await one.waitFor();
    await other.waitFor();
    await expectFitting();
    // The newer one ends, and stays in its place until the list is read anew.
    await newer.charger.stop({ transactionId: newer.transactionId });
    await one.getByText('Ended').waitFor();
    await rows.nth(1).filter({ hasText: first }).waitFor();
    await page.reload();
    await rows.nth(1).filter({ hasText: second }).getByText('In progress').waitFor();
    await rows.nth(2).filter({ hasText: first }).getByText('Ended').waitFor();
    await expectClean();
    await page.context().close();
  }, 120_000);

  it('are not needed to open, stop and end sessions of a charger, whose list stays as it is', async () => {
    const startedAt = Date.now();
    const { chargerId, charger, transactionId } = await startSession('CAFE04', new Date(startedAt).toISOString());
    charger.answer('RemoteStopTransaction', () => ({ status: 'Accepted' }));
    const { page, expectClean, expectAccessible, expectFitting } = await signIn(
      open,
      world(),
      `/chargers/${chargerId}?tab=sessions`,
    );
    const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
    await rows.filter({ hasText: 'CAFE04' }).waitFor();
    // No column for what sessions in progress alone have.
    const heads = page.getByRole('columnheader');
    expect(await heads.allInnerTexts()).toEqual(COLUMNS_OF_CHARGER);
    await page.locator('[data-live="good"]').waitFor();
    await expectAccessible();

    // One that is opened: what is known of it, its curve, which grows, and its values as a table and as a file.
    const meter = (second: number, energyWh: number, powerW: number) =>
      charger.meter({ transactionId, energyWh, powerW, timestamp: new Date(startedAt + second * 1_000).toISOString() });
    await meter(1, 500, 7_000);
    await meter(2, 1_500, 11_000);
    await rows.getByRole('button', { name: /\d:\d/ }).click();
    const session = page.getByRole('dialog', { name: `Session ${String(transactionId)}` });
    await session.getByRole('img', { name: 'Power and energy over time, 2 points' }).locator('canvas').waitFor();
    await session.getByText('1.5 kWh', { exact: true }).first().waitFor();
    for (const fact of [chargerId, 'CAFE04', 'In progress', 'Accepted', '0 Wh'])
      await session.locator('dl').getByText(fact).waitFor();
    await meter(3, 2_500, 9_000);
    await session.getByRole('img', { name: 'Power and energy over time, 3 points' }).waitFor();
    await session.getByText('2.5 kWh', { exact: true }).first().waitFor();
    await session.locator('summary').click();
    const values = session.getByRole('table', { name: 'Meter values' }).locator('tbody tr');
    expect(await values.count()).toBe(6);
    await values.filter({ hasText: 'Energy register' }).first().getByText('2,500 Wh').waitFor();
    await values.first().getByText('9,000 W').waitFor();
    const samples = page.waitForEvent('download');
    await session.getByRole('button', { name: 'Meter values as CSV' }).click();
    const [head, ...lines] = readFileSync(await (await samples).path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(head).toBe('timestamp,measurand,phase,value,unit');
    expect(lines.map((line) => line.replace(/^[^,]*,/, ''))).toEqual(
      [500, 7_000, 1_500, 11_000, 2_500, 9_000].map((value, n) =>
        n % 2 === 0 ? `Energy.Active.Import.Register,,${String(value)},Wh` : `Power.Active.Import,,${String(value)},W`,
      ),
    );
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await expectAccessible();
      await expectFitting();
    }
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: `Stop session ${String(transactionId)}` }).click();
    const drawer = page.getByRole('dialog', { name: 'Stop the session' });
    await drawer.getByRole('button', { name: 'Send' }).click();
    await drawer.getByText('The charger answers: Accepted').waitFor();
    await page.keyboard.press('Escape');

    let lists = 0;
    page.on('request', (request) => {
      if (request.url().includes('/v2/sessions?')) lists += 1;
    });
    await charger.stop({ transactionId });
    await rows.getByText('Ended').waitFor();
    await charger.start({ idTag: 'CAFE04' });
    await page.locator('.change-bar').getByText('1 new session').waitFor();
    expect([await rows.count(), lists]).toEqual([2, 0]);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await rows.nth(2).waitFor();
    await page.getByText('2 sessions ·').waitFor();
    // The charger never reports the end of the second one.
    await rows.nth(1).getByRole('button', { name: /\d:\d/ }).click();
    const second = page.getByRole('dialog', { name: /^Session / });
    await second.getByText('The charger sent no meter values.').waitFor();
    await second.getByRole('button', { name: 'End without the charger' }).click();
    await second.getByText('It stops nothing at the charger.').waitFor();
    await expectAccessible();
    await second.getByRole('button', { name: 'End the session' }).click();
    await second.getByText('Ended', { exact: true }).first().waitFor();
    await second.getByRole('button', { name: 'End without the charger' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await rows.nth(1).getByText('Ended').waitFor();
    // Each in the same unit, with as many decimals.
    await rows.nth(2).getByText('1.00 kWh', { exact: true }).waitFor();
    const { json } = await v2(world(), `/sessions?chargerIds=${chargerId}&state=ongoing`);
    expect(json).toMatchObject({ items: [] });
    await page.getByRole('link', { name: 'Filter by day, tag or state' }).click();
    await page.getByLabel('Started', { exact: true }).selectOption('Yesterday');
    await page.getByText(`Nothing found for Started: Yesterday, Charger id: ${chargerId}.`).waitFor();
    await page.goBack();
    await page.setViewportSize({ width: 360, height: 800 });
    await rows.nth(2).waitFor();
    await expectFitting();

    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe(`${chargerId}-sessions.csv`);
    expect(readFileSync(await file.path(), 'utf8').match(/,CAFE04,/g)).toHaveLength(2);
    await expectClean();
    await page.context().close();
  }, 120_000);

  it('offer a search where there are more sites than a list shows, and leave all pages of the list to its CSV', async () => {
    for (let count = 0; count <= 100; count++) {
      await v2(world(), '/sites', { method: 'POST', body: { name: `Lot ${String(count).padStart(3, '0')}` } });
    }
    const { chargerId, charger } = await startSession('CAFE03', new Date().toISOString());
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
