/**
 * The frame itself, where a number in it is beyond what a number can hold here (2^53): only its text says what was sent
 * (rule 57).
 */
export function frameIfInexact(raw: string, ...numbers: readonly (number | undefined)[]): { readonly frame?: string } {
  return numbers.every((number) => number === undefined || Number.isSafeInteger(number)) ? {} : { frame: raw };
}
