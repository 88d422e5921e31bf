import type { Measurement } from '../measures/measurement';
import type { Version2 } from '../load/messages-2';
import type { Column } from '../worlds/world';

/** One cell of the table. */
export interface CellResult {
  readonly row: string;
  readonly column: Column;
  readonly rounds: readonly Measurement[];
  readonly best: Measurement | undefined;
  readonly median: Measurement | undefined;
  /** The reasons why a round, or the cell, could not be measured. */
  readonly failures: readonly string[];
}

export interface BenchResults {
  readonly startedAt: string;
  readonly machine: Machine;
  readonly options: {
    readonly rounds: number;
    readonly seconds: number;
    readonly replicas: number;
    /** Of the rows of OCPP 2.x. */
    readonly version2: Version2;
  };
  /** The servers of each column, or why it was left out. */
  readonly columns: Readonly<Record<number, readonly string[]>>;
  readonly cells: readonly CellResult[];
}

export interface Machine {
  readonly processors: number;
  readonly model: string;
  readonly memoryGb: number;
  readonly platform: string;
  readonly node: string;
  /** Processes that wanted to run before the bench began: above 0 the machine was not quiet. */
  readonly load: number;
}
