// `charger log --follow`: shows the log, then what is added, until it is aborted.
import { setTimeout } from 'node:timers/promises';
import { administerAll, type AdministrationOptions } from './administer';
import { FOLLOW } from './charger-log-commands';
import { parseCommandLine, type AdminResult } from './command';
import { adminCommands } from './commands';

const EVERY_MS = 1_000;
const FLAG = `--${FOLLOW}`;
/** Rows that were shown: one that the log repeats is not shown again. */
const MAX_SHOWN = 5_000;

/** The command line without --follow. Undefined for one that does not follow, also an invalid one. */
export function followedLine(line: readonly string[]): readonly string[] | undefined {
  try {
    if (!parseCommandLine(adminCommands, line).given.flags.has(FOLLOW)) return undefined;
  } catch {
    // The run refuses it with the reason.
    return undefined;
  }
  return line.filter((word) => word !== FLAG);
}

export interface FollowOptions {
  readonly signal: AbortSignal;
  /** Each row as one line: for people, or as JSON. */
  readonly print: (text: string) => void;
  readonly asJson: boolean;
}

interface Page {
  readonly rows: readonly { readonly rowId: string }[];
  readonly cursor: string;
}

/** Resolves when the signal is aborted. Rejects with the message of a command that failed. */
export function followLog(
  settings: AdministrationOptions,
  line: readonly string[],
  options: FollowOptions,
): Promise<void> {
  const { signal } = options;
  const show = createPrinter(options);
  return administerAll(settings, async (run) => {
    let page = show(await run(line));
    for (;;) {
      // A timer that keeps the process alive, unlike those of the clock. It rejects where it is aborted.
      await setTimeout(EVERY_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      page = show(await run([...withoutAfter(line), '--after', page.cursor]));
    }
  });
}

function createPrinter({ print, asJson }: FollowOptions): (result: AdminResult) => Page {
  const shown = new Set<string>();
  return ({ lines, data }) => {
    const page = data as Page;
    // A header, or that there is nothing, comes first.
    const above = lines.length - page.rows.length;
    if (!asJson) for (const line of lines.slice(0, above)) print(line);
    for (const [i, row] of page.rows.entries()) {
      if (shown.has(row.rowId)) continue;
      shown.add(row.rowId);
      print(asJson ? JSON.stringify(row) : (lines[above + i] ?? ''));
    }
    for (const id of shown) {
      if (shown.size <= MAX_SHOWN) break;
      shown.delete(id);
    }
    return page;
  };
}

/** The first cursor of the caller, and the number of rows, count for the first page alone. */
function withoutAfter(line: readonly string[]): readonly string[] {
  const words = line.filter((word) => !word.startsWith('--after=') && !word.startsWith('--limit='));
  return words.filter((word, i) => ![word, words[i - 1]].some((each) => each === '--after' || each === '--limit'));
}
