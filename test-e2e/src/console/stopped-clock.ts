// A page of the console whose clock a test moves, to show what the page does within a time on a machine that is slow.
import type { OpenPage } from '@busbar/testing';

type Page = OpenPage['page'];

const ENDS_WITHIN_MS = 5_000;
/** Further than the page's next check of its session. */
const AHEAD_MS = 10_000;

/**
 * Stops the clock of a page that is signed in, and on which `clock.install` was called before. No check of its session is in flight then.
 * A time measured from the end of a key to what the page shows would measure the machine, on which both share two cores with every
 * service: the clock that the page's checks go by is moved instead. A page whose clock stands shows little of what it reads.
 */
export async function stopClock(page: Page): Promise<void> {
  const checked = page.waitForResponse('**/console/session');
  // A clock does not go back, and this one still advances until then.
  await page.clock.pauseAt(Date.now() + AHEAD_MS);
  await (await checked).finished();
}

/**
 * Fails where such a page, whose key has ended at the service, does not find that out within 5 s of its own clock, or does not show it.
 * The clock runs again afterwards.
 */
export async function expectSessionEnd(page: Page): Promise<void> {
  const refused = page.waitForResponse((response) => response.status() === 401);
  await page.clock.runFor(ENDS_WITHIN_MS);
  await refused;
  await page.clock.resume();
  await page.getByText('Your session has ended').waitFor();
}
