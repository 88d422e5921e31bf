// Calls of the API in OCPP's own words (POST …/calls) against its operations: what the charger accepts changes its record the same way.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority, eventually, type ScriptedCharger } from '@busbar/testing';
import { openAllInOne, type AllInOneWorld } from './testing/open-all-in-one';

const VERSION = 'ocpp2.1';
const PASSWORD = 'a first password 1';
const EXPIRES_AT = '2035-01-01T00:00:00.000Z';
const LIMITS = { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] } as const;
const PROFILE = { stackLevel: 0, chargingProfilePurpose: 'TxDefaultProfile', chargingProfileKind: 'Relative' } as const;
const NETWORK = { ocppCsmsUrl: 'wss://csms.example', messageTimeout: 30, securityProfile: 2, ocppInterface: 'Wired0' };
const PRIORITY = { component: { name: 'AuthCtrlr' }, variable: { name: 'Enabled' } };
const TOKEN = { idToken: 'TAG', type: 'Central' };

const directory = mkdtempSync(join(tmpdir(), 'raw-calls-'));
let world: AllInOneWorld;
beforeAll(async () => {
  const authority = await createAuthority('Chargers');
  const { cert, key } = await authority.issue('localhost', { names: ['localhost'], addresses: ['127.0.0.1'] });
  const [TLS_CERT_FILE, TLS_KEY_FILE] = [join(directory, 'server.pem'), join(directory, 'server-key.pem')];
  writeFileSync(TLS_CERT_FILE, cert);
  writeFileSync(TLS_KEY_FILE, key);
  world = await openAllInOne({ TLS_CERT_FILE, TLS_KEY_FILE });
});
afterAll(async () => {
  await world.close();
  rmSync(directory, { recursive: true });
});

interface Row {
  readonly action: string;
  readonly payload: object;
  readonly answer: Readonly<Record<string, unknown>>;
  /** The same by an operation: its method, path and body. */
  readonly operation: readonly [method: string, path: string, body: object];
  /** What shows the change, below the charger. */
  readonly shownAt: string;
  readonly expected: object;
}

const ACCEPTED = { status: 'Accepted' };
const ROWS: readonly Row[] = [
  {
    action: 'SetVariables',
    payload: { setVariableData: [{ ...PRIORITY, attributeValue: 'true' }] },
    answer: { setVariableResult: [{ ...PRIORITY, attributeStatus: 'Accepted' }] },
    operation: ['PATCH', 'variables', { variables: [{ name: 'AuthCtrlr.Enabled', value: 'true' }] }],
    shownAt: 'variables',
    expected: { items: [{ name: 'AuthCtrlr.Enabled', attributes: [{ type: 'Actual', value: 'true' }] }] },
  },
  {
    action: 'ReserveNow',
    payload: { id: 9, expiryDateTime: EXPIRES_AT, idToken: TOKEN, evseId: 1 },
    answer: ACCEPTED,
    operation: ['POST', 'reservations', { reservationId: 9, rfidTag: 'TAG', socketId: 1, expiresAt: EXPIRES_AT }],
    shownAt: 'reservations',
    expected: { items: [{ reservationId: 9, rfidTag: 'TAG', socketId: 1, state: 'active' }] },
  },
  {
    action: 'SendLocalList',
    payload: {
      versionNumber: 3,
      updateType: 'Full',
      localAuthorizationList: [{ idToken: TOKEN, idTokenInfo: { status: 'Accepted' } }],
    },
    answer: ACCEPTED,
    operation: [
      'POST',
      'local-list',
      { listVersion: 3, updateType: 'Full', tags: [{ rfidTag: 'TAG', status: 'Accepted' }] },
    ],
    shownAt: 'local-list',
    expected: { listVersion: 3, items: [{ rfidTag: 'TAG', status: 'Accepted' }] },
  },
  {
    action: 'SetChargingProfile',
    payload: { evseId: 1, chargingProfile: { id: 4, ...PROFILE, chargingSchedule: [{ id: 1, ...LIMITS }] } },
    answer: ACCEPTED,
    operation: [
      'POST',
      'charging-profile',
      { socketId: 1, chargingProfile: { chargingProfileId: 4, ...PROFILE, chargingSchedule: LIMITS } },
    ],
    shownAt: 'charging-profiles',
    expected: {
      items: [{ chargingProfileId: 4, socketId: 1, source: 'CSO', chargingProfile: { chargingSchedule: LIMITS } }],
    },
  },
];

it.each(ROWS)('130. $action by POST /calls changes the record as the operation does', async (row) => {
  const shown = async (run: (id: string) => Promise<{ readonly status: number }>) => {
    const id = await world.register();
    await booted(id, world.connect(id, { subprotocols: [VERSION], answers: { [row.action]: () => row.answer } }));
    expect((await run(id)).status).toBe(200);
    return eventually(async () => {
      const found = (await world.v2('GET', `/chargers/${id}/${row.shownAt}`)).json();
      return (found['items'] as readonly unknown[]).length > 0 && found;
    });
  };
  const [method, path, body] = row.operation;
  const { action, payload } = row;
  const byOperation = await shown((id) => world.v2(method, `/chargers/${id}/${path}`, body));
  const byCall = await shown((id) => world.v2('POST', `/chargers/${id}/calls`, { action, payload }));
  expect(byOperation).toMatchObject(row.expected);
  expect(timeless(byCall)).toEqual(timeless(byOperation));
});

/** Without the command that made each, and the times of the receipt. */
function timeless(record: object): unknown {
  const left = new Set(['commandId', 'reservedAt', 'updatedAt', 'setAt']);
  return JSON.parse(JSON.stringify(record, (name, value: unknown) => (left.has(name) ? undefined : value)));
}

it.each<[string, string, string, object]>([
  ['by the operation', 'PUT', 'network-profiles/1', NETWORK],
  [
    'by POST /calls',
    'POST',
    'calls',
    {
      action: 'SetNetworkProfile',
      payload: { configurationSlot: 1, connectionData: { ...NETWORK, ocppVersion: 'OCPP21', ocppTransport: 'JSON' } },
    },
  ],
])('130. SetNetworkProfile %s lets the charger connect by its profile', async (_title, method, path, body) => {
  const id = await world.register();
  await world.v2('PUT', `/chargers/${id}/authentication`, { securityProfile: 1, password: PASSWORD });
  const options = { subprotocols: [VERSION], password: PASSWORD };
  const answers = { SetNetworkProfile: () => ACCEPTED };
  const charger = await booted(id, world.connect(id, { ...options, answers }));
  expect((await world.v2(method, `/chargers/${id}/${path}`, body)).status).toBe(200);
  await charger.close();
  await booted(id, world.connectSecurely(id, options));
  expect((await world.v2('GET', `/chargers/${id}`)).json()).toMatchObject({ securityProfile: 2 });
});

async function booted(id: string, opening: Promise<ScriptedCharger>): Promise<ScriptedCharger> {
  const charger = await opening;
  await charger.v2.boot();
  await eventually(() => world.isActive(id));
  return charger;
}
