// A reader of the console in a real browser: signed in, with every violation of the page's security policy collected.
import { readFileSync } from 'node:fs';
import type { OpenPage } from '@busbar/testing';
import type { World } from '../harness/world';

type Page = OpenPage['page'];

export interface ConsolePage {
  readonly page: Page;
  /** Goes to a path below `/console`, by loading it anew. */
  visit(path: string): Promise<void>;
  /**
   * Fails for a violation of the security policy, an error on the console, or a request to another host. `wasOffline`: that the browser
   * could load nothing without a network is no error of the page.
   */
  expectClean(of?: { readonly wasOffline: boolean }): Promise<void>;
  /**
   * Fails for what axe finds, in light and in dark, for motion where the reader wants less, and where not one region alone speaks politely.
   * `of` names in the failure what is shown.
   */
  expectAccessible(of?: string): Promise<void>;
  /** Fails where the page, or a table in it, is wider than the room that it has. `of` names in the failure what is shown. */
  expectFitting(of?: string): Promise<void>;
  /** Fails where what was on the page moved while it was loaded. `of` names in the failure what is shown. */
  expectSteady(of?: string): Promise<void>;
}

/** What moved by itself, and by how much of the window: https://web.dev/articles/cls. */
interface Shift {
  readonly value: number;
  readonly moved: readonly string[];
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly target: readonly string[] }[];
  }[];
}

/** In light all rules; in dark those of colours, as nothing else of a page depends on the scheme. */
const RULES = {
  light: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};
/** Colours of another scheme, and columns of another width, are drawn with the next frame; transitions begin with it. */
export const DRAWN = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  .then(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
  .then(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 100))))`;
/** Where the reader wants less motion, nothing moves for longer than can be seen. */
const MOVING = `document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().activeDuration > 10)
  .map(({ animationName, transitionProperty, effect }) => (animationName ?? transitionProperty) + ' of ' + effect.target.className)`;
/** What is read aloud when it changes. Alerts are of failures. */
const SPEAKING = '[role="status"], [role="log"], output, [aria-live]';
const NO_NETWORK = /^Failed to load resource: net::ERR_INTERNET_DISCONNECTED$/;
const TOO_WIDE = `[document.documentElement, ...document.querySelectorAll('.table-scroll')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map((frame) => frame.tagName + ' ' + (frame.querySelector(':scope > table')?.ariaLabel ?? '') + ' ' + (frame.scrollWidth - frame.clientWidth) + ' px')`;
/** Of the sum of all, which is stricter than the bound of "good" by https://web.dev/articles/cls: that is of five seconds. */
const MAX_SHIFT = 0.1;
/** Since the page was loaded, but for what the reader did. */
const SHIFTS = `(async () => {
  const shifts = [];
  const observer = new PerformanceObserver((list) => shifts.push(...list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  await ${DRAWN};
  observer.disconnect();
  return shifts
    .filter(({ hadRecentInput }) => !hadRecentInput)
    .map(({ value, sources }) => ({ value, moved: sources.map(({ node }) => (node instanceof Element ? node : node?.parentElement)?.getAttribute('class') ?? '') }));
})()`;
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export function consoleOrigin(world: World): string {
  return new URL(world.addresses().v2).origin;
}

/** Opens the console's page and signs in by its form. */
export async function signIn(open: (url: string) => Promise<OpenPage>, world: World, path = '/'): Promise<ConsolePage> {
  const reader = await openConsole(open, world, path);
  await fillIn(reader.page, world.clientId, world.apiKey);
  await reader.page.getByRole('navigation', { name: 'Menu' }).waitFor();
  return reader;
}

export async function openConsole(
  open: (url: string) => Promise<OpenPage>,
  world: World,
  path = '/',
): Promise<ConsolePage> {
  const { page, misdeeds } = await open(`${consoleOrigin(world)}/console${path}`);
  // From the beginning: a transition that a click began before keeps its length.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  return {
    page,
    async visit(to) {
      await page.goto(`${consoleOrigin(world)}/console${to}`);
    },
    expectClean({ wasOffline } = { wasOffline: false }) {
      const errors = misdeeds.errors.filter((error) => !wasOffline || !NO_NETWORK.test(error));
      expect({ errors, outside: misdeeds.outside }).toEqual({ errors: [], outside: [] });
      return Promise.resolve();
    },
    async expectFitting(of = page.url()) {
      // A page that was made narrower moves columns with its next frame.
      await page.evaluate(DRAWN);
      expect([of, await page.evaluate(TOO_WIDE)]).toEqual([of, []]);
    },
    async expectSteady(of = page.url()) {
      const shifts = await page.evaluate<readonly Shift[]>(SHIFTS);
      const sum = shifts.reduce((total, { value }) => total + value, 0);
      expect([of, ...(sum > MAX_SHIFT ? shifts : [])]).toEqual([of]);
    },
    async expectAccessible(of = page.url()) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const moving = await page.evaluate<string[]>(MOVING);
        await page.evaluate(DRAWN);
        if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe);
        const options = { runOnly: RULES[colorScheme], resultTypes: ['violations'] };
        const { violations } = await page.evaluate<AxeResult>(`axe.run(document, ${JSON.stringify(options)})`);
        const found = violations.map(
          ({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
        );
        expect([of, ...found, ...moving]).toEqual([of]);
      }
      await page.emulateMedia({ colorScheme: 'light' });
      expect([of, await page.locator(SPEAKING).count()]).toEqual([of, 1]);
    },
  };
}

export async function fillIn(page: Page, clientId: string, apiKey: string): Promise<void> {
  await page.getByLabel('Client id').fill(clientId);
  await page.getByLabel('API key').fill(apiKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/**
 * Watches for a text in any element of this selector. Resolves with a function that resolves with the time at which it stood there, in
 * milliseconds of the page's clock, which is that of this machine: what is measured is the page, not a test that looks later.
 */
export async function watchFor(page: Page, selector: string, text: string): Promise<() => Promise<number>> {
  await page.evaluate(`window.watched = new Promise((resolve) => {
    const look = () => {
      const isThere = [...document.querySelectorAll(${JSON.stringify(selector)})].some(({ textContent }) => textContent.includes(${JSON.stringify(text)}));
      if (isThere) resolve(Date.now());
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
    look();
  }); undefined`);
  return () => page.evaluate<number>('window.watched');
}

export function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}
