// The console where something is wrong: keys that end, requests of other pages, chargers that refuse, are silent or flood.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, type OpenPage } from '@busbar/testing';
import { http } from '../harness/http';
import { connect, registerCharger, uniqueId, v2 } from '../harness/world';
import { consoleOrigin, DRAWN, fillIn, medianOf, openConsole, signIn } from './console-page';
import { describeInBothConsoles, describeInConsole } from './in-console';
import { expectSessionEnd, stopClock } from './stopped-clock';
import { setHidden, watchStreams } from './streams';

type Page = OpenPage['page'];

const KEY_LASTS_MS = 6_000;
const ROW_PX = 34;
const CLICKS = 5;

interface Following {
  /** The most pixels that were below the view. */
  readonly belowPx: number;
  /** The numbers of the last row at the first drawing and the last. */
  readonly first: number;
  readonly last: number;
}

/** Looks at the log as it is drawn, sixty times. */
const FOLLOWING = `new Promise((resolve) => {
  const view = document.querySelector('.frames-view');
  const lastRow = () => Math.max(...[...view.textContent.matchAll(/flood (\\d+)/g)].map(([, n]) => Number(n)));
  const first = lastRow();
  let belowPx = 0;
  let drawings = 0;
  const look = () => {
    belowPx = Math.max(belowPx, view.scrollHeight - view.scrollTop - view.clientHeight);
    drawings += 1;
    if (drawings < 60) requestAnimationFrame(look);
    else resolve({ belowPx, first, last: lastRow() });
  };
  requestAnimationFrame(look);
})`;

describeInBothConsoles((open, world) => {
  it('1 ends with its key, rejects an expired one, and takes no request of another page', async () => {
    const opensAt = Date.now();
    const { page } = await openConsole(open, world());
    // Long enough to sign in with, also where the machine has other work.
    const lastsMs = Math.max(KEY_LASTS_MS, 3 * (Date.now() - opensAt));
    const expiresAt = new Date(Date.now() + lastsMs).toISOString();
    const permissions = ['chargers:read', 'events:read'];
    const made = await v2(world(), '/api-keys', { method: 'POST', body: { name: 'brief', permissions, expiresAt } });
    const { key } = made.json as { key: string };
    await page.clock.install();
    await fillIn(page, world().clientId, key);
    await page.getByRole('navigation', { name: 'Menu' }).waitFor();
    await stopClock(page);
    const headers = { 'x-api-key': key };
    const isRefused = async () => (await http(`${world().addresses().v2}/chargers`, { headers })).status === 401;
    await eventually(isRefused, lastsMs + 15_000);
    await expectSessionEnd(page);
    await fillIn(page, world().clientId, key);
    await page.getByText('Client id and API key do not match').waitFor();

    await fillIn(page, world().clientId, world().apiKey);
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
    await frames.locator('[aria-current]').filter({ hasText: 'Reset→ Rejected' }).waitFor();
    await page.getByText('The log until').waitFor();
    expect(await frames.filter({ hasText: 'no answer' }).count()).toBe(0);
    expect(await page.locator('.menu-link[aria-current]').allInnerTexts()).toEqual(['Fleet']);
    await expectAccessible();
    // As if the charger had sent a page of other frames between the command and its end.
    await page.route('**/ocpp-logs?*', (route) => {
      const url = new URL(route.request().url());
      const number = Number(url.searchParams.get('page'));
      if (number === 1) return route.fulfill({ json: { items: [], page: 1, totalRecords: 101, hasNextPage: true } });
      url.searchParams.set('page', String(number - 1));
      return route.continue({ url: url.href });
    });
    await page.reload();
    await frames.locator('[aria-current]').filter({ hasText: 'Reset→ Rejected' }).waitFor();

    // Nothing can be sent while the charger has no connection, and the page says why, also where the form is open already.
    await page.getByRole('button', { name: 'Reset', exact: true }).click();
    charger.terminate();
    await drawer.getByRole('button', { name: 'Not connected', disabled: true }).waitFor();
    await drawer.getByText('The charger is not connected.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Commands need a connection').first().waitFor();
    for (const name of ['Reset', 'Commands']) await page.getByRole('button', { name, disabled: true }).waitFor();
    await expectAccessible();
    await connect(world(), chargerId);
    await page.getByRole('button', { name: 'Reset', exact: true, disabled: false }).click();
    await drawer.getByRole('button', { name: 'Send', disabled: false }).waitFor();
    await page.context().close();
  }, 120_000);

  it('4 follows a charger that sends a hundred frames a second, says what it leaves out, and answers to clicks', async () => {
    const { chargerId } = await registerCharger(world());
    const charger = await connect(world(), chargerId);
    await charger.boot();
    const { page, expectClean } = await signIn(open, world(), `/chargers/${chargerId}?tab=frames`);
    const view = page.getByRole('region', { name: 'Frames' });
    await view.getByText('BootNotification').waitFor();
    await watchClicks(page);
    const before = await clickMenu(page);
    const sent: Promise<unknown>[] = [];
    const began = Date.now();
    // As many as the time that has passed, so that a timer that fires late changes nothing.
    const flood = setInterval(() => {
      for (const due = (Date.now() - began) / 10; sent.length < due;) {
        const data = `flood ${String(sent.length)}`;
        sent.push(charger.call('DataTransfer', { vendorId: 'com.acme', data }).catch(() => undefined));
      }
    }, 100);
    try {
      await view
        .getByText(/flood ([5-9]\d\d|\d{4,})/)
        .first()
        .waitFor({ timeout: 60_000 });
      // From the press to the next frame that the browser draws, by itself. A machine that draws slowly without the flood does so with it.
      const during = await clickMenu(page);
      expect(medianOf(during)).toBeLessThanOrEqual(Math.max(100, 3 * medianOf(before)));
      // Of all frames that were drawn meanwhile, none has the view off its end, and rows came.
      const { belowPx, first, last } = await page.evaluate<Following>(FOLLOWING);
      expect(belowPx).toBeLessThan(ROW_PX);
      expect(last).toBeGreaterThan(first);
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
      await Promise.all(sent);
    }
    await charger.ask('DataTransfer', { vendorId: 'com.acme', data: 'behind the flood' });
    await view.getByText('behind the flood').waitFor({ timeout: 30_000 });
    await expectOlderKept(page, `/v2/chargers/${chargerId}/ocpp-logs`);
    await expectClean();
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

/** Older frames that were read stay where the stream ends, as the tab is hidden, and begins anew before any frame came. */
async function expectOlderKept(page: Page, log: string): Promise<void> {
  const streams = watchStreams(page, `${log}/stream`);
  await page.reload();
  await page.getByRole('region', { name: 'Frames' }).getByText('behind the flood').waitFor();
  await eventually(() => streams.of(page) === 1);
  const second = () =>
    page.waitForResponse((response) => {
      const { pathname, searchParams } = new URL(response.url());
      return pathname === log && searchParams.get('page') === '2';
    });
  const oldest = page.getByRole('region', { name: 'Frames' }).locator('time').first();
  const readOldest = async () => {
    await page.evaluate("document.querySelector('.frames-view').scrollTo({ top: 0 })");
    return oldest.getAttribute('datetime');
  };
  const newer = await readOldest();
  await Promise.all([second(), page.getByRole('button', { name: 'Load older frames' }).click()]);
  const older = await eventually(async () => {
    const at = await readOldest();
    // Rows above the view move it before they are drawn.
    await page.evaluate(DRAWN);
    return at === null || at === newer || at !== (await readOldest()) ? undefined : at;
  });
  expect(await oldest.getAttribute('title')).toContain(` · ${older.slice(0, 19).replace('T', ' ')} UTC`);

  await setHidden(page, true);
  await eventually(() => streams.of(page) === 0);
  // Whether the pages are read anew depends on whether a frame has come by the stream, which knows its position then.
  await setHidden(page, false);
  await eventually(() => streams.of(page) === 1);
  await page.evaluate(DRAWN);
  expect(await readOldest()).toBe(older);
}

/** The page records how long each of its clicks takes to the next frame (Event Timing; it rounds to 8 ms). */
async function watchClicks(page: Page): Promise<void> {
  await page.evaluate(`window.clicks = new Map();
    new PerformanceObserver((list) => {
      for (const { name, duration, interactionId } of list.getEntries()) {
        if (/^(pointer|click)/.test(name)) window.clicks.set(interactionId, Math.max(duration, window.clicks.get(interactionId) ?? 0));
      }
    }).observe({ type: 'event', durationThreshold: 16 });`);
}

/** Opens and closes a menu some times. Resolves with how many milliseconds each took; one that is not recorded took less than 16. */
async function clickMenu(page: Page): Promise<readonly number[]> {
  await page.evaluate('window.clicks.clear()');
  const menu = page.getByRole('menu');
  for (let n = 0; n < CLICKS; n += 1) {
    await page.getByRole('button', { name: 'Account and appearance' }).click();
    await menu.waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
  }
  const recorded = await page.evaluate<number[]>('[...window.clicks].filter(([id]) => id > 0).map(([, ms]) => ms)');
  return [...recorded, ...Array<number>(Math.max(0, CLICKS - recorded.length)).fill(16)];
}
