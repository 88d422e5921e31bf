/** Returns the lines of the output that a program logged as an error or worse: somebody would have to act. */
export function errorLines(output: string): string[] {
  return output.split('\n').filter((line) => /"level":"(?:error|fatal)"/.test(line));
}
