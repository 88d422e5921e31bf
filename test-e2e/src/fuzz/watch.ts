// Looks at the process under attack every second: its memory, and what it logged.
import { errorLines } from '../harness/error-lines';
import { http } from '../harness/http';
import { readMetric } from '../harness/metrics';
import type { Program } from '../harness/program';

export interface Watch {
  /** The most memory in each half of the time so far, and the lines of level error and fatal. */
  seen(): { readonly memory: readonly [first: number, second: number]; readonly errors: readonly string[] };
  stop(): void;
}

const EVERY_MS = 1_000;

export function createWatch(program: Program, metricsUrl: string): Watch {
  const memory: number[] = [];
  const errors = new Set<string>();

  function readLog(): void {
    for (const line of errorLines(program.output())) errors.add(line);
  }

  const timer = setInterval(() => {
    readLog();
    http(metricsUrl).then(
      ({ text }) => memory.push(readMetric(text, 'process_resident_memory_bytes')),
      // A process that is gone shows in everything else.
      () => undefined,
    );
  }, EVERY_MS);
  return {
    seen() {
      readLog();
      const half = Math.ceil(memory.length / 2);
      const [first, second] = [memory.slice(0, half), memory.slice(half)];
      return { memory: [Math.max(0, ...first), Math.max(0, ...second)], errors: [...errors] };
    },
    stop: () => clearInterval(timer),
  };
}
