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
const TX_PROFILE = { ...PROFILE, chargingProfilePurpose: 'TxProfile' } as const;
/** Stands for the number of the session, which differs from charger to charger. */
const OURS = 'ours';
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
  readonly what: string;
  readonly action: string;
  readonly payload: object;
  readonly answer: Readonly<Record<string, unknown>>;
  /** The session in progress at socket 1, by the charger's id. Absent: there is none. */
  readonly during?: string;
  /** The same by an operation: its method, path and body. Ours is the number of the session, else 0. */
  readonly operation: readonly [method: string, path: string, body: object | ((ours: number) => object)];
  /** What shows the change, below the charger. */
  readonly shownAt: string;
  readonly expected: object;
}

const ACCEPTED = { status: 'Accepted' };
const ROWS: readonly Row[] = [
  {
    what: 'a variable',
    action: 'SetVariables',
    payload: { setVariableData: [{ ...PRIORITY, attributeValue: 'true' }] },
    answer: { setVariableResult: [{ ...PRIORITY, attributeStatus: 'Accepted' }] },
    operation: ['PATCH', 'variables', { variables: [{ name: 'AuthCtrlr.Enabled', value: 'true' }] }],
    shownAt: 'variables',
    expected: { items: [{ name: 'AuthCtrlr.Enabled', attributes: [{ type: 'Actual', value: 'true' }] }] },
  },
  {
    what: 'a reservation',
    action: 'ReserveNow',
    payload: { id: 9, expiryDateTime: EXPIRES_AT, idToken: TOKEN, evseId: 1 },
    answer: ACCEPTED,
    operation: ['POST', 'reservations', { reservationId: 9, rfidTag: 'TAG', socketId: 1, expiresAt: EXPIRES_AT }],
    shownAt: 'reservations',
    expected: { items: [{ reservationId: 9, rfidTag: 'TAG', socketId: 1, state: 'active' }] },
  },
  {
    what: 'the local list',
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
    what: 'the default profile',
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
  {
    what: 'the profile of a session',
    action: 'SetChargingProfile',
    during: 'T-1',
    payload: {
      evseId: 1,
      chargingProfile: { id: 5, ...TX_PROFILE, transactionId: 'T-1', chargingSchedule: [{ id: 1, ...LIMITS }] },
    },
    answer: ACCEPTED,
    operation: [
      'POST',
      'charging-profile',
      (transactionId) => ({
        socketId: 1,
        chargingProfile: { chargingProfileId: 5, ...TX_PROFILE, transactionId, chargingSchedule: LIMITS },
      }),
    ],
    shownAt: 'charging-profiles',
    expected: {
      items: [
        {
          chargingProfileId: 5,
          socketId: 1,
          transactionId: OURS,
          chargingProfile: { chargingProfilePurpose: 'TxProfile', transactionId: OURS, chargingSchedule: LIMITS },
        },
      ],
    },
  },
];

it.each(ROWS)('130. $action by POST /calls changes $what as the operation does', async (row) => {
  const shown = async (run: (id: string, ours: number) => Promise<{ readonly status: number }>) => {
    const id = await world.register();
    const answers = { [row.action]: () => row.answer };
    const charger = await booted(id, world.connect(id, { subprotocols: [VERSION], answers }));
    const ours = row.during === undefined ? 0 : await begun(id, charger, row.during);
    expect((await run(id, ours)).status).toBe(200);
    const found = await eventually(async () => {
      const record = (await world.v2('GET', `/chargers/${id}/${row.shownAt}`)).json();
      return (record['items'] as readonly unknown[]).length > 0 && record;
    });
    return comparable(found, ours);
  };
  const [method, path, body] = row.operation;
  const { action, payload } = row;
  const byOperation = await shown((id, ours) =>
    world.v2(method, `/chargers/${id}/${path}`, typeof body === 'function' ? body(ours) : body),
  );
  const byCall = await shown((id) => world.v2('POST', `/chargers/${id}/calls`, { action, payload }));
  expect(byOperation).toMatchObject(row.expected);
  expect(byCall).toEqual(byOperation);
});

/** Begins a session at socket 1, and gives our number of it. */
async function begun(id: string, charger: ScriptedCharger, transactionId: string): Promise<number> {
  const evse = { id: 1, connectorId: 1 };
  await charger.v2.transaction({ transactionId, eventType: 'Started', seqNo: 0, evse });
  return eventually(async () => {
    const { ongoingTransactions } = (await world.v2('GET', `/chargers/${id}`)).json();
    return (ongoingTransactions as readonly { readonly transactionId: number }[])[0]?.transactionId;
  });
}

/** Without the command that made each, and the times of the receipt. */
function comparable(record: object, ours: number): object {
  const left = new Set(['commandId', 'reservedAt', 'updatedAt', 'setAt']);
  const text = JSON.stringify(record, (name, value: unknown) => {
    if (left.has(name)) return undefined;
    return name === 'transactionId' && value === ours ? OURS : value;
  });
  return JSON.parse(text) as object;
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
