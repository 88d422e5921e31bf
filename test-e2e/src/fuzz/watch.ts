// Looks at the process under attack every second: its memory, and what it logged.
import { errorLines } from '../harness/error-lines';
import { http } from '../harness/http';
import { readMetric } from '../harness/metrics';
import type { Program } from '../harness/program';

export interface Seen {
  /** In bytes: the most at any time, and the median of each half of the time so far, which an attack's own needs do not move. */
  readonly memory: { readonly most: number; readonly medians: readonly [first: number, second: number] };
  /** Lines of level error and fatal, as they were logged. */
  readonly errors: readonly string[];
}

export interface Watch {
  seen(): Seen;
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
      const medians = [medianOf(memory.slice(0, half)), medianOf(memory.slice(half))] as const;
      return { memory: { most: Math.max(0, ...memory), medians }, errors: [...errors] };
    },
    stop: () => clearInterval(timer),
  };
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
