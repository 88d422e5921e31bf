// Webhooks in the console: made, tested, failing, and what was missed sent again.
import { describeWithBrowser, eventually, openReceiver, type OpenPage, type Receiver } from '@busbar/testing';
import { openEmbeddedWorld } from '../harness/embedded';
import { registerCharger, uniqueId, v2, type OwnWorld, type World } from '../harness/world';
import { signIn } from './console-page';

type Page = OpenPage['page'];

const PARKED_PAGE = 100;

describeWithBrowser('webhooks in the console', (open) => {
  let world: OwnWorld;
  let receiver: Receiver;

  beforeAll(async () => {
    world = await openEmbeddedWorld({ PUSH_ALLOWED_CIDRS: '127.0.0.0/8', PUSH_PLAIN_HTTP: 'true' });
    receiver = await openReceiver();
  }, 120_000);

  afterAll(async () => {
    await receiver.stop();
    await world.stop();
  });

  it('shows the secret of a new webhook once, tests it, and sends an event again', async () => {
    const { page, visit, expectClean, expectAccessible, expectFitting } = await signIn(open, world, '/webhooks');
    await page.getByRole('heading', { name: 'No webhook yet' }).waitFor();
    await expectAccessible();
    const name = uniqueId('hook');
    await page.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill(receiver.url);
    await dialog.getByLabel('Description').fill(name);
    await expectAccessible();
    await dialog.getByRole('button', { name: 'Create the webhook' }).click();
    await dialog.getByText(/^whsec_/).waitFor();
    // Closing it by mistake would lose the secret.
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('link', { name }).click();
    await page.getByText('Nothing was sent yet').waitFor();
    await expectAccessible();
    await page.getByRole('region', { name: 'Attempts' }).getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('table', { name: 'Attempts' }).getByText('webhook.test').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page
      .getByRole('region', { name: 'Status' })
      .getByText(/Test: Delivered, status 2/)
      .waitFor();
    await page
      .getByRole('status')
      .getByText(/^Test: Delivered, status 2/)
      .waitFor();
    await expectAccessible();
    await page.getByText('Verify signatures').click();
    await page.getByRole('tab', { name: 'Go' }).click();
    await page.getByText('func IsAuthentic').waitFor();
    await expectAccessible();
    // An event that the receiver refuses, and accepts when it is sent again.
    receiver.answer(() => ({ status: 409, body: 'unknown charger' }));
    await registerCharger(world);
    const refused = page.getByRole('row').filter({ hasText: 'charger.created' }).filter({ hasText: 'unknown charger' });
    await atRest(page);
    await refused.waitFor({ timeout: 15_000 });
    await page.getByText('Active, events refused').waitFor();
    await page.getByText('Each is tried again after 5 s').waitFor();
    await expectAccessible();
    await page.getByRole('button', { name: 'Send what waits now' }).click();
    await dialog.getByText(/^1 event waits, the oldest since /).waitFor();
    await dialog.getByRole('button', { name: 'Send 1 event' }).waitFor();
    await expectAccessible();
    await page.keyboard.press('Escape');
    receiver.answer(() => ({ status: 200 }));
    // While the pointer is in the list nothing moves in it.
    const rows = page.getByRole('table', { name: 'Attempts' }).getByRole('row');
    await refused.first().hover();
    const before = await rows.count();
    await refused.first().getByRole('button', { name: 'Send again' }).click();
    await page
      .locator('.change-bar')
      .getByText(/new attempt/)
      .waitFor({ timeout: 15_000 });
    expect(await rows.count()).toBe(before);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    // What waited may have been a retry that was refused: then what is delivered comes after it.
    await atRest(page);
    await page
      .getByRole('row')
      .filter({ hasText: 'charger.created' })
      .getByText('Delivered')
      .first()
      .waitFor({ timeout: 15_000 });
    await refused
      .first()
      .getByRole('button', { name: /^Show the request of / })
      .click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText(`POST ${receiver.url}`).waitFor();
    const head = (await drawer.getByText('webhook-signature: v1,').textContent()) ?? '';
    const [signature] = /(?<=^webhook-signature: ).+$/m.exec(head) ?? [];
    expect(receiver.requests.map(({ headers }) => headers['webhook-signature'])).toContain(signature);
    await drawer.getByText('"charger.created"').waitFor();
    await drawer.getByText('unknown charger').waitFor();
    // The event was delivered since.
    expect(await drawer.getByText('Next attempt').count()).toBe(0);
    await expectAccessible();
    await page.keyboard.press('Escape');
    await page.getByLabel('Outcome').selectOption('refused');
    await page.getByRole('cell', { name: 'Delivered' }).first().waitFor({ state: 'detached' });
    await expectAccessible();
    await page.getByLabel('Outcome').selectOption('failed');
    await page.getByText('Nothing found for Outcome: Failed.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('cell', { name: 'Delivered' }).first().waitFor();
    await page.setViewportSize({ width: 360, height: 800 });
    await expectFitting();
    await visit('/webhooks');
    await page.getByRole('link', { name }).waitFor();
    await expectFitting();
    await expectClean();
    // What could not be read is not shown by what was read before.
    await page.getByRole('link', { name }).click();
    await page.getByRole('cell', { name: 'Delivered' }).first().waitFor();
    await page.route('**/deliveries?*outcome=refused*', (route) => route.fulfill({ status: 500 }));
    await page.getByLabel('Outcome').selectOption('refused');
    await page.getByText('The attempts could not be read').waitFor();
    expect(await page.getByRole('table', { name: 'Attempts' }).count()).toBe(0);
    await expectParkedPages(world, page);
    await page.context().close();
  }, 120_000);

  it('creates and changes a webhook of push messages of a site, with a header of its own', async () => {
    // Before the webhook is there and in no site of it: the replay alone sends its event.
    await registerCharger(world);
    await v2(world, '/sites', { method: 'POST', body: { name: 'Harbour' } });
    const { page, expectClean, expectAccessible } = await signIn(open, world, '/webhooks');
    const name = uniqueId('push');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New webhook' }).click();
    await dialog.getByLabel('Address').fill(receiver.url);
    await dialog.getByLabel('Description').fill(name);
    await dialog.getByLabel('Format').selectOption('push-v2');
    await dialog.getByLabel('Authorization header').fill('Bearer of-a-test');
    await dialog.getByLabel('Sites', { exact: true }).selectOption('Harbour');
    await dialog.getByRole('button', { name: 'Remove the site Harbour' }).waitFor();
    await dialog.getByLabel('Send nothing yet').check();
    await expectAccessible();
    await dialog.getByRole('button', { name: 'Create the webhook' }).click();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('link', { name }).click();
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText('Push messages, version 2').waitFor();
    await status.getByText('Harbour').waitFor();
    await status.getByRole('button', { name: 'Enable' }).click();
    await status.getByRole('button', { name: 'Disable' }).waitFor();
    await status.getByRole('button', { name: 'Send a test' }).click();
    await status.getByText(/Test: Delivered, status 2/).waitFor();
    expect(receiver.requests.at(-1)?.headers).toMatchObject({ authorization: 'Bearer of-a-test' });

    await status.getByRole('button', { name: 'Change', exact: true }).click();
    await dialog.getByRole('button', { name: 'Remove the site Harbour' }).click();
    await dialog.getByLabel('Format').selectOption('standard');
    await expectAccessible();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await status.getByText('Events of the feed, signed').waitFor();
    const { json: stored } = await v2(world, `/webhooks/${page.url().split('/').at(-1) ?? ''}`);
    expect(stored).toMatchObject({ format: 'standard', siteIds: null, description: name });

    const before = receiver.requests.length;
    await status.getByRole('button', { name: 'Replay from …' }).click();
    await dialog.getByLabel('From').fill(localTimeOf(Date.now() - 3_600_000));
    await expectAccessible();
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await status.getByText('Replay started from').waitFor();
    await atRest(page);
    const attempts = page.getByRole('table', { name: 'Attempts' });
    await attempts.getByText('charger.created').first().waitFor({ timeout: 15_000 });
    expect(receiver.requests.length).toBeGreaterThan(before);

    await status.getByRole('button', { name: 'New secret' }).click();
    await dialog.getByRole('button', { name: 'New secret' }).click();
    await dialog.getByText(/^whsec_/).waitFor();
    await expectAccessible();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    const tests = () => receiver.requests.filter(({ event }) => event.type === 'webhook.test');
    const testsBefore = tests().length;
    await status.getByRole('button', { name: 'Send a test' }).click();
    // The page still shows the test before, and events that are replayed may come later.
    await eventually(() => tests().length > testsBefore);
    await status.getByText(/Test: Delivered, status 2/).waitFor();
    // By the new secret and the one before.
    expect(String(tests().at(-1)?.headers['webhook-signature']).split(' ')).toHaveLength(2);

    await status.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await page.getByRole('link', { name }).waitFor({ state: 'detached' });
    await expectClean();
    await page.context().close();
  }, 120_000);
});

/** More than one page of parked events, as the API gives them: each is parked by six attempts. */
async function expectParkedPages(world: World, page: Page): Promise<void> {
  const parked = PARKED_PAGE + 1;
  const path = `/webhooks/${new URL(page.url()).pathname.split('/').at(-1) ?? ''}`;
  const { json } = await v2(world, path);
  await page.route(`**/v2${path}`, (route) => route.fulfill({ json: { ...(json as object), parked } }));
  await page.route('**/parked?*', (route) => {
    const wanted = new URL(route.request().url()).searchParams;
    const from = (Number(wanted.get('page') ?? 1) - 1) * PARKED_PAGE;
    const numbers = Array.from({ length: Math.min(PARKED_PAGE, parked - from) }, (_, n) => from + n + 1);
    const of = { eventType: 'charger.created', chargerId: null, parkedAt: '2026-01-31T12:00:00.000Z', attempts: 6 };
    const items = numbers.map((n) => ({ eventId: `evt_${String(n)}`, lastError: `refusal ${String(n)}`, ...of }));
    const isFirst = from === 0;
    return route.fulfill({ json: { items, page: isFirst ? 1 : 2, hasNextPage: isFirst, totalRecords: parked } });
  });
  await page.getByRole('heading', { name: '101 events are parked' }).waitFor();
  await page.getByRole('button', { name: 'Send 100 again' }).waitFor();
  const pages = page.getByRole('navigation', { name: 'Pages of parked events' });
  await pages.getByRole('button', { name: 'Next' }).click();
  await page.getByText('refusal 101', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send 1 again' }).waitFor();
  await page.waitForURL(/[?&]parked=2/);
}

/** The reader is not at the list of attempts, which shows new ones by itself then. */
async function atRest(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate('scrollTo(0, 0)');
}

/** As a field of the reader's time takes it; the browser's zone is that of this process. */
function localTimeOf(atMs: number): string {
  const date = new Date(atMs);
  return new Date(atMs - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
