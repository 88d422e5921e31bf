import type { Scale } from '../size/scale';
import { THROTTLE } from './visitor';

export interface ConsoleRow {
  readonly what: string;
  readonly figure: number;
  readonly unit: 'ms' | 'MB' | '';
  readonly goal: number;
  readonly detail: string;
}

export interface ConsoleResults {
  readonly startedAt: string;
  readonly scale: Scale;
  readonly browser: string;
  readonly rows: readonly ConsoleRow[];
}

export function consoleText({ scale, browser, rows }: ConsoleResults): string {
  const { cpu, mbitPerSecond, latencyMs } = THROTTLE;
  return [
    `${scale.chargers.toLocaleString('en')} chargers; ${browser}, ${String(cpu)} times slower, ${String(mbitPerSecond)} Mbit/s, ${String(latencyMs)} ms`,
    '',
    '| what | figure | goal | |',
    '| --- | --- | --- | --- |',
    ...rows.map(consoleLine),
  ].join('\n');
}

export function consoleLine(row: ConsoleRow): string {
  const isMet = row.figure <= row.goal;
  return `| ${row.what} | ${inUnit(row.figure, row)} | ${isMet ? 'pass' : 'miss'} (${inUnit(row.goal, row)}) | ${row.detail} |`;
}

function inUnit(value: number, { unit }: ConsoleRow): string {
  return `${value.toFixed(0)} ${unit}`.trim();
}
