// The processes of test-e2e/src/rollout run with what the chart renders, also where no Helm is built.
import { COMPONENTS, PROBE, RENDERED, VALUES } from '../rollout/rendered';
import { render } from './helm';
import { environmentOf, podOf, processOf, specOf } from './objects';

const objects = render(VALUES);

it.each(COMPONENTS)('rolls %s out in tests with the environment and the times that the chart renders', (component) => {
  const pod = podOf(objects, component);
  const { replicas, minReadySeconds, strategy } = specOf(pod.owner);
  const { terminationGracePeriodSeconds } = pod.spec;
  const env = environmentOf(pod);
  expect({ env, replicas, minReadySeconds, terminationGracePeriodSeconds }).toEqual(RENDERED[component]);
  expect(processOf(pod).readinessProbe).toMatchObject({ httpGet: { path: '/readyz' }, ...PROBE });
  // A quarter of two replicas is one too.
  expect([1, '25%']).toContain((strategy as { rollingUpdate: { maxSurge: unknown } }).rollingUpdate.maxSurge);
});
