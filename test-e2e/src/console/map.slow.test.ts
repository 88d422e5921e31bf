// The map of sites in the console, with tiles of a server on this machine.
import { createAuthority, serve, startTlsFront, type Served, type TlsFront } from '@busbar/testing';
import { connect, uniqueId, v2 } from '../harness/world';
import { signIn } from './console-page';
import { describeInConsole } from './in-console';

const TILE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><path fill="#dde5dd" stroke="#aab" d="M0 0h256v256H0z"/></svg>';
/** Two stand beside each other, two at one place, one far away. */
const SITES = [
  ['Quay', 59.905, 10.75],
  ['Pier', 59.906, 10.752],
  ['Deck 1', 59.95, 10.9],
  ['Deck 2', 59.95, 10.9],
  ['Bergen <b>', 60.39, 5.32],
] as const;

const tiles = { asked: [] as string[], isDown: false };
let server: Served;
let front: TlsFront;

async function startTiles(): Promise<Readonly<Record<string, string>>> {
  server = await serve(({ url = '' }, response) => {
    tiles.asked.push(url);
    if (tiles.isDown) response.writeHead(503).end();
    else response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(TILE);
  });
  const { cert, key } = await (await createAuthority('Test')).issue('localhost', { addresses: ['127.0.0.1'] });
  front = await startTlsFront({ cert, key }, { host: '127.0.0.1', port: Number(new URL(server.origin).port) });
  return {
    CONSOLE_TILES_URL: `https://127.0.0.1:${String(front.port)}/{z}/{x}/{y}.svg`,
    CONSOLE_TILES_ATTRIBUTION: '© Surveyors of Oslo',
  };
}

describeInConsole(
  'the map in the console',
  (open, world) => {
    const ids = new Map<string, number>();

    afterAll(async () => {
      await front.close();
      await server.close();
    });

    const create = async (body: Readonly<Record<string, unknown>> & { readonly name: string }): Promise<void> => {
      const { json } = await v2(world(), '/sites', { method: 'POST', body });
      ids.set(body.name, (json as { id: number }).id);
    };

    it('says what to do while there is no site', async () => {
      const { page, expectClean, expectAccessible } = await signIn(open, world());
      await page.getByRole('link', { name: 'Map', exact: true }).click();
      await page.getByRole('heading', { name: 'No sites yet' }).waitFor();
      await expectAccessible();
      await expectClean();
      await page.context().close();
    }, 120_000);

    it('shows sites with their states, gathers near ones, and leads to each', async () => {
      for (const [name, latitude, longitude] of SITES) await create({ name, latitude, longitude });
      await create({ name: 'Depot' });
      const chargerId = uniqueId('MAP');
      await v2(world(), '/chargers', { method: 'POST', body: { chargerId, name: 'Gate', siteId: ids.get('Quay') } });
      const charger = await connect(world(), chargerId);
      await charger.ask('StatusNotification', { connectorId: 1, status: 'Charging', errorCode: 'NoError' });
      await charger.ask('StatusNotification', { connectorId: 2, status: 'Faulted', errorCode: 'GroundFailure' });

      const { page, visit, expectClean, expectAccessible, expectFitting } = await signIn(open, world(), '/map');
      const map = page.getByRole('region', { name: /^Map of the sites/ });
      const near = map.getByRole('button', { name: '4 sites: 1 charger, 1 Charging, 1 Error' });
      await near.waitFor();
      await map.getByRole('link', { name: 'Bergen <b>: 0 chargers' }).waitFor();
      await page.locator('.leaflet-tile-loaded').first().waitFor();
      await page.getByText('© Surveyors of Oslo').waitFor();
      await page.getByRole('region', { name: 'Without coordinates' }).getByRole('link', { name: 'Depot' }).waitFor();
      await expectAccessible();

      // By keyboard: the marks that vanish give the focus to the map.
      await near.focus();
      await page.keyboard.press('Enter');
      await map.getByRole('button', { name: '2 sites: 1 charger, 1 Charging, 1 Error' }).waitFor();
      await page.locator('.map-area:focus').waitFor();
      await map.getByRole('button', { name: '2 sites: 0 chargers' }).press('Enter');
      const decks = page.getByRole('region', { name: '2 sites at one place' });
      await decks.locator('a:focus').getByText('Deck 1').waitFor();
      await expectAccessible();
      await decks.getByRole('button', { name: 'Close the list of sites at one place' }).click();
      await decks.waitFor({ state: 'detached' });

      // A change arrives by itself, and the address leads back to what is in sight.
      await map.getByRole('button', { name: '2 sites: 1 charger' }).click();
      const quay = map.getByRole('link', { name: 'Quay: 1 charger, 1 Charging, 1 Error' });
      await quay.waitFor();
      await page.waitForURL(/at=/);
      await charger.ask('StatusNotification', { connectorId: 2, status: 'Available', errorCode: 'NoError' });
      await page.reload();
      await map.getByRole('link', { name: 'Quay: 1 charger, 1 Charging, 1 Available' }).click();
      await page.getByRole('heading', { name: 'Quay' }).waitFor();

      await page.setViewportSize({ width: 360, height: 800 });
      await visit('/map');
      await near.or(map.getByRole('link').first()).first().waitFor();
      await expectFitting();
      await expectAccessible();
      await expectClean();
      expect(tiles.asked).toContainEqual(expect.stringMatching(/^\/\d+\/\d+\/\d+\.svg$/));
      await page.context().close();
    }, 120_000);

    it('says that tiles are missing, and keeps the marks', async () => {
      tiles.isDown = true;
      const { page, expectAccessible } = await signIn(open, world(), '/map');
      await page.getByRole('main').getByText('Parts of the map could not be loaded.').waitFor();
      await page.getByRole('link', { name: /^Bergen/ }).waitFor();
      await expectAccessible();
      await page.context().close();
    }, 120_000);
  },
  startTiles,
);
