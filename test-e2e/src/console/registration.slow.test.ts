// The registration of a charger in the console: changed, changed by two at once, and deleted.
import { connect, readV2, registerCharger, uniqueId, v2 } from '../harness/world';
import { signIn } from './console-page';
import { describeInConsole } from './in-console';

const OCPP_URL = () => Promise.resolve({ CONSOLE_OCPP_URL: 'wss://chargers.example.com/ocpp' });

describeInConsole(
  'the registration of a charger in the console',
  (open, world) => {
    it('changes fields, sockets and the password of a charger', async () => {
      const { chargerId } = await registerCharger(world());
      const charger = await connect(world(), chargerId);
      await charger.ask('StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError' });
      const reader = await signIn(open, world(), `/chargers/${chargerId}?tab=registration`);
      const { page } = reader;
      const dialog = page.getByRole('dialog');
      const registered = page.getByRole('region', { name: 'Registered fields' });
      // A charger of OCPP 1.6 is always accepted.
      await registered.getByText('A site').waitFor();
      expect(await registered.getByText('Admission').count()).toBe(0);
      await reader.expectAccessible();
      await registered.getByRole('button', { name: 'Change' }).click();
      await dialog.getByLabel('Name').fill('Quay');
      await dialog.getByLabel('City').fill('Oslo');
      await dialog.getByLabel('Latitude').fill('91');
      await dialog.getByLabel('Your own fields').fill('[1]');
      await reader.expectAccessible();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('This is no JSON object.').waitFor();
      await dialog.getByLabel('Your own fields').fill('{"meter": 7}');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('The registration was not changed').waitFor();
      expect(await dialog.getByLabel('Latitude').getAttribute('aria-invalid')).toBe('true');
      await dialog.getByLabel('Latitude').fill('59.9');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('heading', { name: 'Quay' }).waitFor();
      await registered.getByText('Oslo').waitFor();

      await page.getByRole('button', { name: 'Change socket 1' }).click();
      await dialog.getByLabel('Type').fill('CCS');
      await dialog.getByLabel('Maximum power in W').fill('150000');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('cell', { name: '150,000 W' }).waitFor();
      expect(await readV2(world(), chargerId)).toMatchObject({
        name: 'Quay',
        location: { city: 'Oslo', latitude: 59.9 },
        customProperties: { meter: 7 },
        sockets: [{ type: 'CCS', maxWatts: 150_000 }],
      });

      await page.getByRole('button', { name: 'Set password' }).click();
      await dialog.getByLabel('Password').fill('sixteen-letters-and-more');
      await reader.expectAccessible();
      await dialog.getByRole('button', { name: 'Set', exact: true }).click();
      await page.getByText('Security profile 1').waitFor();
      // The charger still has no password.
      await expect(connect(world(), chargerId)).rejects.toThrow();
      await page.getByRole('region', { name: 'Rejected since it was last connected' }).waitFor();
      await reader.expectAccessible();
      await page.getByRole('button', { name: 'Remove credentials' }).click();
      await dialog.getByRole('button', { name: 'Remove credentials' }).click();
      await page.getByText('No credentials').waitFor();
      await page.context().close();
    }, 120_000);

    it('shows both versions where somebody else changed the charger meanwhile', async () => {
      const { chargerId } = await registerCharger(world());
      const reader = await signIn(open, world(), `/chargers/${chargerId}?tab=registration`);
      const { page } = reader;
      const dialog = page.getByRole('dialog');
      // A charger that never connected may speak OCPP 2.x.
      await page.getByRole('region', { name: 'Registered fields' }).getByRole('button', { name: 'Change' }).click();
      await dialog.getByLabel('Name').fill('Mine');
      await dialog.getByLabel('Admission').selectOption('pending');
      await v2(world(), `/chargers/${chargerId}`, { method: 'PATCH', body: { name: 'Theirs', evseId: 'NO*1' } });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Somebody else changed this meanwhile').waitFor();
      expect(await dialog.getByRole('row').allInnerTexts()).toEqual([
        'Field\tStored now\tYours',
        'Name\tTheirs\tMine',
        'Admission\tAccepted\tPending',
        'EVSE id\tNO*1\tnot changed',
      ]);
      await reader.expectAccessible();
      await dialog.getByRole('button', { name: 'Store mine' }).click();
      await page.getByRole('heading', { name: 'Mine' }).waitFor();
      expect(await readV2(world(), chargerId)).toMatchObject({ name: 'Mine', admission: 'pending', evseId: 'NO*1' });
      await page.context().close();
    }, 120_000);

    it('deletes a charger after its id was typed, and leads to the fleet', async () => {
      const { chargerId } = await registerCharger(world());
      const reader = await signIn(open, world(), `/chargers/${chargerId}?tab=registration`);
      const { page } = reader;
      const dialog = page.getByRole('dialog');
      await page.getByRole('button', { name: 'Delete the charger' }).click();
      const confirm = dialog.getByRole('button', { name: 'Delete the charger' });
      expect(await confirm.isDisabled()).toBe(true);
      await dialog.getByLabel(`Type ${chargerId} to confirm`).fill(chargerId);
      await reader.expectAccessible();
      await confirm.click();
      await page.getByRole('heading', { name: 'Fleet' }).waitFor();
      await page.locator('.fleet, main').first().waitFor();
      expect(await page.locator(`[data-charger="${chargerId}"]`).count()).toBe(0);
      expect((await v2(world(), `/chargers/${chargerId}`)).status).toBe(404);
      await page.context().close();
    }, 120_000);

    it('offers no change to a key that may only read', async () => {
      const { chargerId } = await registerCharger(world());
      const permissions = ['chargers:read', 'events:read'];
      const made = await v2(world(), '/api-keys', { method: 'POST', body: { name: 'reader', permissions } });
      const { key } = made.json as { key: string };
      const path = `/chargers/${chargerId}?tab=registration`;
      const { page, visit } = await signIn(open, { ...world(), apiKey: key }, path);
      await page.getByRole('region', { name: 'Authentication' }).waitFor();
      expect(await page.getByRole('tabpanel').getByRole('button').count()).toBe(0);
      await visit(`/chargers/${uniqueId('UNKNOWN')}`);
      await page.getByRole('heading', { name: 'There is no such charger' }).waitFor();
      expect(await page.locator('main').getByRole('button').count()).toBe(0);
      await page.context().close();
    }, 120_000);

    it('is made with a key that may not read sites, and says the address that the operator set', async () => {
      const { json } = await v2(world(), '/sites', { method: 'POST', body: { name: 'Named by its id' } });
      const { id: siteId } = json as { readonly id: number };
      const permissions = ['chargers:read', 'chargers:write'];
      const made = await v2(world(), '/api-keys', { method: 'POST', body: { name: 'installer', permissions } });
      const { key } = made.json as { readonly key: string };
      const { page, visit, expectAccessible, expectFitting } = await signIn(open, { ...world(), apiKey: key });
      await page.getByRole('button', { name: 'New charger' }).click();
      const dialog = page.getByRole('dialog');
      const chargerId = uniqueId('INSTALLED');
      await dialog.getByLabel('Charger id').fill(chargerId);
      await dialog.getByLabel('Site id').fill('987654');
      await dialog.getByRole('button', { name: 'Register' }).click();
      await dialog.getByText('The charger was not registered').waitFor();
      expect(await dialog.getByLabel('Site id').getAttribute('aria-invalid')).toBe('true');
      await dialog.getByLabel('Site id').fill(String(siteId));
      await expectAccessible();
      await dialog.getByRole('button', { name: 'Register' }).click();
      await dialog.getByText(`wss://chargers.example.com/ocpp/${chargerId}`).waitFor();
      expect(await readV2(world(), chargerId)).toMatchObject({ siteId, siteName: 'Named by its id' });

      // The page of an id that is not registered yet.
      const unknownId = uniqueId('UNKNOWN').padEnd(48, '0');
      await visit(`/chargers/${unknownId}`);
      await page.getByRole('heading', { name: 'There is no such charger' }).waitFor();
      await page.getByText('npm run admin -- connections rejected').waitFor();
      await expectAccessible();
      const { width, height } = page.viewportSize() ?? { width: 1_280, height: 720 };
      await page.setViewportSize({ width: 360, height });
      await expectFitting();
      await page.setViewportSize({ width, height });
      await page.getByRole('button', { name: 'Register this charger' }).click();
      expect(await dialog.getByLabel('Charger id').inputValue()).toBe(unknownId);
      await dialog.getByRole('button', { name: 'Register' }).click();
      await page.getByRole('heading', { name: 'Never connected' }).waitFor();
      await page.context().close();
    }, 120_000);
  },
  OCPP_URL,
);
