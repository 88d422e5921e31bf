/** The frame, where one of its numbers is beyond 2^53: only the text has the exact value (rule 57). */
export function frameIfInexact(raw: string, ...numbers: readonly (number | undefined)[]): { readonly frame?: string } {
  return numbers.every((number) => number === undefined || Number.isSafeInteger(number)) ? {} : { frame: raw };
}
