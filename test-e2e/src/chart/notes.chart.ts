// Tests the notes of `helm install`: the next steps for the values.
import { join } from 'node:path';
import { CHART, minimalValues, notes, type Values } from './helm';

const PREFIX = 'kubectl --namespace charging';
const TLS = { certificate: { existingSecret: 'tls' } };
const example = (name: string): string => join(CHART, 'examples', `${name}.yaml`);

/** Each row: what is installed, the values, parts of what is printed, and what is not printed. */
const ROWS: readonly (readonly [string, string | Values, readonly string[], readonly string[]])[] = [
  [
    'the services without a first client and without a way in',
    minimalValues({}),
    [
      `${PREFIX} wait --for=condition=Available deployment --selector app.kubernetes.io/instance=charge`,
      `${PREFIX} exec deployment/charge-busbar-v2-api -- node tools/admin/dist/main.js client create "My company"`,
      'helm test charge --namespace charging --logs',
      'No way in is enabled yet',
    ],
    ['NOT FOR PRODUCTION', 'Ways in:'],
  ],
  [
    'one process with its own certificate',
    { mode: 'allInOne', gateway: { passthrough: { enabled: true } } },
    [
      `${PREFIX} rollout status statefulset/charge-busbar-all-in-one`,
      `${PREFIX} exec statefulset/charge-busbar-all-in-one -- cat data/api-key`,
      `${PREFIX} exec statefulset/charge-busbar-all-in-one -- node tools/admin/dist/main.js smoke`,
      `chargers      wss://ADDRESS:8443/ocpp/IDENTITY, ADDRESS as in: ${PREFIX} get service charge-busbar-chargers`,
      'API clients   https://ADDRESS:8443/v2',
    ],
    ['helm test', 'client create', 'port-forward'],
  ],
  [
    'one process behind an Ingress',
    example('all-in-one'),
    ['those of the Secret first-client', 'helm test charge', 'wss://charging.example.com/ocpp/IDENTITY (Ingress)'],
    ['cat data/api-key'],
  ],
  [
    'the example kind',
    example('kind'),
    [
      'NOT FOR PRODUCTION',
      'chargers      wss://ADDRESS:30443/ocpp/IDENTITY, ADDRESS any node with a gateway',
      `API clients   https://localhost:8443/v2 from this machine, after: ${PREFIX} port-forward service/charge-busbar-v2-api 8443`,
    ],
    ['Ingress', 'No way in'],
  ],
  [
    'the example eks',
    example('eks'),
    ['https://charging.example.com/v2', 'chargers      wss://ADDRESS:8443/ocpp/IDENTITY, ADDRESS as in:'],
    ['wss://charging.example.com', 'HOST', 'port-forward'],
  ],
  [
    'the example gke',
    example('gke'),
    ['wss://charging.example.com/ocpp/IDENTITY (Gateway API)', 'https://charging.example.com/v2'],
    ['No way in'],
  ],
  [
    'the example production',
    example('production'),
    ['(Ingress)', 'wss://ADDRESS:8443/ocpp/IDENTITY'],
    ['client create', 'port-forward'],
  ],
  [
    'TLS that a Gateway passes through, and any node port',
    minimalValues({
      tls: TLS,
      gatewayApi: { tlsRoute: { enabled: true, parentRefs: [{ name: 'a' }], hostnames: ['chargers.example.com'] } },
      gateway: { passthrough: { enabled: true, type: 'NodePort', externalTrafficPolicy: 'Cluster' } },
    }),
    [
      'wss://chargers.example.com/ocpp/IDENTITY, TLS passed through',
      'wss://ADDRESS:PORT/ocpp/IDENTITY, ADDRESS any node, PORT as in:',
    ],
    ['8443'],
  ],
];

it.each(ROWS)('says what comes next for %s', (_title, values, printed, absent) => {
  const text = notes(values);
  for (const part of printed) expect(text).toContain(part);
  for (const part of absent) expect(text).not.toContain(part);
});
