// The name server of the cluster: names of Services, resolved by asking the API server each time. Debian has no CoreDNS.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { AUTHORITATIVE_ANSWER, decode, encode, type Answer } from 'dns-packet';
import type { KubernetesApi } from './kubernetes-api';

export interface NameServer {
  stop(): Promise<void>;
}

interface Service {
  readonly spec: { readonly clusterIP: string; readonly publishNotReadyAddresses?: boolean };
}

interface EndpointSlices {
  readonly items: readonly {
    readonly endpoints?: readonly {
      readonly addresses: readonly string[];
      readonly conditions?: { readonly ready?: boolean };
    }[];
  }[];
}

export const CLUSTER_DOMAIN = 'cluster.local';
const PORT = 53;
const TTL_S = 5;
const NO_SUCH_NAME = 3;

/** Resolves when it answers at this address. */
export async function startNameServer(api: KubernetesApi, address: string): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.on('message', (message, { address: from, port }) => {
    void answerTo(api, message).then(
      (answer) => socket.send(answer, port, from),
      // No answer: the resolver asks again.
      () => undefined,
    );
  });
  socket.bind(PORT, address);
  await once(socket, 'listening');
  return { stop: () => closed(socket) };
}

async function answerTo(api: KubernetesApi, message: Buffer): Promise<Buffer> {
  const { id, questions = [] } = decode(message);
  const [question] = questions;
  const addresses = question === undefined ? undefined : await addressesOf(api, question.name);
  const answers: Answer[] =
    question?.type === 'A'
      ? (addresses ?? []).map((data) => ({ type: 'A', name: question.name, ttl: TTL_S, data }))
      : [];
  const flags = AUTHORITATIVE_ANSWER | (addresses === undefined ? NO_SUCH_NAME : 0);
  return encode({ ...(id === undefined ? {} : { id }), type: 'response', flags, questions, answers });
}

/** Undefined for a name that is no Service's. */
async function addressesOf(api: KubernetesApi, question: string): Promise<readonly string[] | undefined> {
  const suffix = `.svc.${CLUSTER_DOMAIN}`;
  const [name = '', namespace, ...rest] = question.toLowerCase().slice(0, -suffix.length).split('.');
  if (!question.toLowerCase().endsWith(suffix) || namespace === undefined || rest.length > 0) return undefined;
  const service = await api
    .get<Service>(`/api/v1/namespaces/${namespace}/services/${name}`)
    .catch((error: unknown) => refusedAs404(error));
  if (service === undefined) return undefined;
  const { clusterIP, publishNotReadyAddresses = false } = service.spec;
  if (clusterIP !== 'None') return [clusterIP];
  const selector = encodeURIComponent(`kubernetes.io/service-name=${name}`);
  const path = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices?labelSelector=${selector}`;
  const { items } = await api.get<EndpointSlices>(path);
  return items
    .flatMap(({ endpoints = [] }) => endpoints)
    .filter(({ conditions }) => publishNotReadyAddresses || conditions?.ready !== false)
    .flatMap(({ addresses }) => addresses);
}

function refusedAs404(error: unknown): undefined {
  if (error instanceof Error && error.message.includes(' gave 404:')) return undefined;
  throw error;
}

async function closed(socket: Socket): Promise<void> {
  const end = once(socket, 'close');
  socket.close();
  await end;
}
