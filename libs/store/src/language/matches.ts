import type { Filter, Leaf, Scalar } from '../port';
import { valueAtPath } from './paths';

/** The filter language (see port.ts) on one document in memory. */
export function matches(document: unknown, filter: Filter): boolean {
  if ('filters' in filter) {
    const { op, filters } = filter;
    return op === 'and'
      ? filters.every((each) => matches(document, each))
      : filters.some((each) => matches(document, each));
  }
  return holds(filter, valueAtPath(document, filter.path) ?? null);
}

/** Orders texts by their UTF-8 bytes, as the servers do; JavaScript's `<` compares UTF-16 units. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return byCodePoint(left) - byCodePoint(right);
  }
  return a.length - b.length;
}

/** Lower case for A to Z alone, as `contains` needs. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function holds(filter: Leaf, value: unknown): boolean {
  switch (filter.op) {
    case 'eq':
      return value === filter.value;
    case 'ne':
      return value !== filter.value;
    case 'in':
      return filter.values.includes(value as string | number);
    case 'contains':
      return typeof value === 'string' && lowerAscii(value).includes(lowerAscii(filter.value));
    default:
      return ordered(filter.op, compare(value, filter.value));
  }
}

function compare(value: unknown, bound: Scalar): number {
  if (typeof value === 'number' && typeof bound === 'number') return value - bound;
  if (typeof value === 'string' && typeof bound === 'string') return compareTexts(value, bound);
  return Number.NaN;
}

/** NaN for values of two types, which makes every comparison false. */
function ordered(op: 'lt' | 'lte' | 'gt' | 'gte', difference: number): boolean {
  if (op === 'lt') return difference < 0;
  if (op === 'lte') return difference <= 0;
  if (op === 'gt') return difference > 0;
  return difference >= 0;
}

/** Surrogates stand for the highest code points, so they are moved above U+FFFF. */
function byCodePoint(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
