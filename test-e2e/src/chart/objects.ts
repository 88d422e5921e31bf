// Rendered objects, as the tests read them.
import type { KubernetesObject } from './helm';

export interface Variable {
  readonly name: string;
  readonly value?: string;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly env?: readonly Variable[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources: { readonly requests?: Quantities; readonly limits?: Quantities };
  readonly securityContext: Fields;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly subPath?: string }[];
  readonly startupProbe?: Fields;
  readonly livenessProbe?: Fields;
  readonly readinessProbe?: Fields;
  readonly restartPolicy?: string;
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly securityContext: Fields;
  readonly terminationGracePeriodSeconds?: number;
  readonly topologySpreadConstraints?: readonly Fields[];
  readonly tolerations?: readonly Fields[];
  readonly volumes?: readonly (Fields & {
    readonly name: string;
    readonly secret?: { readonly secretName: string; readonly items?: readonly { key: string; path: string }[] };
  })[];
  readonly [field: string]: unknown;
}

export interface Pod {
  readonly owner: KubernetesObject;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

export type Fields = Readonly<Record<string, unknown>>;
type Quantities = Readonly<Record<string, string>>;

/** The components of Busbar's processes; other pods belong to `tryOut`, to backups and to `helm test`. */
export const PROCESSES = ['gateway', 'charger-state', 'push', 'v2-api', 'legacy-api'] as const;

interface Template {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: PodSpec;
}

/** Every pod that the objects make. */
export function podsOf(objects: readonly KubernetesObject[]): readonly Pod[] {
  return objects.flatMap((owner) => {
    const template = templateOf(owner);
    if (template === undefined) return [];
    const { labels, annotations = {} } = template.metadata;
    return [{ owner, labels, annotations, spec: template.spec }];
  });
}

/** The pod of a component. Throws without one. */
export function podOf(objects: readonly KubernetesObject[], component: string): Pod {
  const pod = podsOf(objects).find(({ labels }) => labels['app.kubernetes.io/component'] === component);
  if (pod === undefined) throw new Error(`no pod of ${component}`);
  return pod;
}

/** The first container: the process. */
export function processOf(pod: Pod): Container {
  const [container] = pod.spec.containers;
  if (container === undefined) throw new Error('a pod without containers');
  return container;
}

export function environmentOf(pod: Pod): Readonly<Record<string, string>> {
  return Object.fromEntries((processOf(pod).env ?? []).map(({ name, value = '' }) => [name, value]));
}

/** The one object of a kind with this end of its name. Throws without one. */
export function objectOf(objects: readonly KubernetesObject[], kind: string, nameEnd = ''): KubernetesObject {
  const found = objects.filter((object) => object.kind === kind && object.metadata.name.endsWith(nameEnd));
  const [object, ...others] = found;
  if (object === undefined || others.length > 0) {
    throw new Error(`${String(found.length)} objects of kind ${kind} end in "${nameEnd}"`);
  }
  return object;
}

export function specOf(object: KubernetesObject): Fields {
  return object['spec'] as Fields;
}

/** Returns whether a `matchLabels` selects these labels. */
export function selects(
  matchLabels: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
}

function templateOf(owner: KubernetesObject): Template | undefined {
  const spec = owner['spec'] as Fields | undefined;
  switch (owner.kind) {
    case 'Deployment':
    case 'StatefulSet':
      return spec?.['template'] as Template;
    case 'CronJob':
      return (spec?.['jobTemplate'] as { spec: { template: Template } }).spec.template;
    case 'Pod':
      return { metadata: { labels: owner.metadata.labels ?? {} }, spec: spec as unknown as PodSpec };
    default:
      return undefined;
  }
}
