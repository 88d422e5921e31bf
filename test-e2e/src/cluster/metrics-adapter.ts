// Serves custom.metrics.k8s.io from the pods' own /metrics, for autoscalers: what prometheus-adapter does by way of Prometheus.
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificate } from '../harness/certificate';
import type { Cluster } from './cluster';
import { metricOfGateways } from './gateway-metric';
import type { Release } from './release';
import { externalService } from './servers';
import { surroundings } from './surroundings';

export interface MetricsAdapter {
  stop(): Promise<void>;
}

const GROUP = 'custom.metrics.k8s.io';
const API = `/apis/${GROUP}/v1beta2`;
const RESOURCES = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: `${GROUP}/v1beta2`,
  resources: [
    {
      name: 'pods/busbar_gateway_connections',
      singularName: '',
      namespaced: true,
      kind: 'MetricValueList',
      verbs: ['get'],
    },
  ],
};
const SERVICE_ADDRESS = '10.96.0.12';
const HTTPS = 443;
const METRIC = /\/namespaces\/[^/]+\/pods\/[^/]+\/(\w+)$/;

/** Resolves when the API server passes requests for these metrics on to it. */
export async function startMetricsAdapter(cluster: Cluster, release: Release): Promise<MetricsAdapter> {
  const { certFile, keyFile } = await makeCertificate(surroundings().directory);
  const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'https://adapter');
    const [, metric] = METRIC.exec(decodeURIComponent(pathname)) ?? [];
    const answer = (body: unknown): unknown =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    if (metric !== undefined) void valuesOf(release, metric).then(answer, () => response.writeHead(503).end());
    else if (pathname === API) answer(RESOURCES);
    else response.writeHead(404).end();
  });
  server.listen(0, cluster.host);
  await once(server, 'listening');
  const target = { host: cluster.host, port: (server.address() as AddressInfo).port };
  await cluster.api.kubectl(['apply', '-f', '-'], {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      ...externalService('metrics-adapter', { address: SERVICE_ADDRESS, port: HTTPS, target }),
      {
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name: `v1beta2.${GROUP}` },
        spec: {
          group: GROUP,
          version: 'v1beta2',
          groupPriorityMinimum: 100,
          versionPriority: 100,
          insecureSkipTLSVerify: true,
          service: { name: 'metrics-adapter', namespace: release.namespace, port: HTTPS },
        },
      },
    ],
  });
  await cluster.api.kubectl(['wait', 'apiservice', `v1beta2.${GROUP}`, '--for=condition=Available', '--timeout=60s']);
  return {
    async stop() {
      await cluster.api.kubectl(['delete', 'apiservice', `v1beta2.${GROUP}`]);
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The autoscaler asks with the gateways' labels, and nobody else asks here. */
async function valuesOf(release: Release, metric: string): Promise<unknown> {
  const read = await metricOfGateways(release, metric);
  const items = read.map(({ pod, value }) => ({
    describedObject: { kind: 'Pod', namespace: release.namespace, name: pod.metadata.name, apiVersion: 'v1' },
    metric: { name: metric },
    timestamp: new Date().toISOString(),
    value: String(value),
  }));
  return { kind: 'MetricValueList', apiVersion: `${GROUP}/v1beta2`, metadata: {}, items };
}
