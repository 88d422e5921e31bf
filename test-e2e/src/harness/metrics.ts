/** The value of a metric without labels in Prometheus' text; NaN where it is not there. */
export function readMetric(text: string, name: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? Number.NaN);
}
