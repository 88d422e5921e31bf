// The streams that the tabs of a browser hold, and tabs that nobody looks at.
import type { OpenPage } from '@busbar/testing';

type Page = OpenPage['page'];

export interface Streams {
  /** How many a tab of the page's context has open. */
  of(page: Page): number;
  /** The address of each that was asked for, in order. */
  readonly addresses: readonly URL[];
}

/** Watches the streams at this path. Call it before they are asked for. */
export function watchStreams(page: Page, path = '/v2/events/stream'): Streams {
  const context = page.context();
  const opened = new Map<unknown, Page>();
  const addresses: URL[] = [];
  context.on('request', (request) => {
    const address = new URL(request.url());
    if (address.pathname !== path) return;
    opened.set(request, request.frame().page());
    addresses.push(address);
  });
  context.on('requestfailed', (request) => opened.delete(request));
  context.on('requestfinished', (request) => opened.delete(request));
  return { addresses, of: (of) => [...opened.values()].filter((holder) => holder === of).length };
}

/** Headless pages are always visible: says that this one is not, as a browser does for a tab behind another. */
export async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, value: ${String(isHidden)} });
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${isHidden ? 'hidden' : 'visible'}' });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  `);
}
