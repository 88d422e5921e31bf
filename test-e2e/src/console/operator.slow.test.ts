// The screens of operators in the console: dead letters and processes of the whole deployment.
import { systemClock } from '@busbar/core';
import { createStorePlatform } from '@busbar/runtime';
import { createDeadLetterStore } from '@busbar/store';
import { createRecordingLogger } from '@busbar/testing';
import { asOperator } from '../harness/clients';
import { connect, registerCharger, v2, type OwnWorld } from '../harness/world';
import { signIn } from './console-page';
import { describeInConsole } from './in-console';

const MISSING = 'internal: a field is missing';
const UNREADABLE = 'unreadable: not JSON';

/** Stores dead letters while the process is stopped. */
async function store(world: OwnWorld, count: number, reason: string): Promise<void> {
  await world.program('gateway').end('SIGTERM');
  const platform = createStorePlatform(world.storeUrl, { logger: createRecordingLogger(), clock: systemClock });
  await platform.start();
  for (let n = 0; n < count; n += 1) {
    const deadLetterId = `${reason.slice(0, 4)}-${String(n)}`;
    const [chargerId, action] = reason === MISSING ? ['GONE_1', 'StatusNotification'] : ['', ''];
    const at = new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString();
    const report = chargerId === '' ? 'no \u202Ejson' : JSON.stringify(envelopeOf(String(n), chargerId, action, at));
    await createDeadLetterStore(platform.store).insert({ deadLetterId, chargerId, action, reason, at, report });
  }
  await platform.stop();
  await world.restart('SIGTERM');
}

/** A report of a charger that is gone: applied, it changes nothing. */
function envelopeOf(messageId: string, chargerId: string, action: string, receivedAt: string) {
  const payload = { connectorId: 1, status: 'Available', errorCode: 'NoError' };
  const names = { id: messageId, incarnationId: 'gone', connectionId: 'gone', gatewayId: 'gone', messageId };
  const raw = JSON.stringify([2, messageId, action, payload]);
  const place = { order: 1, seq: 1, ocppVersion: 'ocpp1.6', receivedAt };
  return { v: 1, kind: 'report', chargerId, action, payload, raw, ...names, ...place };
}

describeInConsole('the screens of operators', (open, world) => {
  it('are offered only to a key of an operator', async () => {
    const { page, visit } = await signIn(open, world());
    await expect(page.getByRole('link', { name: 'Dead letters' }).count()).resolves.toBe(0);
    await visit('/operator/processes');
    await page.getByText('The processes could not be read').waitFor();
    await page.context().close();
  }, 120_000);

  it('list dead letters by reason, and replay and drop them', async () => {
    const operator = await asOperator(world(), ['chargers:read']);
    const { page, expectClean, expectAccessible, expectFitting, visit } = await signIn(
      open,
      operator,
      '/operator/dead-letters',
    );
    await page.getByText('None. That is how it should be.').waitFor();
    await expectAccessible();
    // The service restarts.
    await page.goto('about:blank');
    await store(world(), 5, MISSING);
    await store(world(), 130, UNREADABLE);
    await visit('/operator/dead-letters');
    await page.getByText('135 dead letters').waitFor();
    await expectAccessible();
    const rows = page.getByRole('table', { name: 'Dead letters' }).locator('tbody tr');
    const reasons = page.getByLabel('Reason').locator('option');
    expect(await reasons.allInnerTexts()).toContainEqual(`${UNREADABLE} (100 of those loaded)`);
    await page.getByRole('button', { name: 'Show older ones' }).click();
    await page.getByRole('button', { name: 'Show older ones' }).waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(135);
    // The address keeps how far was read.
    await page.reload();
    await rows.nth(134).waitFor();

    await page.getByLabel('Reason').selectOption({ label: `${MISSING} (5)` });
    expect(await rows.count()).toBe(5);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Show the frame of inte-2' }).click();
    await dialog.getByText('"StatusNotification"').waitFor();
    await expectAccessible();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 360, height: 800 });
    await expectAccessible();
    await expectFitting();
    await page.setViewportSize({ width: 1_440, height: 900 });
    // One of an unknown charger is done once it is replayed: nobody has its record.
    await page.getByRole('button', { name: 'Replay inte-2' }).click();
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('134 dead letters').waitFor();
    for (const id of ['inte-0', 'inte-1']) await page.getByLabel(`Mark ${id}`).check();
    await page.getByRole('button', { name: 'Drop 2 marked' }).click();
    await dialog.getByRole('button', { name: 'Drop' }).click();
    await page.getByText('132 dead letters').waitFor();

    // They are behind the first page.
    await page.getByRole('button', { name: 'Replay all of this reason' }).click();
    await dialog.getByText(MISSING).waitFor();
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('130 dead letters').waitFor();

    await page.getByLabel('Reason').selectOption({ label: `${UNREADABLE} (130)` });
    await page.getByRole('button', { name: 'Drop all of this reason' }).click();
    await dialog.getByText(UNREADABLE).waitFor();
    await dialog.getByRole('button', { name: 'Drop' }).click();
    await dialog.getByText(/^\d+ dead letters? done\.$/).waitFor();
    await page.getByText('None. That is how it should be.').waitFor();
    expect((await v2(operator, '/operator/dead-letters')).json).toMatchObject({ totalRecords: 0 });
    await expectClean();
    await page.context().close();
  }, 180_000);

  it('show the processes, and who owns the partitions', async () => {
    const operator = await asOperator(world(), ['chargers:read']);
    const { chargerId } = await registerCharger(world());
    const charger = await connect(world(), chargerId);
    await charger.boot();
    const { page, expectClean, expectAccessible, expectFitting } = await signIn(open, operator, '/operator/processes');
    const gateways = page.getByRole('table', { name: 'Gateways' });
    await gateways.getByText('serving').waitFor();
    await page.getByRole('table', { name: 'charger-state' }).getByText('0–15').waitFor();
    await page.getByRole('table', { name: 'push' }).getByRole('cell', { name: '0', exact: true }).waitFor();
    await page.getByRole('table', { name: 'Processes on the store' }).getByText('busbar').waitFor();
    expect(await page.getByText('reachable', { exact: true }).count()).toBe(2);
    await expectAccessible();
    await page.setViewportSize({ width: 360, height: 800 });
    await expectAccessible();
    await expectFitting();
    await expectClean();
    await page.context().close();
  }, 120_000);
});
