// Tests who may connect to whom: a table of pairs, evaluated by the rules of NetworkPolicies.
import { join } from 'node:path';
import { CHART, minimalValues, NAMESPACE, render, type KubernetesObject } from './helm';
import { isAllowed, policiesIn, type Connection, type End } from './network-rules';
import { podOf, processOf } from './objects';

const proxied = render(
  minimalValues({ backup: { mongodump: { enabled: true, existingSecret: { name: 'mongodump' } } } }),
);
const tryOut = render({
  tryOut: { password: 'sixteen-characters', rabbitmq: { enabled: true }, mongodb: { enabled: true } },
  ingress: { trustedProxies: ['10.244.0.0/16'] },
});
const direct = render(join(CHART, 'ci/direct-values.yaml'));

const INTERNET = { address: '198.51.100.7' };
const SERVER = { address: '192.0.2.9' };
const STRANGER = { labels: { app: 'stranger' }, namespace: 'default' };
const NEIGHBOUR = { labels: { app: 'neighbour' }, namespace: NAMESPACE };
const PROMETHEUS = { labels: { app: 'prometheus' }, namespace: 'monitoring' };
const DNS = { labels: { 'k8s-app': 'kube-dns' }, namespace: 'kube-system' };

describe.each([
  { title: 'with servers outside of the release', objects: proxied, servers: SERVER },
  { title: 'with RabbitMQ and MongoDB beside it', objects: tryOut, servers: undefined },
])('$title', ({ objects, servers }) => {
  const may = (connection: Connection): boolean => isAllowed(policiesIn(objects, NAMESPACE), connection);
  const end = (component: string): End => endOf(objects, component);
  const broker = servers ?? end('rabbitmq');
  const store = servers ?? end('mongodb');

  it.each([
    ['the internet', 'gateway', 8080, true],
    ['the internet', 'v2-api', 8080, true],
    ['the internet', 'legacy-api', 8080, true],
    ['a pod elsewhere', 'v2-api', 8080, true],
    ['the internet', 'charger-state', 8080, false],
    ['the internet', 'gateway', 9090, false],
    ['the internet', 'v2-api', 9090, false],
    ['a pod elsewhere', 'gateway', 9090, false],
    ['a pod beside it', 'charger-state', 9090, false],
    ['Prometheus', 'gateway', 9090, true],
    ['Prometheus', 'charger-state', 9090, true],
    ['Prometheus', 'v2-api', 9090, true],
  ] as const)('decides on traffic from %s to %s at %i: %s', (name, component, port, allowed) => {
    const from = {
      'the internet': INTERNET,
      'a pod elsewhere': STRANGER,
      'a pod beside it': NEIGHBOUR,
      Prometheus: PROMETHEUS,
    };
    expect(may({ from: from[name], to: end(component), port })).toBe(allowed);
  });

  it.each(['gateway', 'charger-state', 'push', 'v2-api', 'legacy-api'])(
    'allows traffic from %s to the broker',
    (component) => {
      expect(may({ from: end(component), to: broker, port: 5672 })).toBe(true);
      // Push reaches any public address, for webhooks.
      if (component !== 'push') expect(may({ from: end(component), to: broker, port: 15_672 })).toBe(false);
    },
  );

  it.each([
    ['gateway', false],
    ['charger-state', true],
    ['push', true],
    ['v2-api', true],
    ['legacy-api', true],
  ] as const)('decides on traffic from %s to the store: %s', (component, allowed) => {
    expect(may({ from: end(component), to: store, port: 27_017 })).toBe(allowed);
  });

  it.each(['gateway', 'charger-state', 'v2-api', 'legacy-api'])(
    'allows traffic from %s to DNS and to nobody else',
    (component) => {
      expect(may({ from: end(component), to: INTERNET, port: 443 })).toBe(false);
      expect(may({ from: end(component), to: STRANGER, port: 8080 })).toBe(false);
      expect(may({ from: end(component), to: end('v2-api'), port: 8080 })).toBe(false);
      expect(may({ from: end(component), to: DNS, port: 53, protocol: 'UDP' })).toBe(true);
      expect(may({ from: end(component), to: DNS, port: 53 })).toBe(true);
    },
  );

  it('allows traffic from push to the internet, and to no private network', () => {
    const push = end('push');
    expect(may({ from: push, to: INTERNET, port: 443 })).toBe(true);
    expect(may({ from: push, to: INTERNET, port: 8443 })).toBe(true);
    expect(may({ from: push, to: INTERNET, port: 80 })).toBe(false);
    expect(may({ from: push, to: STRANGER, port: 8080 })).toBe(false);
    expect(may({ from: push, to: end('v2-api'), port: 8080 })).toBe(false);
    expect(may({ from: push, to: DNS, port: 53, protocol: 'UDP' })).toBe(true);
  });

  it('allows traffic from the pod of helm test to every port of the processes, and to nobody else', () => {
    const smoke = end('smoke');
    for (const [component, port] of [
      ['gateway', 8080],
      ['gateway', 9090],
      ['charger-state', 9090],
      ['v2-api', 8080],
    ] as const) {
      expect(may({ from: smoke, to: end(component), port })).toBe(true);
    }
    expect(may({ from: smoke, to: broker, port: 5672 })).toBe(false);
    expect(may({ from: smoke, to: INTERNET, port: 443 })).toBe(false);
  });
});

describe('RabbitMQ and MongoDB beside it', () => {
  const may = (connection: Connection): boolean => isAllowed(policiesIn(tryOut, NAMESPACE), connection);

  it.each([
    ['rabbitmq', 5672],
    ['mongodb', 27_017],
  ] as const)('lets nobody else reach %s', (server, port) => {
    for (const from of [INTERNET, STRANGER, NEIGHBOUR, PROMETHEUS]) {
      expect(may({ from, to: endOf(tryOut, server), port })).toBe(false);
    }
    expect(may({ from: endOf(tryOut, server), to: INTERNET, port: 443 })).toBe(false);
  });
});

it('lets mongodump reach MongoDB alone', () => {
  const from = endOf(proxied, 'mongodump');
  const may = (to: End, port: number): boolean => isAllowed(policiesIn(proxied, NAMESPACE), { from, to, port });
  expect(may(SERVER, 27_017)).toBe(true);
  expect(may(SERVER, 5672)).toBe(false);
  expect(may(endOf(proxied, 'v2-api'), 8080)).toBe(false);
  expect(may(INTERNET, 443)).toBe(false);
});

describe('network policies narrowed by the values', () => {
  it('lets in only networkPolicy.from, and out to networkPolicy.extraEgress', () => {
    const objects = render(join(CHART, 'ci/proxied-values.yaml'));
    const policies = policiesIn(objects, NAMESPACE);
    const controller = { labels: { app: 'nginx' }, namespace: 'ingress-nginx' };
    const collector = { labels: { app: 'collector' }, namespace: 'tracing' };
    const api = endOf(objects, 'v2-api');
    expect(isAllowed(policies, { from: controller, to: api, port: 8080 })).toBe(true);
    expect(isAllowed(policies, { from: INTERNET, to: api, port: 8080 })).toBe(false);
    expect(isAllowed(policies, { from: api, to: collector, port: 4318 })).toBe(true);
    expect(isAllowed(policies, { from: api, to: collector, port: 4317 })).toBe(false);
  });

  it('lets the pod of helm test in too', () => {
    const objects = render(join(CHART, 'ci/proxied-values.yaml'));
    const policies = policiesIn(objects, NAMESPACE);
    for (const component of ['gateway', 'v2-api', 'legacy-api']) {
      expect(isAllowed(policies, { from: endOf(objects, 'smoke'), to: endOf(objects, component), port: 8080 })).toBe(
        true,
      );
    }
  });

  it('lets the pod of helm test out to the public addresses that it is given', () => {
    const smoke = { v2Url: 'https://charging.example.com', ocppUrl: 'wss://charging.example.com/ocpp' };
    const objects = render(minimalValues({ smoke }));
    const connection = { from: endOf(objects, 'smoke'), to: INTERNET };
    expect(isAllowed(policiesIn(objects, NAMESPACE), { ...connection, port: 443 })).toBe(true);
    expect(isAllowed(policiesIn(objects, NAMESPACE), { ...connection, port: 443, protocol: 'UDP' })).toBe(false);
  });

  it('lets processes reach the broker at networkPolicy.broker.to alone', () => {
    const policies = policiesIn(direct, NAMESPACE);
    const gateway = endOf(direct, 'gateway');
    expect(isAllowed(policies, { from: gateway, to: SERVER, port: 5671 })).toBe(true);
    expect(isAllowed(policies, { from: gateway, to: INTERNET, port: 5671 })).toBe(false);
    expect(isAllowed(policies, { from: gateway, to: SERVER, port: 5672 })).toBe(false);
    expect(isAllowed(policies, { from: INTERNET, to: gateway, port: 8443 })).toBe(true);
  });
});

it('limits nobody without networkPolicy.enabled', () => {
  expect(policiesIn(render(minimalValues({ networkPolicy: { enabled: false } })), NAMESPACE)).toEqual([]);
});

it('lets the one process reach nothing but DNS and receivers of webhooks', () => {
  const objects = render({ mode: 'allInOne' });
  const policies = policiesIn(objects, NAMESPACE);
  const process = endOf(objects, 'all-in-one');
  expect(isAllowed(policies, { from: INTERNET, to: process, port: 8443 })).toBe(true);
  expect(isAllowed(policies, { from: INTERNET, to: process, port: 9090 })).toBe(false);
  expect(isAllowed(policies, { from: process, to: INTERNET, port: 443 })).toBe(true);
  expect(isAllowed(policies, { from: process, to: INTERNET, port: 80 })).toBe(false);
  expect(isAllowed(policies, { from: process, to: STRANGER, port: 8443 })).toBe(false);
  expect(isAllowed(policies, { from: process, to: DNS, port: 53, protocol: 'UDP' })).toBe(true);
});

function endOf(objects: readonly KubernetesObject[], component: string): End {
  const pod = podOf(objects, component);
  return { labels: pod.labels, namespace: NAMESPACE, ports: processOf(pod).ports ?? [] };
}
