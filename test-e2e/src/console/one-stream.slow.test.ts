// The stream of events that the tabs of a browser share: held by one of them, passed on, and given up while nobody looks.
import { eventually } from '@busbar/testing';
import { connect, registerCharger, uniqueId, v2, type World } from '../harness/world';
import { consoleOrigin, signIn } from './console-page';
import { describeInConsole } from './in-console';
import { setHidden, watchStreams } from './streams';

const HIDDEN_FOR = '01:01';
const SETTLE_MS = 300;
const FRAME_MS = 17;
const SCROLLED_ROWS = 40;
const LIVE = '[data-live="good"]';

describeInConsole('the stream of a browser', (open, world) => {
  it('is one for two tabs, and passed on when the tab that holds it closes', async () => {
    const { chargerId } = await registerCharger(world());
    const { page: first } = await signIn(open, world(), `/?search=${chargerId}`);
    const streams = watchStreams(first);
    await first.reload();
    await first.locator(LIVE).waitFor();
    const second = await first.context().newPage();
    await second.goto(addressOf(world(), chargerId));
    await second.locator(LIVE).waitFor();
    const rows = [first, second].map((page) => page.locator(`[data-charger="${chargerId}"]`));
    const charger = await connect(world(), chargerId);
    await charger.ask('BootNotification', { chargePointVendor: 'ACME', chargePointModel: 'One' });
    for (const row of rows) await row.getByText('Connected for').waitFor();
    expect([streams.of(first), streams.of(second)]).toEqual([1, 0]);

    await first.close();
    await eventually(() => streams.of(second) === 1);
    charger.terminate();
    await second.locator(`[data-charger="${chargerId}"]`).getByText('Last seen').waitFor();
    await second.context().close();
  }, 60_000);

  it('brings what happened since the page began to read, also before it was open', async () => {
    const { chargerId } = await registerCharger(world());
    const { page } = await signIn(open, world(), `/?search=${chargerId}`);
    let release = () => undefined as unknown;
    const gate = new Promise((resolve) => (release = () => resolve(undefined)));
    await page.route('**/v2/events/stream?*', (route) => gate.then(() => route.continue()));
    await page.reload();
    const row = page.locator(`[data-charger="${chargerId}"]`);
    await row.getByText('Never connected').waitFor();
    let lists = 0;
    page.on('request', (request) => {
      if (request.url().includes('/v2/chargers?')) lists += request.url().includes('limit=1&') ? 0 : 1;
    });
    const charger = await connect(world(), chargerId);
    await charger.boot();
    release();
    await row.getByText('Connected for').waitFor();
    expect(lists).toBe(0);
    await page.context().close();
  }, 60_000);

  it('begins anew where its position is known no longer (410), and reads anew what is shown', async () => {
    const { chargerId } = await registerCharger(world());
    const { page } = await signIn(open, world(), `/?search=${chargerId}`);
    let release = () => undefined as unknown;
    const gate = new Promise((resolve) => (release = () => resolve(undefined)));
    let expired = 0;
    await page.route('**/v2/events/stream?*', async (route) => {
      await gate;
      if (!new URL(route.request().url()).searchParams.has('after')) return route.continue();
      expired += 1;
      return route.fulfill({ status: 410 });
    });
    await page.reload();
    const row = page.locator(`[data-charger="${chargerId}"]`);
    await row.getByText('Never connected').waitFor();
    const charger = await connect(world(), chargerId);
    await charger.boot();
    release();
    await page.locator(LIVE).waitFor();
    await row.getByText('Connected for').waitFor();
    expect(expired).toBe(1);
    await page.context().close();
  }, 60_000);

  it('changes rows in sight, and the count of chargers that come to match the filter', async () => {
    const [first, second] = [await registerCharger(world()), await registerCharger(world())];
    const shown = await connect(world(), first.chargerId);
    const { page } = await signIn(open, world(), '/?connected=true');
    await page.locator(`[data-charger="${first.chargerId}"]`).waitFor();
    await page.locator(LIVE).waitFor();
    await v2(world(), `/chargers/${first.chargerId}`, { method: 'PATCH', body: { name: 'Pier' } });
    await page.locator(`[data-charger="${first.chargerId}"]`).getByText('Pier').waitFor();
    await connect(world(), second.chargerId);
    const bar = page.locator('.change-bar');
    await bar.getByText('1 change to the list').waitFor();
    expect(await page.locator('[data-charger]').count()).toBe(1);
    shown.terminate();
    await bar.getByText('2 changes to the list').waitFor();
    await bar.getByRole('button', { name: 'Show' }).click();
    await page.locator(`[data-charger="${second.chargerId}"]`).waitFor();
    expect([await page.locator('[data-charger]').count(), await bar.count()]).toEqual([1, 0]);
    await page.context().close();
  }, 60_000);

  it('is asked anew for the rows in sight 300 ms after scrolling stops', async () => {
    const common = uniqueId('SCROLLED');
    for (let n = 1; n <= SCROLLED_ROWS; n += 1) await registerCharger(world(), `${common}_${String(n)}`);
    const { page } = await signIn(open, world(), `/?search=${common}`);
    await page.setViewportSize({ width: 1280, height: 300 });
    const { addresses } = watchStreams(page);
    const idsInSight = () =>
      page.evaluate<string[]>("[...document.querySelectorAll('[data-charger]')].map((row) => row.dataset.charger)");
    await page.clock.install();
    await page.reload();
    await page.locator(LIVE).waitFor();
    const asked = () => addresses.at(-1)?.searchParams.get('chargerIds')?.split(',').toSorted();
    const isForSight = async () => JSON.stringify(asked()) === JSON.stringify((await idsInSight()).toSorted());
    await eventually(isForSight);
    const atTop = await idsInSight();
    await page.clock.pauseAt(Date.now() + 10_000);
    const before = addresses.length;
    // Other rows each time.
    for (const part of [0.5, 1]) {
      const lastBefore = (await idsInSight()).at(-1);
      await page.evaluate(`scrollTo(0, ${String(part)} * document.body.scrollHeight)`);
      await eventually(async () => (await idsInSight()).at(-1) !== lastBefore);
      await page.clock.runFor(SETTLE_MS - 1);
    }
    expect(addresses.length).toBe(before);
    let more = 0;
    await eventually(async () => {
      more += 1;
      await page.clock.runFor(1);
      return addresses.length > before;
    });
    expect(more).toBeLessThan(SETTLE_MS);
    // A few rows come each frame.
    await eventually(async () => {
      await page.clock.runFor(FRAME_MS);
      return isForSight();
    });
    expect(addresses.length).toBe(before + 1);
    expect(await idsInSight()).not.toContain(atTop[0]);
    await page.context().close();
  }, 60_000);

  it('is given up by a tab that is hidden for a minute, which reads anew what it shows when it is seen again', async () => {
    const { chargerId } = await registerCharger(world());
    const { page } = await signIn(open, world(), `/?search=${chargerId}`);
    const streams = watchStreams(page);
    await page.clock.install();
    await page.reload();
    await page.locator(LIVE).waitFor();
    const row = page.locator(`[data-charger="${chargerId}"]`);
    await row.getByText('Never connected').waitFor();
    await setHidden(page, true);
    expect(streams.of(page)).toBe(1);
    await page.clock.fastForward(HIDDEN_FOR);
    await eventually(() => streams.of(page) === 0);

    const missed = await connect(world(), chargerId);
    await missed.ask('BootNotification', { chargePointVendor: 'ACME', chargePointModel: 'One' });
    expect(streams.of(page)).toBe(0);
    await setHidden(page, false);
    await row.getByText('Connected for').waitFor();
    expect(streams.of(page)).toBe(1);
    await page.context().close();
  }, 60_000);
});

function addressOf(world: World, chargerId: string): string {
  return `${consoleOrigin(world)}/console/?search=${chargerId}`;
}
