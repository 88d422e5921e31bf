import { figure, meanOf, ratioOf } from '../measures/measurement';
import { goalText, ROWS, type Goal } from '../rows';
import type { Column } from '../worlds/world';
import type { BenchResults, CellResult } from './results';

const TITLES: Readonly<Record<Column, string>> = {
  1: 'one process (npm start)',
  2: 'one process, RabbitMQ',
  3: 'four processes, RabbitMQ + document server',
};

/** The results for a terminal: the machine, the figures, the goals, then what was read in each round. */
export function reportText(results: BenchResults): string {
  const { machine, options, startedAt } = results;
  return [
    `${String(machine.processors)} processors (${machine.model}), ${String(machine.memoryGb)} GB, ${machine.platform}, Node ${machine.node}`,
    `${startedAt}; load before it began ${String(machine.load)}; best and median of ${String(options.rounds)}, ${String(options.seconds)} s each${replicasText(options.replicas)}; OCPP 2.x: ${options.version2}`,
    ...Object.entries(results.columns).flatMap(([column, servers]) =>
      servers.map((line) => `column ${column}: ${line}`),
    ),
    '',
    figuresText(results),
    '',
    ...noiseLines(results.cells),
    '',
    tableText(results),
    '',
    ...results.cells.flatMap(roundLines),
  ].join('\n');
}

function replicasText(replicas: number): string {
  return replicas === 1 ? '' : `; column 3 with ${String(replicas)} gateways and ${String(replicas)} charger-states`;
}

/**
 * Returns the figures of the machine: the best round and the median of all, without goals. A Markdown table, legible as
 * text too.
 */
export function figuresText(results: BenchResults): string {
  return tableOf(results, (cell) => (cell === undefined ? '' : figuresOf(cell)));
}

/** The goals with what was measured. */
export function tableText(results: BenchResults): string {
  return tableOf(results, (cell, goal) => cellText(cell, goalText(goal)));
}

function tableOf(results: BenchResults, text: (cell: CellResult | undefined, goal: Goal) => string): string {
  const columns = [1, 2, 3].filter((column): column is Column => column in results.columns);
  const keys = new Set(results.cells.map(({ row }) => row));
  const rows = ROWS.filter(({ key }) => keys.has(key)).map((row) => [
    row.title,
    ...columns.map((column) => {
      const goal = row.goals[column];
      const cell = results.cells.find((each) => each.row === row.key && each.column === column);
      return goal === undefined ? '' : text(cell, goal);
    }),
  ]);
  return alignedTable([['work', ...columns.map((column) => TITLES[column])], ...rows]);
}

function figuresOf({ best, median }: CellResult): string {
  if (best === undefined || median === undefined) return 'failed';
  const shown = [`${best.headline} (median ${median.headline})`, ...best.beside];
  return [...shown, ...(best.counts ? [] : ['does not count'])].join(', ');
}

/** Returns how far the readings of each baseline differ: no ratio is more exact than that. */
export function noiseLines(cells: readonly CellResult[]): string[] {
  const readings = new Map<string, number[]>();
  for (const { baseline } of cells.flatMap(({ rounds }) => rounds)) {
    if (baseline !== undefined)
      readings.set(baseline.name, [...(readings.get(baseline.name) ?? []), ...baseline.perSecond]);
  }
  return [...readings].map(([name, values]) => {
    const [min, max] = [Math.min(...values), Math.max(...values)];
    const noise = Math.round(100 * ratioOf(max - min, meanOf(values)));
    return `${name}: ${figure(min)} to ${figure(max)} a second in ${String(values.length)} readings, which differ by ${String(noise)} %`;
  });
}

/** Rows of equal length, the first of which is the head, as a Markdown table with even columns. */
export function alignedTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

function cellText(cell: CellResult | undefined, goal: string): string {
  if (cell === undefined) return `not measured (${goal})`;
  const { best } = cell;
  if (best === undefined) return `failed (${goal})`;
  return `${best.shown}: ${best.isMet ? 'pass' : best.counts ? 'miss' : 'does not count'} (${goal})`;
}

function roundLines(cell: CellResult): string[] {
  const name = `${cell.row}, column ${String(cell.column)}`;
  return [
    ...cell.rounds.flatMap((round, n) => round.remarks.map((remark) => `${name}, round ${String(n + 1)}: ${remark}`)),
    ...cell.failures.map((failure) => `${name}: ${failure}`),
  ];
}
