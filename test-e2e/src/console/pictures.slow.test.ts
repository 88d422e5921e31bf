// The pictures of docs/console.md, of a small network in every state. `PICTURES=write` replaces them.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithBrowser } from '@busbar/testing';
import { openEmbeddedWorld } from '../harness/embedded';
import { connect, terminateChargers, v2, type OwnWorld } from '../harness/world';
import { signIn, type ConsolePage } from './console-page';

const PICTURES = join(__dirname, '../../../docs/pictures');
const SITES = ['Harbour Quay', 'Central Station Garage', 'Airport P4'];
const STATES = [
  ['Available', 'Charging'],
  ['Charging', 'Charging'],
  ['Preparing', 'Available'],
  ['SuspendedEV', 'Available'],
  ['Faulted', 'Available'],
  ['Available', 'Available'],
  ['Charging', 'Finishing'],
  ['Unavailable', 'Reserved'],
] as const;
const MODELS = ['Duo 22', 'Duo 22', 'Rapid 150'];
const MINUTE_MS = 60_000;

describeWithBrowser('the pictures of the console', (open) => {
  let world: OwnWorld;

  beforeAll(async () => {
    world = await openEmbeddedWorld();
    for (const name of SITES) await v2(world, '/sites', { method: 'POST', body: { name, city: 'Oslo' } });
    for (const n of STATES.keys()) await v2(world, '/tags', { method: 'POST', body: { idTag: tagOf(n) } });
    for (const [n, states] of STATES.entries()) await bringUp(world, n, states);
    for (const n of [8, 9]) await register(world, n);
  }, 180_000);

  afterAll(async () => {
    terminateChargers();
    await world.stop();
  });

  it('show the fleet, a charger and a session', async () => {
    const reader = await signIn(open, world);
    const { page } = reader;
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByText('Rapid 150').first().waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await take(reader, 'console-fleet');
    await page.emulateMedia({ colorScheme: 'dark' });
    await reader.visit('/chargers/OSL-002');
    await page.getByRole('region', { name: 'Frames' }).getByText('MeterValues').first().waitFor();
    await take(reader, 'console-charger');
    await page.emulateMedia({ colorScheme: 'light' });
    await reader.visit('/sessions');
    await page.getByRole('button', { name: /\d:\d/ }).first().click();
    await page.locator('.curve canvas').waitFor();
    await page
      .getByRole('dialog')
      .getByText(/^\d+(\.\d+)? kWh$/)
      .first()
      .waitFor();
    await take(reader, 'console-session');
    await reader.expectClean();
    await page.context().close();
  }, 120_000);
});

function tagOf(n: number): string {
  return `04E91C5A${String(10 + n)}`;
}

async function take({ page }: ConsolePage, name: string): Promise<void> {
  const path = join(PICTURES, `${name}.png`);
  if (process.env['PICTURES'] !== 'write') {
    expect([name, existsSync(path)]).toEqual([name, true]);
    return;
  }
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path, animations: 'disabled' });
}

async function register(world: OwnWorld, n: number): Promise<string> {
  const chargerId = `OSL-${String(n + 1).padStart(3, '0')}`;
  const name = `${['Quay', 'Bay', 'Gate'][n % 3] ?? ''} ${String.fromCharCode(65 + n)}`;
  await v2(world, '/chargers', { method: 'POST', body: { chargerId, name, siteId: (n % SITES.length) + 1 } });
  return chargerId;
}

/** A charger in these states, with a session of some minutes where it charges. */
async function bringUp(world: OwnWorld, n: number, states: readonly string[]): Promise<void> {
  const chargerId = await register(world, n);
  const charger = await connect(world, chargerId);
  const model = MODELS[n % MODELS.length] ?? '';
  await charger.ask('BootNotification', {
    chargePointVendor: 'Voltwerk',
    chargePointModel: model,
    firmwareVersion: '2.4.1',
  });
  for (const [at, status] of states.entries()) {
    const connectorId = at + 1;
    const errorCode = status === 'Faulted' ? 'GroundFailure' : 'NoError';
    if (status === 'Charging') {
      const begin = Date.now() - 40 * MINUTE_MS;
      const started = await charger.ask('StartTransaction', {
        connectorId,
        idTag: tagOf(n),
        meterStart: 120_000,
        timestamp: new Date(begin).toISOString(),
      });
      for (let minute = 0; minute < 40; minute += 2) {
        await charger.ask('MeterValues', meterValues(connectorId, Number(started['transactionId']), begin, minute));
      }
    }
    await charger.ask('StatusNotification', { connectorId, status, errorCode });
  }
}

function meterValues(connectorId: number, transactionId: number, begin: number, minute: number) {
  // Rises, holds, and falls as the battery fills.
  const w = Math.round(21_000 * Math.min(1, (minute + 2) / 8) * (minute > 26 ? 1 - (minute - 26) / 18 : 1));
  const wh = 120_000 + Math.round(minute * 290 - Math.max(0, minute - 26) ** 2 * 8);
  return {
    connectorId,
    transactionId,
    meterValue: [
      {
        timestamp: new Date(begin + minute * MINUTE_MS).toISOString(),
        sampledValue: [
          { measurand: 'Power.Active.Import', unit: 'W', value: String(w) },
          { measurand: 'Energy.Active.Import.Register', unit: 'Wh', value: String(wh) },
        ],
      },
    ],
  };
}
