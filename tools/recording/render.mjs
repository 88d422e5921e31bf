// Renders screens of terminals as one animated SVG: a line of text is drawn once for each time that it is visible, and CSS
// keyframes switch it on and off. No script, so it also moves within an <img>.

const CELL = { width: 7.5, height: 16 };
const MARGIN = 12;
const GAP = 10;
/** The time that the last picture stays before it begins anew. */
const FINAL_PAUSE_MS = 6_000;
/** Between the end of one terminal's output and the next one's command. */
const BETWEEN_MS = 900;
const BACKGROUND = '#11161d';
const FOREGROUND = '#d5dbe3';
/** The eight colors of a terminal, normal and bright. */
const PALETTE = [
  ...['#5c6773', '#ff7b72', '#7ee787', '#e3b341', '#79b8ff', '#d2a8ff', '#6fd3e0', '#d5dbe3'],
  ...['#8b98a7', '#ffa198', '#a5f0ad', '#f2cc60', '#a5d0ff', '#e2c5ff', '#9be5ee', '#ffffff'],
];

/** The SVG of panes from `playBack`: one below the other, each beginning when the one above has printed everything. */
export function renderSvg(panes) {
  const { shown, totalMs } = timeline(panes);
  const width = Math.max(...panes.map(({ columns }) => columns)) * CELL.width + 2 * MARGIN;
  const tops = panes.map((_, at) => sum(panes.slice(0, at).map((pane) => heightOf(pane) + GAP)));
  const height = sum(panes.map(heightOf)) + GAP * (panes.length - 1);
  const boxes = panes.map(
    (pane, at) =>
      `<rect y="${String(tops[at])}" width="${String(width)}" height="${String(heightOf(pane))}" rx="8" fill="${BACKGROUND}"/>`,
  );
  const animations = new Map();
  const texts = shown.map(({ pane, row, runs, fromMs, toMs }) => {
    const name = animationFor(animations, fromMs, toMs, totalMs);
    const y = tops[pane] + MARGIN + (row + 0.75) * CELL.height;
    return `<text class="${name}" x="${String(MARGIN)}" y="${String(y)}">${runs.map(span).join('')}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" width="${String(width)}" height="${String(height)}" role="img">`,
    '<title>npm start prints the addresses and the API key of the service; npm run simulate connects three chargers that charge.</title>',
    `<style>${styleOf(animations, totalMs)}</style>`,
    ...boxes,
    ...texts,
    '</svg>\n',
  ].join('\n');
}

function heightOf({ rows }) {
  return rows * CELL.height + 2 * MARGIN;
}

/** Each line of each pane with the time in which it is visible: `{pane, row, runs, fromMs, toMs}`. */
function timeline(panes) {
  const shown = [];
  let nowMs = 0;
  panes.forEach(({ screens, rows }, pane) => {
    const visible = Array.from({ length: rows }, () => ({ key: '[]' }));
    for (const { afterMs, lines } of screens) {
      nowMs += afterMs;
      lines.forEach((runs, row) => {
        const key = JSON.stringify(runs);
        if (visible[row].key === key) return;
        if (visible[row].line !== undefined) visible[row].line.toMs = nowMs;
        const line = { pane, row, runs, fromMs: nowMs, toMs: Infinity };
        visible[row] = { key, line };
        if (runs.length > 0) shown.push(line);
      });
    }
    nowMs += BETWEEN_MS;
  });
  return { shown: shown.filter(({ fromMs, toMs }) => toMs > fromMs), totalMs: nowMs + FINAL_PAUSE_MS };
}

/** The class of lines that are visible in this time. */
function animationFor(animations, fromMs, toMs, totalMs) {
  const from = percent(fromMs / totalMs);
  const to = toMs === Infinity ? '100' : percent(toMs / totalMs);
  const key = `${from} ${to}`;
  if (!animations.has(key)) animations.set(key, { name: `t${String(animations.size)}`, from, to });
  return animations.get(key).name;
}

function styleOf(animations, totalMs) {
  const rules = [...animations.values()].map(({ name, from, to }) => {
    const hiddenAgain = to === '100' ? '' : `${to}%{visibility:hidden}`;
    const still = to === '100' ? '' : `@media(prefers-reduced-motion:reduce){.${name}{display:none}}`;
    return `@keyframes ${name}{0%{visibility:hidden}${from}%{visibility:visible}${hiddenAgain}}.${name}{animation-name:${name}}${still}`;
  });
  const colors = PALETTE.map((color, at) => `.c${String(at)}{fill:${color}}`).join('');
  return [
    `text{font:12.4px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:${FOREGROUND};white-space:pre;`,
    `animation:${String(totalMs)}ms step-end infinite}${colors}.b{font-weight:bold}`,
    // Without motion the last picture is shown.
    '@media(prefers-reduced-motion:reduce){text{animation:none!important}}',
    ...rules,
  ].join('');
}

/** `textLength` keeps the columns whatever font the reader has. */
function span({ text, color, bold }) {
  const classes = [color === undefined || color > 15 ? '' : `c${String(color)}`, bold ? 'b' : '']
    .filter(Boolean)
    .join(' ');
  const length = ` textLength="${String(Number((text.length * CELL.width).toFixed(1)))}"`;
  return `<tspan${classes === '' ? '' : ` class="${classes}"`}${length}>${escape(text)}</tspan>`;
}

function percent(share) {
  return String(Number((share * 100).toFixed(3)));
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
