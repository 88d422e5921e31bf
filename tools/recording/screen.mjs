// Plays what a program printed into a terminal emulator and returns its screens over time.
import { createRequire } from 'node:module';

// The package is CommonJS without named exports.
const { Terminal } = createRequire(import.meta.url)('@xterm/headless');

/** Pauses of the programs are shortened to this. */
const MAX_PAUSE_MS = 650;
/** Output that comes closer together is one screen. */
const MIN_PAUSE_MS = 60;
const TYPED_EVERY_MS = 45;
const PROMPT = '\u001b[32m$\u001b[0m ';

/**
 * The screens of one terminal: `{columns, rows, screens}`, where a screen is `{afterMs, lines}` (the pause before it) and a line
 * a list of `{text, color, bold}`. It begins with the command being typed.
 */
export async function playBack({ command, columns, rows, output }) {
  const terminal = new Terminal({ cols: columns, rows, scrollback: 0, allowProposedApi: true });
  const write = (text) => new Promise((resolve) => terminal.write(text, resolve));
  const screens = [];
  const add = (afterMs) => screens.push({ afterMs, lines: linesOf(terminal) });
  await write(PROMPT);
  add(0);
  for (const letter of command) {
    await write(letter);
    add(TYPED_EVERY_MS);
  }
  await write('\r\n');
  for (const { text, pauseMs } of pieces(output)) {
    await write(text);
    add(Math.min(pauseMs, MAX_PAUSE_MS));
  }
  return { columns, rows, screens };
}

/** Joins what was printed at nearly the same time. */
function pieces(output) {
  const joined = [];
  let begun = -Infinity;
  for (const { at, text } of output) {
    const previous = joined.at(-1);
    if (previous !== undefined && at - begun < MIN_PAUSE_MS) {
      previous.text += text;
    } else {
      joined.push({ text, pauseMs: joined.length === 0 ? MAX_PAUSE_MS : at - begun });
      begun = at;
    }
  }
  return joined;
}

function linesOf(terminal) {
  const buffer = terminal.buffer.active;
  return Array.from({ length: terminal.rows }, (_, row) => runsOf(buffer.getLine(buffer.baseY + row)));
}

/** Cells of one look joined to runs of text. */
function runsOf(line) {
  const runs = [];
  for (let column = 0; line !== undefined && column < line.length; column += 1) {
    const cell = line.getCell(column);
    const text = cell.getChars() || ' ';
    const color = cell.isFgPalette() ? cell.getFgColor() : undefined;
    const bold = cell.isBold() !== 0;
    const previous = runs.at(-1);
    if (previous !== undefined && (previous.color === color || text === ' ') && previous.bold === bold)
      previous.text += text;
    else runs.push({ text, color, bold });
  }
  const end = runs.at(-1);
  if (end !== undefined) end.text = end.text.trimEnd();
  return runs.filter(({ text }) => text !== '');
}
