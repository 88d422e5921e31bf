// A metric of the gateways, read from each pod as Prometheus reads it.
import { http } from '../harness/http';
import { readMetric } from '../harness/metrics';
import { isReady, type Pod, type Release } from './release';

const INTERNAL_PORT = 9090;
const READ_MS = 30_000;

export interface GatewayMetric {
  readonly pod: Pod;
  readonly value: number;
}

/** Returns the metric of each ready gateway; 0 where it shows none. Rejects when one does not answer. */
export async function metricOfGateways(release: Release, metric: string): Promise<readonly GatewayMetric[]> {
  const pods = (await release.pods('gateway')).filter(isReady);
  return Promise.all(
    pods.map(async (pod) => {
      const url = `http://${pod.status.podIP ?? ''}:${String(INTERNAL_PORT)}/metrics`;
      const { text } = await http(url, { withinMs: READ_MS });
      return { pod, value: readMetric(text, metric) || 0 };
    }),
  );
}
