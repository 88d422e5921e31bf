// Evaluates NetworkPolicies as Kubernetes defines them: a pod that no policy selects may do everything; one that is selected may do
// what at least one of its policies allows. Both ends must allow a connection.
import { BlockList, isIPv4 } from 'node:net';
import type { KubernetesObject } from './helm';
import { specOf } from './objects';

/** One end of a connection: a pod of a namespace, or an address outside of the cluster. */
export type End =
  | { readonly labels: Labels; readonly namespace: string; readonly ports?: readonly NamedPort[] }
  | { readonly address: string };

export interface Connection {
  readonly from: End;
  readonly to: End;
  readonly port: number;
  readonly protocol?: 'TCP' | 'UDP';
}

interface NamedPort {
  readonly name: string;
  readonly containerPort: number;
}

type Labels = Readonly<Record<string, string>>;

interface Selector {
  readonly matchLabels?: Labels;
}

interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly {
    readonly port?: number | string;
    readonly protocol?: string;
    readonly endPort?: number;
  }[];
}

interface Policy {
  readonly namespace: string;
  readonly podSelector: Selector;
  readonly policyTypes: readonly string[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}

/** The policies among the objects. `namespace` is of those that name none. */
export function policiesIn(objects: readonly KubernetesObject[], namespace: string): readonly Policy[] {
  return objects
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .map((object) => ({
      ...(specOf(object) as unknown as Omit<Policy, 'namespace'>),
      namespace: object.metadata.namespace ?? namespace,
    }));
}

/** Returns whether both ends allow the connection. */
export function isAllowed(policies: readonly Policy[], connection: Connection): boolean {
  return allows(policies, connection, 'Egress') && allows(policies, connection, 'Ingress');
}

function allows(policies: readonly Policy[], connection: Connection, direction: 'Egress' | 'Ingress'): boolean {
  const [own, other] = direction === 'Egress' ? [connection.from, connection.to] : [connection.to, connection.from];
  if ('address' in own) return true;
  const concerned = policies.filter(
    ({ namespace, podSelector, policyTypes }) =>
      namespace === own.namespace && policyTypes.includes(direction) && hasLabels(own.labels, podSelector),
  );
  if (concerned.length === 0) return true;
  return concerned.some((policy) => {
    const rules = (direction === 'Egress' ? policy.egress : policy.ingress) ?? [];
    return rules.some((rule) => {
      const peers = direction === 'Egress' ? rule.to : rule.from;
      return isPeer(peers, other, policy.namespace) && isPort(rule.ports, connection);
    });
  });
}

/** Without peers everybody is one. */
function isPeer(peers: readonly Peer[] | undefined, end: End, namespace: string): boolean {
  if (peers === undefined || peers.length === 0) return true;
  return peers.some(({ ipBlock, podSelector, namespaceSelector }) => {
    if (ipBlock !== undefined) {
      return (
        'address' in end &&
        isWithin(end.address, ipBlock.cidr) &&
        !ipBlock.except?.some((cidr) => isWithin(end.address, cidr))
      );
    }
    if ('address' in end) return false;
    const namespaceFits =
      namespaceSelector === undefined
        ? end.namespace === namespace
        : hasLabels({ 'kubernetes.io/metadata.name': end.namespace }, namespaceSelector);
    return namespaceFits && (podSelector === undefined || hasLabels(end.labels, podSelector));
  });
}

/** A port by name is one of the pod that is connected to. */
function isPort(ports: Rule['ports'], { to, port, protocol = 'TCP' }: Connection): boolean {
  if (ports === undefined || ports.length === 0) return true;
  const named = 'address' in to ? [] : (to.ports ?? []);
  return ports.some((each) => {
    if ((each.protocol ?? 'TCP') !== protocol) return false;
    if (each.port === undefined) return true;
    const first =
      typeof each.port === 'number' ? each.port : named.find(({ name }) => name === each.port)?.containerPort;
    return first !== undefined && port >= first && port <= (each.endPort ?? first);
  });
}

function hasLabels(labels: Labels, { matchLabels = {} }: Selector): boolean {
  return Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
}

function isWithin(address: string, cidr: string): boolean {
  const [network = '', bits = '32'] = cidr.split('/');
  const family = isIPv4(network) ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family);
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}
