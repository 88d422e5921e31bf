// The environment that tools/kubernetes/cluster made before it ran these tests inside its namespaces.

/** Names and places, all of which end with the namespaces. */
export interface Surroundings {
  /** The directory of this run's files. */
  readonly directory: string;
  /** Below each hierarchy's root. */
  readonly controlGroup: string;
  /** The addresses of the nodes, in the namespace; the first is the control plane's too. */
  readonly addresses: readonly [string, string];
  /** The program that is each part of Kubernetes. */
  readonly kube: string;
  /** Archives for the container runtime: the product's image and the one that holds a pod's namespaces. */
  readonly images: readonly string[];
}

/** The product's image without its version: `1` is the checkout, `next` the same with one more migration. */
export const IMAGE = 'busbar.test/busbar';

/** Throws outside the namespaces. */
export function surroundings(): Surroundings {
  const [first, second] = variable('HOST_ADDRESSES').split(' ');
  if (first === undefined || second === undefined) throw new Error('two addresses are needed');
  return {
    directory: variable('DIRECTORY'),
    controlGroup: variable('CONTROL_GROUP'),
    addresses: [first, second],
    kube: variable('KUBE'),
    images: variable('IMAGES').split(' '),
  };
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run npm run test:cluster`);
  return value;
}
