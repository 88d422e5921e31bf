// Numbers that a screen takes of its address, where anybody may have written anything. Pure.

export function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

/** The first page of a list has no number in the address. */
export function isLaterPage(page: unknown): page is number {
  return isPositive(page) && page > 1;
}

/** Undefined for what is no positive integer. */
export function positiveOf(value: unknown): number | undefined {
  return isPositive(value) ? value : undefined;
}
