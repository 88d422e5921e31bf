// The chart's HorizontalPodAutoscaler with the controller that acts on it, and a metric of the gateways.
import { underLoad } from './load';
import { startMetricsAdapter } from './metrics-adapter';
import { nodesOf, REPLICAS } from './planned-disruptions';
import { RELEASE } from './release';
import type { World } from './world';

const TEST_MS = 600_000;
const MAX = 6;
/** The number of connections of a gateway. */
const TARGET = 60;
/** More than three gateways may have, and no more than four. */
const SOCKETS = 200;
const NEEDED = Math.ceil(SOCKETS / TARGET);

export function autoscaling(open: () => World): void {
  it(
    `makes ${String(NEEDED)} gateways of ${String(TARGET)} for ${String(SOCKETS)} connections without closing one, and ${String(REPLICAS)} again for none`,
    async () => {
      const { cluster, release } = open();
      const adapter = await startMetricsAdapter(cluster, release);
      try {
        // By the metric alone: nothing here serves CPU metrics.
        const autoscaler = { kind: 'hpa', min: REPLICAS, max: MAX, metricTarget: TARGET, cpuTarget: 0 };
        await release.upgrade({ gateway: { autoscaling: autoscaler } });
        await release.scaled('gateway', REPLICAS);
        await underLoad(open(), {
          chargers: SOCKETS,
          planned: 'nothing',
          async disrupt() {
            await release.scaled('gateway', NEEDED);
            expect(new Set(await nodesOf(release, 'gateway')).size).toBe(2);
          },
        });
        await shrinkAtOnce(open());
        await release.scaled('gateway', REPLICAS);
      } finally {
        await release.upgrade();
        await release.scaled('gateway', REPLICAS);
        await adapter.stop();
      }
    },
    TEST_MS,
  );
}

/** The chart takes half an hour to remove a gateway, since that closes sockets. */
async function shrinkAtOnce({ cluster, release }: World): Promise<void> {
  const path = `/apis/autoscaling/v2/namespaces/${release.namespace}/horizontalpodautoscalers/${RELEASE}-gateway`;
  const policies = [{ type: 'Pods', value: MAX, periodSeconds: 15 }];
  await cluster.api.patch(path, { spec: { behavior: { scaleDown: { stabilizationWindowSeconds: 0, policies } } } });
}
