// What a charger holds in the console: reservations, profiles and the local list; and what the charger answers when it gives one up.
import { connect, registerCharger, v2 } from '../harness/world';
import { signIn } from './console-page';
import { describeInConsole } from './in-console';

const PROFILE = {
  chargingProfileId: 7,
  stackLevel: 0,
  chargingProfilePurpose: 'TxDefaultProfile',
  chargingProfileKind: 'Relative',
  chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
};

describeInConsole('what a charger holds in the console', (open, world) => {
  it('has one line each where there is nothing', async () => {
    const { chargerId } = await registerCharger(world());
    const { page, expectClean, expectAccessible } = await signIn(open, world(), `/chargers/${chargerId}?tab=held`);
    await page.getByText('The charger accepted no reservation yet.').waitFor();
    await page.getByText('The charger holds no charging profile that was set here.').waitFor();
    await page.getByText('No local list was sent to the charger.').waitFor();
    await page.getByText('No change of availability waits for the end of a session.').waitFor();
    await expectAccessible();
    await expectClean();
    await page.context().close();
  }, 120_000);

  it('is listed, and given up by the charger', async () => {
    const { chargerId } = await registerCharger(world());
    const accepted = () => ({ status: 'Accepted' });
    const charger = await connect(world(), chargerId, {
      answers: {
        ReserveNow: accepted,
        SetChargingProfile: accepted,
        SendLocalList: accepted,
        CancelReservation: () => ({ status: 'Rejected' }),
        ClearChargingProfile: accepted,
      },
    });
    await charger.ask('StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError' });
    await v2(world(), '/tags', { method: 'POST', body: { idTag: 'CAFE01' } });
    const post = (path: string, body: object) =>
      v2(world(), `/chargers/${chargerId}/${path}`, { method: 'POST', body });
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    expect((await post('reservations', { socketId: 1, rfidTag: 'CAFE01', expiresAt })).status).toBe(200);
    expect((await post('charging-profile', { socketId: 1, chargingProfile: PROFILE })).status).toBe(200);
    const list = { listVersion: 3, updateType: 'Full', tags: [{ rfidTag: 'CAFE01', status: 'Accepted' }] };
    expect((await post('local-list', list)).status).toBe(200);
    const { page, expectClean, expectAccessible } = await signIn(open, world(), `/chargers/${chargerId}?tab=held`);
    const dialog = page.getByRole('dialog');
    await page.getByText('Version 3, 1 tag').waitFor();
    await expectAccessible();
    await page.getByRole('button', { name: 'Show profile 7' }).click();
    await dialog.getByText('"chargingProfilePurpose": "TxDefaultProfile"').waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: /^Cancel reservation/ }).click();
    await dialog.getByRole('button', { name: 'Cancel the reservation' }).click();
    await dialog.getByText('The charger answers: Rejected').waitFor();
    await expectAccessible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear profile 7' }).click();
    await dialog.getByRole('button', { name: 'Clear the profile' }).click();
    await dialog.getByText('The charger answers: Accepted').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('The charger holds no charging profile that was set here.').waitFor();
    await expectClean();
    await page.context().close();
  }, 120_000);
});
