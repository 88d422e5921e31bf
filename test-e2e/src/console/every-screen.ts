// Every screen of the console, of a client that has something of each kind to show on it.
import { readFileSync } from 'node:fs';
import type { OpenPage, ScriptedCharger } from '@busbar/testing';
import { connect, registerCharger, uniqueId, v2, type World } from '../harness/world';

type Page = OpenPage['page'];

/** What a client calls its things. */
export interface Names {
  readonly site: string;
  readonly charger: string;
  readonly idTag: string;
  readonly driver: string;
  readonly host: string;
  readonly webhook: string;
  readonly key: string;
}

const HTML = '<img src=x onerror=alert(1)>';

/** As an attacker would name them: for a page that takes them for HTML, and a spreadsheet that takes them for formulas. */
export const HOSTILE: Names = {
  site: `">${HTML}`,
  charger: HTML,
  idTag: '=1+"1"',
  driver: '@SUM("1"),\'\u202Ex',
  host: 'hostile.example.com',
  webhook: `'${HTML}`,
  key: `</td>${HTML}`,
};

/** Names that no other client has. */
export function ownNames(): Names {
  const [site, charger, driver, webhook, key] = ['SITE', 'NAMED', 'DRIVER', 'HOOK', 'KEY'].map(uniqueId);
  const host = `${uniqueId('host').replace('_', '-')}.example.com`;
  const names = { site, charger, idTag: uniqueId('TAG').toUpperCase(), driver, host, webhook, key };
  return names as Names;
}

export interface OneOfEach {
  readonly names: Names;
  readonly charger: ScriptedCharger;
  readonly chargerId: string;
  readonly siteId: number;
  readonly transactionId: number;
  readonly webhookId: string;
}

/** A site with coordinates, a connected charger with a session and a frame of 100 kB, a tag, a webhook and a key, so named. */
export async function createOneOfEach(world: World, names: Names): Promise<OneOfEach> {
  async function create<Created>(path: string, body: object): Promise<Created> {
    const { status, text, json } = await v2(world, path, { method: 'POST', body });
    if (status !== 200) throw new Error(`${path} gave ${String(status)}: ${text}`);
    return json as Created;
  }
  const { chargerId } = await registerCharger(world);
  const place = { latitude: 59.9, longitude: 10.7 };
  const { id: siteId } = await create<{ id: number }>('/sites', { name: names.site, ...place });
  await v2(world, `/chargers/${chargerId}`, { method: 'PATCH', body: { name: names.charger, siteId } });
  await create('/tags', { idTag: names.idTag, tokenName: names.driver });
  const webhook = { url: `https://${names.host}/`, description: names.webhook, enabled: false };
  const { id: webhookId } = await create<{ id: string }>('/webhooks', webhook);
  await create('/api-keys', { name: names.key, permissions: ['chargers:read'] });
  const charger = await connect(world, chargerId);
  await charger.boot();
  await charger.ask('DataTransfer', { vendorId: 'com.acme', data: `\u202E<b>whole</b>${'y'.repeat(100_000)}` });
  await charger.status(1, 'Charging');
  const { transactionId } = await charger.start({ connectorId: 1, idTag: names.idTag });
  return { names, charger, chargerId, siteId, transactionId: Number(transactionId), webhookId };
}

/** Texts by which something of this client would be known in a screen, a response or a file. */
export function wordsOf({ names, chargerId }: OneOfEach): readonly string[] {
  return [chargerId, ...Object.values<string>({ ...names })];
}

export interface Screen {
  readonly path: string;
  /** What it shows, as a text or as the name of something. */
  readonly shows: string | RegExp;
  /** What its CSV contains. */
  readonly csv?: string;
  /** Opens a drawer. */
  readonly opens?: string;
}

/** Every screen and tab that shows these things, and some where a filter leaves nothing. They need a key of an operator. */
export function everyScreen({ names, chargerId, siteId, transactionId, webhookId }: OneOfEach): readonly Screen[] {
  const charger = `/chargers/${chargerId}?tab=`;
  const tagOfCsv = `"'=1+""1"""`;
  return [
    { path: '/', shows: names.charger, csv: `${chargerId},${HTML},` },
    { path: '/?search=nothing', shows: 'No charger matches' },
    { path: `${charger}frames`, shows: names.charger, opens: String.raw`\u202e<b>whole</b>` },
    { path: `${charger}sessions`, shows: names.idTag, csv: `,${tagOfCsv},ongoing,` },
    { path: `${charger}configuration`, shows: 'Ask the charger now' },
    { path: `${charger}states`, shows: 'Last 24 hours' },
    { path: `${charger}held`, shows: 'No local list was sent to the charger.' },
    { path: `${charger}registration`, shows: 'Registered fields' },
    { path: '/sessions', shows: names.site, csv: `,${tagOfCsv},ongoing,` },
    { path: `/sessions?session=${String(transactionId)}`, shows: `Session ${String(transactionId)}` },
    { path: '/sessions?tag=nobody', shows: 'No session matches' },
    { path: '/sites', shows: names.site },
    { path: `/sites/${String(siteId)}`, shows: names.charger },
    { path: '/map', shows: `${names.site}: 1 charger, 1 Charging` },
    { path: '/tags', shows: '@SUM("1")', csv: `${tagOfCsv},"'@SUM(""1""),'` },
    { path: '/events', shows: 'session.started' },
    { path: '/events?type=webhook.test', shows: 'Nothing found for Type: webhook.test.' },
    { path: '/webhooks', shows: names.webhook },
    { path: `/webhooks/${webhookId}`, shows: names.webhook },
    { path: '/keys', shows: names.key },
    { path: '/operator/dead-letters', shows: 'None. That is how it should be.' },
    { path: '/operator/processes', shows: /^reachable$/ },
    { path: '/no/such/page', shows: 'There is no such page' },
  ];
}

/** The addresses of what another client has. */
export function screensOfAnother({ chargerId, siteId, transactionId, webhookId }: OneOfEach): readonly string[] {
  return [
    `/chargers/${chargerId}`,
    `/sites/${String(siteId)}`,
    `/webhooks/${webhookId}`,
    `/sessions?session=${String(transactionId)}`,
    `/sessions?charger=${chargerId}`,
  ];
}

export async function downloadCsv(page: Page): Promise<string> {
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  return readFileSync(await (await saved).path(), 'utf8');
}

/** Records what v2 responds to this page, but for streams. `take` resolves with what came since it was last called. */
export function recordResponses(page: Page): { take(): Promise<string> } {
  let texts: Promise<string>[] = [];
  page.on('response', (response) => {
    const isStream = response.headers()['content-type']?.startsWith('text/event-stream') ?? false;
    // The body of a page that was left is gone.
    if (response.url().includes('/v2/') && !isStream) texts.push(response.text().catch(() => ''));
  });
  return {
    async take() {
      const taken = texts;
      texts = [];
      return (await Promise.all(taken)).join('\n');
    },
  };
}
