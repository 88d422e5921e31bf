// A reader of the console in a Chromium that is slowed down as the table of goals says.
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { findBrowser, launchBrowser, NO_BROWSER } from '@busbar/testing';
import type { Resources } from '../processes/resources';
import type { Caller } from '../size/ask';
import { openBareBrowser, type BareBrowser } from './bare-browser';
import { PAGE_SCRIPT } from './page-script';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Context = Awaited<ReturnType<Browser['newContext']>>;
type Page = Awaited<ReturnType<Context['newPage']>>;
type Session = Awaited<ReturnType<Context['newCDPSession']>>;

/** What the figures are measured with. */
export const THROTTLE = { cpu: 4, mbitPerSecond: 10, latencyMs: 40 } as const;

const VIEWPORT = { width: 1_440, height: 900 };

export interface OpenedPage {
  readonly page: Page;
  readonly protocol: Session;
}

export interface Visitor {
  /** As `Chromium 150.0`. */
  readonly version: string;
  /** A browser that has nothing of the console in its cache, but is signed in. */
  open(): Promise<VisitorContext>;
  /** As `open`, but a browser of its own without a driver: for what the driver itself would slow down. */
  openBare(): Promise<BareContext>;
}

export interface BareContext {
  /** As `visit`; resolves with the value of the expression after the page was loaded. */
  visit<T>(path: string, expression: string): Promise<T>;
  close(): Promise<void>;
}

export interface VisitorContext {
  /** Loads a path below `/console` in a new page, slowed down. */
  visit(path: string): Promise<OpenedPage>;
  close(): Promise<void>;
}

/** Rejects where there is no browser. */
export async function openVisitor(caller: Caller, certFile: string, resources: Resources): Promise<Visitor> {
  const program = findBrowser();
  if (program === undefined) throw new Error(NO_BROWSER);
  // Trusted by its key: a page with an error of its certificate is never taken from the cache.
  const trusted = `--ignore-certificate-errors-spki-list=${keyHash(readFileSync(certFile, 'utf8'))}`;
  const browser = await launchBrowser(program, [trusted]);
  resources.hold(browser, (each) => each.close());
  const origin = `https://${caller.target.host}:${String(caller.target.port)}`;
  const signedIn = await signIn(browser, origin, caller);
  return {
    version: `Chromium ${browser.version()}`,
    async open() {
      const context = await browser.newContext({ storageState: signedIn, viewport: VIEWPORT });
      await context.addInitScript(PAGE_SCRIPT);
      return {
        async visit(path) {
          const page = await context.newPage();
          const protocol = await context.newCDPSession(page);
          await slowDown((method, params) => protocol.send(method as 'Network.enable', params));
          await page.goto(`${origin}/console${path}`);
          return { page, protocol };
        },
        close: () => context.close(),
      };
    },
    openBare: async () => {
      const bare = await openBareBrowser(program, [trusted], resources);
      await bare.command('Storage.setCookies', { cookies: signedIn.cookies });
      return {
        visit: (path, expression) => visitBare(bare, `${origin}/console${path}`, expression),
        close: bare.close,
      };
    },
  };
}

async function visitBare<T>(browser: BareBrowser, url: string, expression: string): Promise<T> {
  const page = await browser.open();
  await page.command('Page.addScriptToEvaluateOnNewDocument', { source: PAGE_SCRIPT });
  await page.command('Emulation.setDeviceMetricsOverride', { ...VIEWPORT, deviceScaleFactor: 1, mobile: false });
  await slowDown(page.command);
  await page.goto(url);
  const value = await page.evaluate<T>(expression);
  await page.close();
  return value;
}

async function signIn(browser: Browser, origin: string, { clientId, apiKey }: Caller) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${origin}/console/`);
  await page.getByLabel('Client id').fill(clientId);
  await page.getByLabel('API key').fill(apiKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Menu' }).waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

async function slowDown(
  command: (method: string, params?: Record<string, unknown>) => Promise<unknown>,
): Promise<void> {
  const bytesPerSecond = (THROTTLE.mbitPerSecond * 1_000_000) / 8;
  await command('Network.enable');
  await command('Network.emulateNetworkConditions', {
    offline: false,
    latency: THROTTLE.latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await command('Emulation.setCPUThrottlingRate', { rate: THROTTLE.cpu });
}

/** SHA-256 of the public key, as Chromium names it. */
function keyHash(certificate: string): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}
