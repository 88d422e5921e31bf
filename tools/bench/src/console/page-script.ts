// What the bench adds to each page that it opens: clocks that run inside the page, where no message of the browser's protocol
// delays them. It is text, since it runs in the browser.

/** Defines `window.bench`. */
export const PAGE_SCRIPT = `(() => {
  const ROW = '[data-charger]';
  const bench = { lastInputMs: 0, longestTaskMs: 0 };
  window.bench = bench;
  /** Milliseconds from the beginning of the visit until the frame with the first row of the list is painted. */
  bench.firstRow = new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(performance.now());
    new MutationObserver((_, observer) => {
      if (document.querySelector(ROW) === null) return;
      observer.disconnect();
      requestAnimationFrame(() => port2.postMessage(0));
    }).observe(document, { childList: true, subtree: true });
  });
  document.addEventListener('input', () => (bench.lastInputMs = performance.now()), true);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) bench.longestTaskMs = Math.max(bench.longestTaskMs, duration);
  }).observe({ type: 'longtask', buffered: true });

  /** Looks once a frame. */
  const until = (isSo) =>
    new Promise((resolve) => {
      const look = () => (isSo() ? resolve(performance.now()) : requestAnimationFrame(look));
      look();
    });
  /** Milliseconds from the last key until the list begins with that charger. */
  bench.found = async (id) => {
    const at = await until(() => document.querySelector(ROW + '[aria-rowindex="2"]')?.dataset.charger === id);
    return at - bench.lastInputMs;
  };
  /** The time since the epoch at which the row shows that state. */
  bench.shows = async (id, state) => {
    await until(() => document.querySelector(ROW + '[data-charger="' + id + '"] .state-label > :last-child')?.textContent === state);
    return Date.now();
  };
  /** Scrolls, with a jump each two seconds; the lengths of frames and the rows in the page. */
  bench.scroll = async (ms) => {
    const frames = [];
    let rows = 0;
    bench.longestTaskMs = 0;
    const end = performance.now() + ms;
    let last = performance.now();
    let jumpAt = last + 2000;
    while (last < end) {
      if (last >= jumpAt) {
        jumpAt += 2000;
        scrollTo(0, Math.random() * (document.documentElement.scrollHeight - innerHeight));
      } else scrollBy(0, 120);
      const now = await new Promise(requestAnimationFrame);
      frames.push(now - last);
      last = now;
      rows = Math.max(rows, document.querySelectorAll('main [role="row"]').length);
    }
    return { frames, rows, longestTaskMs: bench.longestTaskMs };
  };
})();`;
