// Every file of values in the chart, given to the API server to judge: what the schemas of kubeconform do not know of.
import { basename } from 'node:path';
import { render, valueFiles, type KubernetesObject } from '../chart/helm';
import { definitionsFor } from './custom-resources';
import { restrictedNamespace } from './servers';
import type { World } from './world';

const TEST_MS = 120_000;
/** The one of the cluster. */
const KUBERNETES = '1.35';
const NAMESPACE = 'charging';

export function examples(open: () => World): void {
  describe('the API server', () => {
    const files = valueFiles();

    beforeAll(async () => {
      const { api } = open().cluster;
      const objects = files.flatMap((file) => render(file, KUBERNETES));
      await api.kubectl(['apply', '-f', '-'], restrictedNamespace(NAMESPACE));
      // Without them the pods would be refused for that.
      const accounts = objects.filter(({ kind }) => kind === 'ServiceAccount');
      await api.kubectl(['apply', '-f', '-'], listOf([...accounts, ...priorityClassesOf(objects)]));
      await api.kubectl(['create', '-f', '-'], listOf(definitionsFor(objects)));
      await api.kubectl(['wait', 'customresourcedefinitions', '--all', '--for=condition=Established', '--timeout=60s']);
    }, TEST_MS);

    it.each(files.map((file) => [basename(file), file] as const))(
      'accepts all objects of %s and, at the level restricted, their pods',
      async (_name, file) => {
        const objects = render(file, KUBERNETES);
        const items = [...objects, ...objects.flatMap(podsOf)];
        const dryRun = ['apply', '--dry-run=server', '--validate=strict', '--namespace', NAMESPACE, '-f', '-'];
        const accepted = (await open().cluster.api.kubectl(dryRun, listOf(items))).trim().split('\n');
        expect(accepted).toHaveLength(items.length);
      },
      TEST_MS,
    );
  });
}

function listOf(items: readonly unknown[]): unknown {
  return { apiVersion: 'v1', kind: 'List', items };
}

interface Workload extends KubernetesObject {
  readonly spec?: {
    readonly template?: PodTemplate;
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
    readonly jobTemplate?: { readonly spec: { readonly template: PodTemplate } };
  };
}

interface PodTemplate {
  readonly metadata: object;
  readonly spec: { readonly volumes?: readonly unknown[]; readonly priorityClassName?: string };
}

/** A pod as the workload's controller would create it. The API server holds only pods to the namespace's level. */
function podsOf({ metadata, spec }: Workload): readonly unknown[] {
  const template = spec?.jobTemplate?.spec.template ?? spec?.template;
  if (template === undefined) return [];
  const claimed = (spec?.volumeClaimTemplates ?? []).map(({ metadata: { name } }) => ({
    name,
    persistentVolumeClaim: { claimName: `${name}-${metadata.name}-0` },
  }));
  const volumes = [...(template.spec.volumes ?? []), ...claimed];
  const name = `${metadata.name}-0`;
  return [
    { apiVersion: 'v1', kind: 'Pod', metadata: { ...template.metadata, name }, spec: { ...template.spec, volumes } },
  ];
}

/** Returns the objects that an administrator has made before. */
function priorityClassesOf(objects: readonly Workload[]): readonly unknown[] {
  const names = objects.map(({ spec }) => spec?.template?.spec.priorityClassName).filter((name) => name !== undefined);
  return [...new Set(names)].map((name) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value: 1,
  }));
}
