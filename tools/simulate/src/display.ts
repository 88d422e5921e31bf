// Lines on the terminal: one that changes in place at the bottom, and printed ones above it.

export interface Display {
  /** Redraws the status line; without a terminal it is printed now and then. */
  status(line: string): void;
  /** Prints a line that stays. */
  print(line: string): void;
  /** Removes the status line. */
  end(): void;
}

type Output = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>;

const ERASE = '\r\u001b[2K';
/** Without a terminal: of the lines, which come every second. */
const EVERY_NTH = 10;
/** The width of a terminal that does not report it. */
const DEFAULT_COLUMNS = 80;

export function createDisplay(output: Output): Display {
  let shown = '';
  let calls = 0;
  if (!output.isTTY) {
    return {
      status(line) {
        if (calls % EVERY_NTH === 0) output.write(`${line}\n`);
        calls += 1;
      },
      print: (line) => void output.write(`${line}\n`),
      end: () => undefined,
    };
  }
  return {
    status(line) {
      shown = line.slice(0, Math.max(20, (output.columns || DEFAULT_COLUMNS) - 1));
      output.write(`${ERASE}${shown}`);
    },
    print: (line) => void output.write(`${shown === '' ? '' : ERASE}${line}\n${shown}`),
    end() {
      if (shown !== '') output.write(ERASE);
      shown = '';
    },
  };
}
