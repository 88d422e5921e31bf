// The console in a real browser, on the one-process mode and on separate services behind the proxy.
import { readFileSync } from 'node:fs';
import { eventually } from '@busbar/testing';
import { asNewClient, asOperator } from '../harness/clients';
import { http } from '../harness/http';
import { connect, readV2, registerCharger, uniqueId, v2, type OwnWorld } from '../harness/world';
import { consoleOrigin, fillIn, openConsole, signIn, watchFor } from './console-page';
import { expectSessionEnd, stopClock } from './stopped-clock';
import {
  createOneOfEach,
  downloadCsv,
  everyScreen,
  HOSTILE,
  ownNames,
  recordResponses,
  screensOfAnother,
  wordsOf,
} from './every-screen';
import { describeInBothConsoles, TILES } from './in-console';

const SOON_MS = 1_000;
const MAX_TIMES = 5;
const OUTAGE_MS = 20_000;
const TO_TOP = "document.querySelector('.frames-view').scrollTo({ top: 0 })";
const TILE = '<svg xmlns="http://www.w3.org/2000/svg"/>';

describeInBothConsoles((open, its) => {
  let world: OwnWorld;
  beforeAll(() => (world = its()));

  it('2 leads from an empty client to a first charger, whose row turns connected by itself', async () => {
    const { page, expectClean, expectAccessible } = await signIn(open, world);
    await page.getByRole('heading', { name: 'No chargers yet' }).waitFor();
    await page.getByText(`${consoleOrigin(world).replace('https', 'wss')}/ocpp/`).waitFor();
    await expectAccessible();

    const chargerId = uniqueId('FIRST');
    await page.getByRole('button', { name: 'New charger' }).click();
    await page.getByLabel('Charger id').fill(chargerId);
    await page.getByLabel('Name', { exact: true }).fill('Quay');
    await page.getByLabel('Name of its site').fill('Harbour');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText(`/ocpp/${chargerId}`).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    const row = page.locator(`[data-charger="${chargerId}"]`);
    await row.getByText('Never connected').waitFor();

    // A page that does not follow yet shows the row when it has read the list anew.
    await page.locator('[data-live="good"]').waitFor();
    // From the socket's opening by the service's clock to the row. The first of some times that is short enough: any other measures the
    // machine, whose two cores the browser shares with every service. A page that waits for its next list each time is never so fast.
    const took: number[] = [];
    do {
      const shown = await watchFor(page, `[data-charger="${chargerId}"]`, 'Connected for');
      const charger = await connect(world, chargerId);
      await row.getByText('Connected for').waitFor();
      const { connectedSince } = await readV2(world, chargerId);
      took.push((await shown()) - Date.parse(String(connectedSince)));
      await charger.ask('BootNotification', { chargePointVendor: 'ACME', chargePointModel: 'One' });
      await charger.ask('StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError' });
      if (Math.min(...took) <= SOON_MS) break;
      charger.terminate();
      await row.getByText('Last seen').waitFor();
    } while (took.length < MAX_TIMES);
    expect(Math.min(...took)).toBeLessThanOrEqual(SOON_MS);
    await row.getByText('Available', { exact: true }).waitFor();
    await row.getByText('ACME One').waitFor();
    await expectClean();
    await page.context().close();
  }, 120_000);

  it('1 rejects a wrong key, and asks for a new sign-in where a key was revoked, then is where it was', async () => {
    const { chargerId } = await registerCharger(world);
    const address = `/console/chargers/${chargerId}?tab=states&period=week`;
    const { page } = await openConsole(open, world, address.replace('/console', ''));
    await fillIn(page, world.clientId, 'wrong');
    await page.getByText('Client id and API key do not match').waitFor();

    const permissions = ['chargers:read', 'events:read'];
    const made = await v2(world, '/api-keys', { method: 'POST', body: { name: 'short', permissions } });
    const { id, key } = made.json as { id: string; key: string };
    await page.clock.install();
    await fillIn(page, world.clientId, key);
    await page.getByRole('heading', { name: 'A charger' }).waitFor();
    // What the key may not do is not there.
    expect(await page.getByRole('tab').allInnerTexts()).toEqual([
      'Configuration',
      'Reservations and profiles',
      'States',
      'Registration',
    ]);
    expect(await page.getByRole('button', { name: 'Ask the charger now' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Reset' }).count()).toBe(0);
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage, location.href])')).not.toContain(key);

    await stopClock(page);
    await v2(world, `/api-keys/${id}`, { method: 'DELETE' });
    await expectSessionEnd(page);
    await fillIn(page, world.clientId, world.apiKey);
    await page.getByRole('heading', { name: 'A charger' }).waitFor();
    await page.getByRole('tab', { name: 'States', selected: true }).waitFor();
    expect(await page.getByLabel('Period').inputValue()).toBe('week');
    expect(page.url()).toBe(`${consoleOrigin(world)}${address}`);
    await page.context().close();
  }, 120_000);

  it('3 says of each outcome of a command whether the charger may have carried it out', async () => {
    const { chargerId } = await registerCharger(world);
    const charger = await connect(world, chargerId);
    await charger.ask('BootNotification', { chargePointVendor: 'ACME', chargePointModel: 'One' });
    await charger.ask('StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError' });
    const { page, expectClean, expectAccessible } = await signIn(open, world, `/chargers/${chargerId}`);
    const drawer = page.getByRole('dialog');

    async function unlock(): Promise<void> {
      await page.getByRole('button', { name: 'Unlock', exact: true }).click();
      await drawer.getByRole('button', { name: 'Send' }).click();
    }

    charger.answer('UnlockConnector', () => ({ status: 'Unlocked' }));
    await unlock();
    await drawer.getByText('The charger answers: Unlocked').waitFor();
    await drawer.getByText('To the charger: UnlockConnector').waitFor();
    // One region reads it aloud, also over the dialog.
    await page.getByRole('status').getByText('The charger answers: Unlocked. The cable is unlocked.').waitFor();
    await expectAccessible();
    await page.keyboard.press('Escape');
    await expectClean();

    const idTag = uniqueId('TAG').toUpperCase();
    await v2(world, '/tags', { method: 'POST', body: { idTag } });
    async function startByTag(): Promise<void> {
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await drawer.getByLabel('Tag', { exact: true }).fill(idTag);
      await drawer.getByRole('button', { name: 'Send' }).click();
    }
    charger.answer('RemoteStartTransaction', () => ({ status: 'Rejected' }));
    await startByTag();
    await drawer.getByText('The charger refuses, and does nothing.').waitFor();
    await page.keyboard.press('Escape');
    charger.answer('RemoteStartTransaction', () => ({ status: 'Accepted' }));
    await startByTag();
    await drawer.getByText('The charger agrees and carries the command out.').waitFor();
    await page.keyboard.press('Escape');
    await charger.start({ idTag });
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    charger.answer('RemoteStopTransaction', () => ({ kind: 'error', code: 'InternalError', description: 'busy' }));
    await drawer.getByRole('button', { name: 'Send' }).click();
    await drawer.getByText('Not carried out').waitFor();
    charger.answer('RemoteStopTransaction', () => ({ status: 'Accepted' }));
    await drawer.getByRole('button', { name: 'Send again' }).click();
    await drawer.getByText('The charger answers: Accepted').waitFor();
    await page.keyboard.press('Escape');

    charger.answer('UnlockConnector', () => ({ status: 'UnlockFailed' }));
    await unlock();
    await drawer.getByText('The charger tried to unlock the cable, and failed.').waitFor();
    await page.keyboard.press('Escape');

    charger.answer('UnlockConnector', () => ({ kind: 'error', code: 'InternalError', description: 'jammed' }));
    await unlock();
    await drawer.getByText('Not carried out').waitFor();
    await drawer.getByText('The charger answered with an error').waitFor();
    await page.keyboard.press('Escape');

    charger.answer('UnlockConnector', () => ({ kind: 'silence' }));
    await unlock();
    await drawer.getByText('Waiting for the charger').waitFor();
    // Its seconds count in the drawer alone.
    expect(await page.locator('[role="status"], [aria-live]').count()).toBe(1);
    // The fourth of its name: the earlier ones were answered.
    await eventually(() => charger.received.filter(({ action }) => action === 'UnlockConnector').length === 4);
    charger.terminate();
    await drawer.getByText('May have been carried out').waitFor();
    await drawer.getByText('The connection closed before the charger answered.').waitFor();
    await drawer.getByText('The charger is not connected.').waitFor();
    expect(await drawer.getByRole('button', { name: 'Send again' }).isDisabled()).toBe(true);
    await page.context().close();
  }, 120_000);

  it('4 follows the frames of a charger, and shows a pair in full', async () => {
    const { chargerId } = await registerCharger(world);
    const charger = await connect(world, chargerId);
    await charger.ask('BootNotification', { chargePointVendor: 'ACME', chargePointModel: 'One' });
    const { page, expectClean, expectAccessible } = await signIn(open, world, `/chargers/${chargerId}?tab=frames`);
    const view = page.getByRole('region', { name: 'Frames' });
    await view.getByText('BootNotification').waitFor();
    for (let n = 1; n <= 60; n++) {
      await charger.ask('DataTransfer', { vendorId: 'com.acme', data: `number ${String(n)} of many` });
    }
    await view.getByText('number 60 of many').waitFor({ timeout: 15_000 });
    await page.getByLabel('Filter by action or text').fill('number 17 ');
    await view.getByText('number 17 of many').waitFor();
    await eventually(async () => (await view.getByText('of many').count()) === 1);
    await view.getByText('number 17 of many').click();
    await page.getByRole('dialog').getByText('"vendorId": "com.acme"').waitFor();
    await expectAccessible();
    await page.keyboard.press('Escape');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const lines = readFileSync(await (await saved).path(), 'utf8')
      .trim()
      .split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { messageType: string }).messageType)).toEqual(['DataTransfer']);
    // Older ones than the first page are read when they are asked for.
    await page.getByLabel('Filter by action or text').fill('');
    await view.getByText('number 60 of many').waitFor();
    await page.getByRole('button', { name: 'Clear view' }).click();
    await page.getByRole('heading', { name: 'Cleared' }).waitFor();
    for (let n = 61; n <= 110; n++)
      await charger.ask('DataTransfer', { vendorId: 'com.acme', data: `frame ${String(n)}` });
    await view.getByText('frame 110').waitFor();
    await page.reload();
    await view.getByText('frame 110').waitFor();
    await page.evaluate(TO_TOP);
    await page.getByRole('button', { name: 'Load older frames' }).click();
    await page.getByRole('button', { name: 'Load older frames' }).waitFor({ state: 'detached' });
    await page.evaluate(TO_TOP);
    await view.getByText('BootNotification').waitFor();
    await expectClean();
    await page.context().close();
  }, 120_000);

  it('5 says that there is no connection while the service is stopped, and shows what the API says afterwards', async () => {
    const common = uniqueId('OUTAGE');
    const ids = ['stays', 'leaves', 'comes'].map((which) => `${common}_${which}`);
    for (const chargerId of ids) await registerCharger(world, chargerId);
    const [stays = '', leaves = '', comes = ''] = ids;
    for (const chargerId of [stays, leaves]) {
      const before = await connect(world, chargerId);
      await before.boot();
      await before.status(1, 'Charging');
    }
    const { page } = await signIn(open, world, `/?search=${common}`);
    const row = (chargerId: string) => page.locator(`[data-charger="${chargerId}"]`);
    const expectRowsAsBefore = async (): Promise<void> => {
      for (const chargerId of [stays, leaves]) await row(chargerId).getByText('Charging', { exact: true }).waitFor();
      await row(comes).getByText('Never connected').waitFor();
    };
    await expectRowsAsBefore();
    await page.locator('[data-live="good"]').waitFor();
    await world.program('v2-api').end('SIGTERM');
    const stoppedAt = Date.now();
    await page.locator('[data-live="bad"]').waitFor({ timeout: 30_000 });
    await expectRowsAsBefore();
    // A screen that was not open before cannot be loaded: head and menu stay, and lead to what was read.
    await page.getByRole('link', { name: 'Tags' }).click();
    await page.getByRole('heading', { name: 'This screen could not be shown' }).waitFor();
    await page.locator('[data-live="bad"]').waitFor();
    await page.goBack();
    await expectRowsAsBefore();
    // The outage itself, not a wait for something: a page whose retries become rare finds the service after it, too. In one of the two.
    if (world.kind === 'one process') await eventually(() => Date.now() - stoppedAt >= OUTAGE_MS, OUTAGE_MS * 2);
    await page.locator('[data-live="bad"]').waitFor();
    await world.restart('SIGTERM');
    for (const [chargerId, status] of [
      [stays, 'Finishing'],
      [comes, 'Faulted'],
    ] as const) {
      const after = await connect(world, chargerId);
      await after.boot({ chargePointVendor: 'Later', chargePointModel: 'Two', firmwareVersion: '2.0.0' });
      await after.status(1, status);
    }
    await v2(world, `/chargers/${leaves}`, { method: 'PATCH', body: { name: 'Renamed meanwhile' } });
    await page.locator('[data-live="good"]').waitFor({ timeout: 30_000 });
    for (const chargerId of ids) {
      await eventually(async () => {
        const { name, siteName, sockets, activeConnection, manufacturer, model, firmware } = await readV2(
          world,
          chargerId,
        );
        // What is read aloud: with the names of its marks, whose text is one letter.
        const shown = await row(chargerId).ariaSnapshot();
        const states = (sockets as { id: number; status: string }[]).map(
          ({ id, status }) => `Socket ${String(id)}: ${status}`,
        );
        const expected = [name, siteName, ...states, `${String(manufacturer)} ${String(model)}`.trim(), firmware];
        const connection = activeConnection ? 'Connected for' : chargerId === leaves ? 'Last seen' : 'Never connected';
        expect([...expected, connection].filter((text) => !shown.includes(String(text)))).toEqual([]);
        return true;
      }, 30_000);
    }
    await page.getByRole('link', { name: 'Tags' }).click();
    await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor();
    await page.context().close();
  }, 120_000);

  it('6, 7, 8 shows on every screen its own texts as texts and nothing of another client, without violation, error or obstacle', async () => {
    const own = await createOneOfEach(world, HOSTILE);
    const other = await createOneOfEach(await asNewClient(world, 'Another'), ownNames());
    const reader = await openConsole(open, world);
    const { page, visit, expectAccessible, expectClean, expectFitting, expectSteady } = reader;
    const responses = recordResponses(page);
    await page.route(`${TILES}**`, (route) => route.fulfill({ contentType: 'image/svg+xml', body: TILE }));
    const expectNothingOf = (of: string, words: readonly string[], text: string): void =>
      expect([of, ...words.filter((word) => text.includes(word))]).toEqual([of]);
    // How they look at any width is the same in both; what the proxy sends with them is not.
    const widths = world.kind === 'one process' ? [360, 1440] : [1440];
    const expectInOrder = async (of: string): Promise<void> => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        await expectAccessible(`${of} at ${String(width)}`);
        await expectFitting(`${of} at ${String(width)}`);
      }
    };
    await page.getByLabel('API key').waitFor();
    await expectInOrder('sign-in');
    const { clientId, apiKey } = await asOperator(world);
    await fillIn(page, clientId, apiKey);
    await page.getByRole('navigation', { name: 'Menu' }).waitFor();
    for (const { path, shows, csv, opens } of everyScreen(own)) {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        await visit(path);
        const shown = page.getByText(shows).or(page.getByLabel(shows)).first();
        await shown.waitFor({ state: 'attached' }).catch((error: unknown) => {
          throw new Error(path, { cause: error });
        });
        await eventually(async () => (await page.locator('[aria-busy="true"]').count()) === 0);
        await expectSteady(`${path} at ${String(width)}`);
      }
      if (path === '/events') {
        await page.locator('[data-live="good"]').waitFor();
        await other.charger.status(2, 'Reserved');
        await own.charger.status(2, 'Finishing');
        await page.getByText('"Finishing"').first().waitFor();
      }
      if (csv !== undefined) {
        const text = await downloadCsv(page);
        expect([path, text]).toEqual([path, expect.stringContaining(csv)]);
        expectNothingOf(path, wordsOf(other), text);
      }
      expectNothingOf(path, wordsOf(other), (await page.content()) + (await responses.take()));
      expect([path, await page.locator('img[src="x"]').count()]).toEqual([path, 0]);
      await expectInOrder(path);
      if (opens !== undefined) {
        await page.getByText(opens).click();
        await page.getByRole('dialog').getByText(opens).first().waitFor();
        await expectInOrder(`${path}: ${opens}`);
        await page.keyboard.press('Escape');
      }
      await page.context().setOffline(true);
      await page.getByText('You are offline.').first().waitFor();
      await page.locator('h1').first().waitFor();
      await page.context().setOffline(false);
    }
    await expectClean({ wasOffline: true });
    // The addresses of the other's things. Such an address itself names the charger.
    const words = wordsOf(other).filter((word) => word !== other.chargerId);
    for (const path of screensOfAnother(other)) {
      await visit(path);
      const refusal = page.getByText(/not found|There is no|No session|could not be read/i).first();
      await refusal.waitFor();
      expectNothingOf(path, words, (await page.content()) + (await responses.take()));
    }
    const stream = `fetch('/v2/chargers/${other.chargerId}/ocpp-logs/stream').then(({ status }) => status)`;
    expect(await page.evaluate(stream)).toBe(404);
    await page.context().close();
  }, 600_000);

  it('reads and changes the configuration of a charger, and draws its states', async () => {
    const { chargerId } = await registerCharger(world);
    const item = { key: 'MeterValueSampleInterval', readonly: false, value: '60' };
    const charger = await connect(world, chargerId, {
      answers: {
        GetConfiguration: () => ({
          configurationKey: [item, { key: 'NumberOfConnectors', readonly: true, value: '1' }],
        }),
        ChangeConfiguration: () => ({ status: 'RebootRequired' }),
      },
    });
    await charger.ask('StatusNotification', { connectorId: 1, status: 'Faulted', errorCode: 'GroundFailure' });
    const { page, expectClean, expectAccessible } = await signIn(
      open,
      world,
      `/chargers/${chargerId}?tab=configuration`,
    );
    await page.getByRole('button', { name: 'Ask the charger now' }).click();
    const rows = page.getByRole('table', { name: 'Configuration' }).getByRole('row');
    await rows.filter({ hasText: 'NumberOfConnectors' }).getByText('Read only').waitFor();
    await page.getByRole('button', { name: 'Change MeterValueSampleInterval' }).click();
    await page.getByRole('dialog').getByLabel('Value').fill('30');
    await page.getByRole('button', { name: 'Send to the charger' }).click();
    await page.getByRole('dialog').getByText('The charger stored the value. It applies after a restart.').waitFor();
    await page.keyboard.press('Escape');
    await expectAccessible();
    await page.getByLabel('Filter by key').fill('Sample');
    await page.waitForURL(/filter=Sample/);
    await page.reload();
    await rows.filter({ hasText: 'MeterValueSampleInterval' }).waitFor();
    expect(await rows.count()).toBe(2);
    await page.getByRole('tab', { name: 'States' }).click();
    await page.getByLabel('Period').selectOption('Last 7 days');
    await page.waitForURL(/period=week/);
    await page.reload();
    await page.locator('.band .tone-bad').waitFor();
    await page.locator('.band .tone-good').waitFor();
    expect(await page.getByLabel('Period').inputValue()).toBe('week');
    await expectAccessible();
    // A band leads to the frames of its beginning, and back.
    await page.locator('.band .tone-bad').click();
    await page.getByRole('region', { name: 'Frames' }).getByText('StatusNotification').waitFor();
    await page.getByText('The log until').waitFor();
    await page.getByLabel('Filter by action or text').fill('no such text');
    await page.getByText('Nothing found for “no such text”.').waitFor();
    await expectAccessible();
    await page.reload();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: 'Show the newest' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.goBack();
    await page.getByLabel('Frames at').fill('2020-01-01T12:00');
    await page.getByRole('button', { name: 'Show frames' }).click();
    await page.getByRole('heading', { name: 'No frame before that time' }).waitFor();
    await expectClean();
    await page.context().close();
  }, 120_000);

  it('shows the secret of a new key once, and revokes the key', async () => {
    const { page, expectClean, expectAccessible } = await signIn(open, world, '/keys');
    const name = uniqueId('key');
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await expectAccessible();
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    const secret = await dialog.locator('.copyable code').first().innerText();
    await dialog.getByText(world.clientId, { exact: true }).waitFor();
    const read = await http(`${world.addresses().v2}/chargers`, { headers: { 'x-api-key': secret } });
    expect(read.status).toBe(200);
    // Closing it by mistake would lose the secret.
    await page.keyboard.press('Escape');
    await dialog.getByText(secret).waitFor();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    const row = page.getByRole('row').filter({ hasText: name });
    await row.getByRole('button', { name: `Revoke ${name}` }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    // An open dialog hides the rows behind it from roles.
    await dialog.waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    expect((await http(`${world.addresses().v2}/chargers`, { headers: { 'x-api-key': secret } })).status).toBe(401);
    // The key of this session needs a second word.
    await page.getByRole('row').filter({ hasText: '(this session)' }).getByRole('button').click();
    expect(await dialog.getByRole('button', { name: 'Revoke' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await expectAccessible();
    await expectClean();
    await page.context().close();
  }, 120_000);

  it('is used by keyboard', async () => {
    const { chargerId } = await registerCharger(world);
    await connect(world, chargerId);
    const { page, expectAccessible } = await signIn(open, world);
    await page.locator('main h1').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectAccessible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type(chargerId.toLowerCase());
    const link = page.locator(`[data-charger="${chargerId}"] a`);
    await eventually(async () => (await page.locator('[data-charger]').count()) === 1);
    await page.waitForURL(/search=/);
    await link.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'A charger' }).waitFor();
    // The focus is back where it was when a dialog closes, also one that a menu opened.
    const tab = page.getByRole('tab', { name: 'Registration' });
    await tab.focus();
    await page.keyboard.press('Enter');
    const change = page.getByRole('button', { name: 'Change' }).first();
    await change.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await change.and(page.locator(':focus')).waitFor();
    const more = page.getByRole('button', { name: 'Commands', disabled: false });
    await more.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await more.and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Account and appearance' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: 'Dark' }).press('Enter');
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const dark = await background();
    await page.reload();
    await more.waitFor();
    expect(await background()).toBe(dark);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await background()).toBe(dark);
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByRole('heading', { name: 'Sessions' }).first().waitFor();
    await page.context().close();
  }, 120_000);
});
