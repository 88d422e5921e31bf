/** Of what a program wrote, the lines that it logged as an error or as worse: somebody would have to act. */
export function errorLines(output: string): string[] {
  return output.split('\n').filter((line) => /"level":"(?:error|fatal)"/.test(line));
}
