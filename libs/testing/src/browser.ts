// Tests in a real headless browser: found on the machine, cut off from every host but this one.
import { existsSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';

/** The misdeeds of a page. */
export interface Misdeeds {
  /** Addresses beyond this machine that it asked for. None was reached. */
  readonly outside: readonly string[];
  /** Errors on its console: of its scripts, of what its own security policy refused. */
  readonly errors: readonly string[];
}

export interface OpenPage {
  readonly page: Page;
  readonly misdeeds: Misdeeds;
}

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** What a Chromium of a test is started with: it reaches no other host. */
export const BROWSER_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Other requests of the browser reach no other host either.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];
/** Why there is no browser, and what to do. */
export const NO_BROWSER = `no browser: install chromium, or set TEST_CHROMIUM (looked for ${PROGRAMS.join(', ')})`;
const START_MS = 60_000;
/** For an element to appear; shorter than a test may last, so that its message is seen. */
const WAIT_MS = 15_000;
const LOCAL = /^(?:(?:https?|wss?):\/\/127\.0\.0\.1[:/]|data:|blob:|about:)/;

/**
 * A `describe` whose tests open pages in a headless Chromium that takes any certificate. Without one: a skipped test that
 * says why, or with REQUIRE_REAL_SERVERS=1 a failing one. `TEST_CHROMIUM` names another program.
 */
export function describeWithBrowser(title: string, tests: (open: (url: string) => Promise<OpenPage>) => void): void {
  const program = findBrowser();
  if (program === undefined) {
    describeWithout(title, NO_BROWSER);
    return;
  }
  describe(title, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      browser = await launchBrowser(program);
    }, START_MS);
    afterAll(() => browser?.close());
    tests((url) => {
      if (browser === undefined) throw new Error('the browser is there only inside tests and their hooks');
      return open(browser, url);
    });
  });
}

/** The path of Chromium on this machine. */
export function findBrowser(): string | undefined {
  return [process.env['TEST_CHROMIUM'] ?? '', ...PROGRAMS].find((path) => existsSync(path));
}

/** A headless Chromium that reaches no other host. */
export async function launchBrowser(program: string, more: readonly string[] = []): Promise<Browser> {
  // Only here: it is a development dependency, and the simulator uses this package too.
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath: program, args: [...BROWSER_ARGUMENTS, ...more], headless: true });
}

async function open(browser: Browser, url: string): Promise<OpenPage> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const misdeeds = { outside: [] as string[], errors: [] as string[] };
  await context.route('**', async (route) => {
    const address = route.request().url();
    if (LOCAL.test(address)) {
      await route.continue();
      return;
    }
    misdeeds.outside.push(address);
    await route.abort();
  });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  page.on('console', (message) => {
    if (message.type() === 'error') misdeeds.errors.push(message.text());
  });
  page.on('pageerror', (error) => misdeeds.errors.push(error.message));
  await page.goto(url);
  return { page, misdeeds };
}

function describeWithout(title: string, reason: string): void {
  describe(title, () => {
    if (process.env['REQUIRE_REAL_SERVERS'] === '1') {
      it('needs a real browser', () => {
        throw new Error(reason);
      });
      return;
    }
    it.skip(`is skipped: ${reason}`, () => undefined);
  });
}
